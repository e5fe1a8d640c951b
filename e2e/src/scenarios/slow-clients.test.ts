import { afterEach, describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { samplePdf } from '@parcelway/harness/sample-data';
import { openMany, UnreadClient } from '@parcelway/harness/unread-client';
import { until } from '@parcelway/kernel/testing/until';
import { useOpened, useStageWithMerchant } from '../use-stage.ts';

/* Clients that do not read, or do not end what they send, and what is left for the others. */

/** Long enough for others to be served meanwhile, on a slow machine too. */
const STALL_MS = 10_000;
const CONNECTIONS = 150;

const { stage, merchant } = useStageWithMerchant({ READ_STALL_TIMEOUT: `${STALL_MS}ms`, MAX_CONNECTIONS_PER_ADDRESS: String(CONNECTIONS) });
/** A PDF of 9 MB. */
const file = useOpened('file', async () => ({ path: await upload('unread') }));
const clients: UnreadClient[] = [];

afterEach(() => {
  for (const client of clients.splice(0)) client.destroy();
});

/** Uploads a PDF of 9 MB. @returns the path under which it opens */
async function upload(mark: string): Promise<string> {
  const content = Buffer.concat([samplePdf(mark), Buffer.alloc(9_000_000, `${mark} `), samplePdf(mark)]);
  return new URL((await merchant.upload(`${mark}.pdf`, content)).data.url).pathname;
}

/** Clients of other addresses than the test's own, each below the limit of connections. */
async function openUnread(count: number, head: (index: number) => string): Promise<UnreadClient[]> {
  const addressOf = (index: number): string => `127.0.0.${2 + Math.floor((2 * index) / count)}`;
  const opened = await openMany(count, (index) => UnreadClient.open({ ...stage.target, from: addressOf(index) }, `${head(index)}\r\n\r\n`));
  clients.push(...opened);
  return opened;
}

const getting =
  (path: string, more = '') =>
  (): string =>
    `GET ${path} HTTP/1.1\r\nHost: localhost${more}`;

/** What the gateways have counted of a limit. */
async function limited(limit: string): Promise<number> {
  const pattern = new RegExp(`^parcelway_client_limits_total\\{service_name="gateway",limit="${limit}"\\} (\\d+)$`, 'gm');
  const counted = (await stage.metrics('gateway')).matchAll(pattern);
  return [...counted].reduce((sum, match) => sum + Number(match[1]), 0);
}

describe('while responses are not read', () => {
  test('280 downloads leave another file and an upload to others', async () => {
    const other = await upload('other');
    await openUnread(280, getting(file.path));
    // As a client does it: 503 says when to try again, which a busy machine may need once.
    const openOther = async (): Promise<number | undefined> => {
      const { status, bytes } = await merchant.client.fetchBytes(`${stage.platform.quickstart.base_url}${other}`);
      expect([200, 503]).toContain(status);
      return status === 200 ? bytes.length : undefined;
    };
    expect(await until(openOther, { what: 'the other file', within: 30_000, everyMs: 1000 })).toBeGreaterThan(9_000_000);
    expect((await merchant.upload('more.pdf', samplePdf(newPoNumber('PDF')))).code).toBe('0');
  }, 60_000);

  test('a download goes on where its client stopped reading', async () => {
    const [client] = await openUnread(1, getting(file.path, '\r\nConnection: close'));
    const readSome = (): boolean => {
      client?.read(1_000_000);
      return client?.closed === true;
    };
    await until(readSome, { what: 'the end of the download', within: 20_000, everyMs: 300 });
    expect(client?.status).toBe(200);
    expect(client?.received).toBeGreaterThan(9_000_000);
  }, 60_000);

  test('270 large forecasts of one key leave the forecasts of others', async () => {
    const hoarder = await stage.operator.newMerchant(undefined, { rate_limit: { per_second: 20, burst: 300 } });
    const body = { ...(await hoarder.body({ forecastType: 1, items: 2000 })) } as { po_number: string; items: object[] };
    body.items = body.items.map((item) => ({ ...item, product_name_en: 'x'.repeat(200) }));
    expect((await hoarder.submitBody(body)).code).toBe('0');
    const mine = await merchant.submit();
    await openUnread(270, getting(`/open/v1/forecasts/${body.po_number}`, `\r\nX-Api-Key: ${hoarder.identity.key}`));
    expect((await merchant.forecast(mine.po_number)).po_number).toBe(mine.po_number);
    expect((await merchant.submit()).status).toBe('ACCEPTED');
  }, 60_000);
});

describe('upload streams', () => {
  test('that two holders keep open leave room for those of a third', async () => {
    const hoarder = await stage.operator.newMerchant();
    const warehouse = await stage.operator.issueKey({ warehouse_code: stage.clerk.code });
    const posting = (path: string, key: string): string =>
      `POST ${path} HTTP/1.1\r\nHost: localhost\r\nX-Api-Key: ${key}\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 1000000`;
    const half = [
      { path: '/open/v1/files/pdf', key: hoarder.identity.key },
      { path: '/warehouse/v1/photos', key: warehouse.key },
    ] as const;
    const before = await limited('upload_streams');
    await openUnread(280, (index) => {
      const { path, key } = half[index < 140 ? 0 : 1] as (typeof half)[number];
      return posting(path, key);
    });
    await until(async () => (await limited('upload_streams')) > before, { what: 'both to reach their shares' });
    expect(
      (await merchant.upload('large.pdf', Buffer.concat([samplePdf('large'), Buffer.alloc(200_000, ' '), samplePdf('large')]))).code,
    ).toBe('0');
  }, 60_000);
});
