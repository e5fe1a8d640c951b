import { statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { fromRoot } from '@parcelway/harness/installation';
import { newPoNumber } from '@parcelway/harness/merchant';
import { sampleSubmission } from '@parcelway/harness/sample-data';
import { until } from '@parcelway/kernel/testing/until';
import { usePrograms } from '../use-programs.ts';
import { useStage } from '../use-stage.ts';
import { usePlatforms } from './use-platforms.ts';

const stage = useStage();
const platforms = usePlatforms();
const program = usePrograms();

/** Starts a platform that is to end by itself, and resolves with how it did. */
async function failingStart(env: Record<string, string>): Promise<{ code: number | null; stderr: string }> {
  const platform = platforms.prepare({ env, ...(env.DATA_DIR ? { dataDirectory: env.DATA_DIR } : {}) });
  await platform.start().then(
    () => Promise.reject(new Error('The platform started')),
    (error: Error) => expect(error.message).toContain('ended before it was ready'),
  );
  return { code: platform.exitCode, stderr: platform.log };
}

describe('a restart', () => {
  test('keeps keys, forecasts, file URLs, photos, endpoints, trackings and what was held', async () => {
    const { platform } = stage;
    const receiver = await stage.receiver();
    const merchant = await stage.operator.newMerchant();
    const endpoint = await merchant.createEndpoint({ url: receiver.url });
    const trackingNumber = newPoNumber('TRK');
    const { po_number } = await merchant.submit({ trackingNumber });
    await merchant.simulate({ po_number, step: 'weigh' });
    await receiver.waitForEvent('parcel.weighed', po_number);
    await merchant.simulate({ po_number, step: 'dispatch' });
    await merchant.untilShipped(po_number);
    await merchant.simulate({ po_number, step: 'track', admin_status: 'In Transit' });
    await receiver.waitForEvent('tracking.changed', po_number);
    const { label } = await merchant.files();
    const { marketplace_label } = await merchant.forecast(po_number);
    const look = async (): Promise<unknown> => ({
      forecast: await merchant.forecast(po_number),
      weighing: await merchant.weighing(po_number),
      tracking: await merchant.tracking(po_number),
      endpoints: (await merchant.client.call('/open/v1/webhook-endpoints')).data,
      label: (await merchant.client.fetchBytes(label)).bytes.toString('base64'),
      productLabel: (await merchant.client.fetchBytes(marketplace_label)).bytes.toString('base64'),
    });
    const before = await look();
    const { admin, ...quickstart } = platform.quickstart;
    expect(await platform.stop()).toBe(0);
    await platform.start();
    expect(platform.quickstart).toMatchObject(quickstart);
    expect(platform.quickstart.admin.token).toBe(admin.token);
    expect(await look()).toEqual(before);
    // Files from before are still accepted in a submission, numbers are still unique, and the parcel is still under watch.
    expect((await merchant.submitBody(await merchant.body({ trackingNumber }))).code).toBe('42202');
    await merchant.simulate({ po_number, step: 'track', admin_status: 'In Delivery' });
    const webhook = await receiver.waitFor((webhook) => webhook.body.data.admin_status === 'In Delivery', 5000);
    expect(webhook.body.data).toMatchObject({ event_seq: 3, previous_admin_status: 'In Transit' });
    expect(endpoint.status).toBe('enabled');
  }, 60_000);
});

describe('SIGTERM under load', () => {
  test('ends with 0 within 25 s, and everything acknowledged is durable', async () => {
    const { platform } = stage;
    const merchant = await stage.operator.newMerchant();
    const acknowledged = new Map<string, string>();
    const refusals: string[] = [];
    let stopping = false;
    const load = async (): Promise<void> => {
      while (!stopping || platform.running) {
        const poNumber = newPoNumber();
        const body = sampleSubmission({ poNumber, warehouseCode: merchant.identity.warehouseCode });
        const response = await merchant.client.call('/open/v1/forecasts', { body }).catch(() => undefined);
        // A connection that is refused after the signal is no response; a response has to be a good one.
        if (response?.code === '0') acknowledged.set(poNumber, String(response.data.forecast_no));
        else if (response) refusals.push(response.text);
        else if (stopping) return;
      }
    };
    const workers = Promise.all(Array.from({ length: 8 }, load));
    await until(() => acknowledged.size >= 50);
    const started = Date.now();
    stopping = true;
    expect(await platform.stop()).toBe(0);
    expect(Date.now() - started).toBeLessThan(25_000);
    await workers;
    expect(refusals).toEqual([]);
    await platform.start();
    for (const [poNumber, forecastNo] of acknowledged) expect((await merchant.forecast(poNumber)).forecast_no).toBe(forecastNo);
  }, 90_000);
});

describe('a start that cannot be', () => {
  test('a second process on the same data is refused, and the first goes on', async () => {
    const { dataDirectory } = stage.platform;
    const { code, stderr } = await failingStart({ DATA_DIR: dataDirectory });
    expect(code).toBe(1);
    expect(stderr).toMatch(/in use by another running platform/);
    expect(stderr).toContain(dataDirectory);
    expect((await stage.platform.client().call('/open/v1/warehouses')).code).toBe('0');
  });

  test.each([
    ['PORT', 'many'],
    ['TLS_CERT_FILE', '/nonexistent/cert.pem'],
    ['FAILPOINT', 'nowhere:kill'],
  ])('%s=%s ends it with 1 and is named', async (name, value) => {
    const { code, stderr } = await failingStart({ [name]: value });
    expect(code).toBe(1);
    expect(stderr).toContain(name);
  });

  test('a store that was emptied or damaged is named, and is not replaced', async () => {
    const first = await platforms.start();
    expect(await first.stop()).toBe(0);
    const file = join(first.dataDirectory, 'parcelway.db');
    for (const [spoil, problem] of [
      [() => writeFileSync(file, 'noise'.repeat(2000)), 'is damaged'],
      [() => truncateSync(file), 'is empty'],
    ] as const) {
      spoil();
      const { size } = statSync(file);
      const { code, stderr } = await failingStart({ DATA_DIR: first.dataDirectory });
      expect(code).toBe(1);
      expect(stderr).toContain(`${file} ${problem}`);
      expect(stderr).toContain('parcelctl restore');
      expect(statSync(file).size).toBe(size);
    }
  }, 60_000);

  test('too few file descriptors are named', async () => {
    const limited = program('sh', ['-c', 'ulimit -n 256; exec "$0" "$1"', process.execPath, fromRoot('dist/all-in-one.js')]);
    expect((await limited.end()).code).toBe(1);
    expect(limited.stderr).toMatch(/^Parcelway: this process may open 256 files and needs 1024\. .*ulimit -n 1024/);
  });
});

test('a stop before the start is done leaves nothing behind that hinders the next', async () => {
  const early = platforms.prepare();
  const starting = early.start().catch((error: unknown) => error);
  await until(() => early.pid > 0, { everyMs: 1 });
  process.kill(early.pid, 'SIGKILL');
  await starting;
  const next = await platforms.start({ dataDirectory: early.dataDirectory });
  expect((await next.client().call('/open/v1/warehouses')).code).toBe('0');
});
