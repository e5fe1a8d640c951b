import { describe, expect, test } from '@jest/globals';
import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import { platformMode } from '@parcelway/harness/installation';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { runParcelctl } from '@parcelway/harness/parcelctl';
import { until } from '@parcelway/kernel/testing/until';
import type { Stage } from '../stage.ts';
import { useMerchant, useStage } from '../use-stage.ts';

/** A record as `parcelctl archive` prints it. */
interface ArchiveRecord {
  readonly kind: string;
  readonly id: string;
  readonly data: object;
}

const GONE_WITHIN_MS = 60_000;
const KEPT = { FORECASTS_KEPT: '4s' };

/** What `parcelctl archive` prints as JSON, on the data directory or the bucket of a stage. */
async function archive<T>(stage: Stage, ...args: readonly string[]): Promise<T> {
  const env = { ...stage.platform.servers, DATA_DIR: stage.platform.dataDirectory };
  const { stdout, stderr } = await runParcelctl(['archive', ...args, '--json'], env);
  if (stdout === '') throw new Error(`parcelctl archive ${args.join(' ')}: ${stderr}`);
  return JSON.parse(stdout) as T;
}

const recordsOf = async (stage: Stage, number: string): Promise<readonly ArchiveRecord[]> =>
  (await archive<{ readonly records: readonly ArchiveRecord[] }>(stage, 'find', number)).records;

const codeOf = async ({ client }: Merchant, poNumber: string): Promise<string> =>
  (await client.call(`/open/v1/forecasts/${poNumber}`)).code;

const untilGone = (merchant: Merchant, poNumber: string): Promise<unknown> =>
  until(async () => (await codeOf(merchant, poNumber)) === '40401', { within: GONE_WITHIN_MS, what: `${poNumber} to be deleted` });

async function cancelled(merchant: Merchant, poNumber: string): Promise<void> {
  await merchant.submit({ poNumber });
  expect((await merchant.cancel(poNumber)).code).toBe('0');
}

describe('forecasts whose time is over', () => {
  const stage = useStage(KEPT);
  const merchant = useMerchant(stage);
  const keeper = useMerchant(stage);

  test('are archived and deleted with their photos and labels, of each tenant by its own time', async () => {
    const path = `/admin/v1/tenants/${keeper.identity.tenantId}/retention`;
    await stage.operator.admin.expectOk(path, { method: 'PATCH', body: { forecast_days: 30 } });
    await cancelled(keeper, 'KEPT-1');

    const [poNumber, live] = [newPoNumber('OVER'), newPoNumber('LIVE')];
    await merchant.submit({ poNumber: live });
    await merchant.submit({ poNumber, forecastType: 1 });
    await merchant.simulate({ po_number: poNumber, step: 'weigh', weight_kg: 2.5, photos: 1 });
    let forecast: ForecastDetail | undefined;
    await until(
      async () => {
        forecast = await merchant.forecast(poNumber);
        return forecast.measurements.length > 0;
      },
      { within: GONE_WITHIN_MS, what: 'the weighing' },
    );
    const urls = [forecast?.marketplace_label, forecast?.packing_slip, forecast?.measurements[0]?.photos[0]?.image_url].map(String);
    const statuses = () => Promise.all(urls.map(async (url) => (await merchant.client.fetchBytes(url)).status));
    expect(await statuses()).toEqual([200, 200, 200]);
    await merchant.simulate({ po_number: poNumber, step: 'put_away' });

    await untilGone(merchant, poNumber);
    await until(async () => (await statuses()).every((status) => status === 404), {
      within: GONE_WITHIN_MS,
      what: 'its files to be deleted',
    });
    expect(await recordsOf(stage, poNumber)).toMatchObject([
      {
        schema: 1,
        kind: 'forecasts',
        tenant_id: merchant.identity.tenantId,
        id: forecast?.forecast_no,
        data: {
          po_number: poNumber,
          status_name: 'COMPLETED',
          measurements: [{ weight_kg: 2.5 }],
          weighing_images: [{ image_url: urls[2] }],
        },
      },
    ]);
    expect(await codeOf(merchant, live)).toBe('0');
    expect(await codeOf(keeper, 'KEPT-1')).toBe('0');
    // Its number is free again.
    expect((await merchant.submit({ poNumber, forecastType: 1 })).forecast_no).not.toBe(forecast?.forecast_no);
  }, 180_000);

  test('take their parcels out of the tracking, which archives them', async () => {
    const poNumber = newPoNumber('SENT');
    await merchant.submit({ poNumber });
    await merchant.simulate({ po_number: poNumber, step: 'dispatch' });
    await merchant.untilShipped(poNumber, GONE_WITHIN_MS);
    await merchant.simulate({ po_number: poNumber, step: 'track', admin_status: 'Delivery Success' });
    await until(
      async () => {
        // The query asks the carrier, so the final status is seen.
        await merchant.client.call(`/open/v1/forecasts/tracking?po_number=${poNumber}`);
        return (await codeOf(merchant, poNumber)) === '40401';
      },
      { within: GONE_WITHIN_MS, what: 'the forecast to be deleted' },
    );
    const kinds = async () => (await recordsOf(stage, poNumber)).map(({ kind }) => kind).sort();
    await until(async () => (await kinds()).length === 2, { within: GONE_WITHIN_MS, what: 'the parcel to be archived' });
    expect(await kinds()).toEqual(['forecasts', 'shipments']);
  }, 180_000);
});

describe('a kill between archive and deletion', () => {
  const stage = useStage();
  const merchant = useMerchant(stage);

  test('loses and doubles nothing', async () => {
    const numbers = ['KILL-1', 'KILL-2', 'KILL-3'];
    for (const number of numbers) await cancelled(merchant, number);
    await stage.platform.stop();
    // In distributed mode, the process of the service ends, is started again without the kill point, and goes on.
    await stage.platform.start({ FORECASTS_KEPT: '1s', FAILPOINT: 'retention.archived:kill' }).catch(() => undefined);
    const { tenantId } = merchant.identity;
    const objects = async () => (await archive<{ objects: readonly unknown[] }>(stage, 'list', '--tenant', tenantId)).objects.length;
    await until(async () => (await objects()) === 1, { within: GONE_WITHIN_MS, what: 'the forecasts to be archived' });
    const restarted = (number: string) => stage.platform.client(merchant.identity.key).call(`/open/v1/forecasts/${number}`);
    if (platformMode() === 'embedded') {
      await stage.platform.start();
      expect((await Promise.all(numbers.map(restarted))).map(({ code }) => code)).toEqual(['0', '0', '0']);
      await stage.platform.stop();
      await stage.platform.start({ FORECASTS_KEPT: '1s' });
    } else {
      expect(stage.platform.services().find(({ name }) => name.startsWith('forecast-'))).toMatchObject({ last_end: 'SIGKILL' });
    }
    const isGone = async () => (await Promise.all(numbers.map(restarted))).every(({ code }) => code === '40401');
    await until(isGone, { within: GONE_WITHIN_MS, what: 'the forecasts to be deleted' });
    for (const number of numbers) expect(await recordsOf(stage, number)).toHaveLength(1);
    expect(await objects()).toBe(1);
  }, 240_000);
});
