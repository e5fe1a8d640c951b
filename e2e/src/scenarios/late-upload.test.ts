import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { IncomingMessage } from 'node:http';
import { request } from 'node:https';
import { json } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { Parcelway } from '@parcelway/sdk';
import { useStageWithMerchant } from '../use-stage.ts';

/* An upload whose file comes once its key or tenant has been stopped. */

const { stage, merchant } = useStageWithMerchant();
const PATH = '/open/v1/forecasts/import';
const BOUNDARY = 'late-upload';
const part = (disposition: string, content: string): string =>
  `--${BOUNDARY}\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n${content}\r\n`;

const csvOf = (rows: number): string => {
  const prefix = newPoNumber();
  const { warehouseCode } = merchant.identity;
  const lines = Array.from({ length: rows }, (_, index) => `${prefix}-${index},1,${warehouseCode},A,Lamp,1`);
  return ['po_number,forecast_type,warehouse_code,sku_code,product_name_en,forecast_quantity', ...lines].join('\n');
};

/** Begins an upload. @returns sends the file */
async function beginUpload({ identity }: Merchant): Promise<() => Promise<unknown>> {
  const { base_url, ca_file } = stage.platform.quickstart;
  const [first, rest] = [part('name="validate_only"', 'false'), `${part('name="file"; filename="a.csv"', csvOf(300))}--${BOUNDARY}--\r\n`];
  const req = request(new URL(PATH, base_url), {
    method: 'POST',
    ca: readFileSync(ca_file),
    headers: {
      'x-api-key': identity.key,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': Buffer.byteLength(first + rest),
    },
  });
  const response = once(req, 'response') as Promise<[IncomingMessage]>;
  await new Promise<void>((resolve) => void req.write(first, () => resolve()));
  return async () => {
    req.end(rest);
    return json((await response)[0]);
  };
}

test.each([
  ['its key is revoked', '40003', async (one: Merchant) => void (await stage.operator.revokeKey(one.identity.keyId))],
  ['its tenant is suspended', '40302', async (one: Merchant) => void (await stage.operator.suspend(one.identity.tenantId))],
])('an upload begins no import when %s before its file comes', async (_when, code, stop) => {
  const owner = await stage.operator.newMerchant();
  const other = await stage.operator.withKey(owner);
  const { base_url: baseUrl, ca_file } = stage.platform.quickstart;
  const [own, watching] = [owner, other].map(
    ({ identity }) => new Parcelway({ apiKey: identity.key, baseUrl, ca: readFileSync(ca_file) }),
  ) as [Parcelway, Parcelway];
  const send = await beginUpload(owner);
  // An import that runs shows when the event has been handled.
  const running = await own.imports.create({ name: 'many.csv', content: Buffer.from(csvOf(8000)) });
  await stop(owner);
  if (code === '40302') {
    await until(async () => (await other.client.call(PATH)).code === code, { within: 5000 });
    await stage.operator.resume(owner.identity.tenantId);
  }
  const stopped = await until(
    async () => {
      const found = await watching.imports.get(running.import_id).catch(() => undefined);
      return found?.state === 'cancelled' ? found : undefined;
    },
    { within: 30_000, what: 'the import that ran to be stopped' },
  );
  expect(stopped.error?.code).toBe(code);
  expect(await send()).toMatchObject({ code, message: expect.stringContaining('during the upload') });
  const listed: string[] = [];
  for await (const one of watching.imports.list({})) listed.push(one.import_id);
  expect(listed).toEqual([running.import_id]);
  for (const client of [own, watching]) client.close();
});
