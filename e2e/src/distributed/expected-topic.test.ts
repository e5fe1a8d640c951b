import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { topics } from '@parcelway/contracts/topics';
import { compileValidator } from '@parcelway/contracts/validator';
import { WarehouseForecastChange } from '@parcelway/contracts/warehouse-change';
import { until } from '@parcelway/kernel/testing/until';
import { usePrograms } from '../use-programs.ts';
import { useOpened, useStageWithMerchant } from '../use-stage.ts';
import { useOutsider } from './use-outsider.ts';

/* A warehouse system that follows forecasts on the topic itself, with a Kafka client of its own. */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const WITHIN = 30_000;
const message = compileValidator(WarehouseForecastChange);

const { stage, merchant } = useStageWithMerchant({ REPLICAS: '2' });
const outsider = useOutsider(stage);
const follower = useOpened(
  'consumer',
  () => outsider.follow(topics.warehouseExpected),
  (opened) => opened.stop(),
);
const start = usePrograms();

/** The messages of one forecast so far, each held against the contract. */
const heard = (forecastNo: string): WarehouseForecastChange[] =>
  follower.records.filter(({ key }) => String(key) === forecastNo).map(({ value }) => message.parse(JSON.parse(String(value))));
const hears = (forecastNo: string, matches: (last: WarehouseForecastChange) => boolean, what: string): Promise<WarehouseForecastChange> =>
  until(() => heard(forecastNo).find(matches), { within: WITHIN, what: `a message of ${what}` });
/** What is left of a forecast once the log was compacted, for a consumer that starts again. */
async function compacted(forecastNo: string): Promise<WarehouseForecastChange | undefined> {
  const records = (await outsider.read(topics.warehouseExpected)).filter(({ key }) => String(key) === forecastNo);
  expect(new Set(records.map(({ partition }) => partition)).size).toBeLessThanOrEqual(1);
  const last = records.sort((a, b) => Number(a.offset) - Number(b.offset)).at(-1);
  return last && message.parse(JSON.parse(String(last.value)));
}

/** The last message of a forecast is what the route returns. */
async function expectCurrent(forecastNo: string): Promise<void> {
  const last = (await compacted(forecastNo))?.forecast;
  const current = await stage.clerk.forecast(forecastNo);
  // A write that took long gets a later place among the changes, and with it a later time.
  expect(last).toEqual({ ...current, update_time: last?.update_time });
  expect(Date.parse(last?.update_time ?? '')).toBeLessThanOrEqual(Date.parse(current.update_time));
}

/** Nothing goes back: neither the version nor the time of the last change. */
function expectForward(messages: readonly WarehouseForecastChange[]): void {
  messages.forEach(({ forecast }, index) => {
    const before = messages[index - 1]?.forecast;
    if (before === undefined) return;
    expect(forecast.version).toBeGreaterThanOrEqual(before.version);
    expect(Date.parse(forecast.update_time)).toBeGreaterThanOrEqual(Date.parse(before.update_time));
  });
}

describe('a system that follows the topic', () => {
  test('hears of each change in order, and the last message is what the route returns', async () => {
    const { po_number, forecast_no } = await merchant.submit();
    const first = await hears(forecast_no, ({ change }) => change === 'accepted', 'the acceptance');
    expect(first.forecast).toMatchObject({
      forecast_no,
      po_number,
      warehouse_code: stage.clerk.code,
      status: 1,
      items: [{ forecast_quantity: expect.any(Number) }],
    });
    expect(JSON.stringify(first)).not.toContain('forecast_price');
    await merchant.correct(po_number, { carton_count: 7 });
    await hears(forecast_no, ({ change, forecast }) => change === 'corrected' && forecast.carton_count === 7, 'the correction');
    await stage.clerk.report(stage.clerk.event({ type: 'hold', forecast_no, reason: 'Customs' }));
    await hears(forecast_no, ({ change, forecast }) => change === 'held' && forecast.on_hold, 'the hold');
    await stage.clerk.report(stage.clerk.event({ type: 'release', forecast_no }));
    await hears(forecast_no, ({ change, forecast }) => change === 'released' && !forecast.on_hold, 'the release');
    await merchant.cancel(po_number);
    await hears(forecast_no, ({ change }) => change === 'cancelled', 'the cancellation');
    const messages = heard(forecast_no);
    expect(messages.map(({ change }) => change)).toEqual(['accepted', 'corrected', 'held', 'released', 'cancelled']);
    expectForward(messages);
    await expectCurrent(forecast_no);
  }, 120_000);

  test('hears once that a forecast went to another warehouse; the program of the guide deletes it', async () => {
    const program = start(process.execPath, ['docs/examples/expected-parcels.mjs'], {
      cwd: ROOT,
      env: {
        KAFKA_BROKERS: stage.platform.servers['KAFKA_BROKERS'] ?? '',
        KAFKA_PREFIX: stage.platform.servers['KAFKA_PREFIX'] ?? '',
        CONSUMER_GROUP: `${stage.platform.servers['KAFKA_PREFIX']}wms`,
        WAREHOUSE_CODE: stage.clerk.code,
      },
    });
    const other = await stage.operator.newWarehouse();
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    await hears(forecast_no, ({ change }) => change === 'accepted', 'the acceptance');
    // A warehouse that was added a moment ago is known to all within a second.
    const corrected = async () => (await merchant.correct(po_number, { warehouse_code: other.code })).code === '0';
    await until(corrected, { within: WITHIN, what: 'the correction' });
    await hears(forecast_no, ({ forecast }) => forecast.warehouse_code === other.code, 'the move');
    expect(heard(forecast_no).filter(({ change }) => change === 'corrected')).toHaveLength(1);
    expect((await compacted(forecast_no))?.forecast.warehouse_code).toBe(other.code);
    const shown = (): unknown[] =>
      program
        .lines()
        .filter((line) => line.includes(forecast_no))
        .map((line) => JSON.parse(line).change);
    await until(() => shown().at(-1) === 'moved', { within: WITHIN, what: 'the program to let the forecast go' });
    expect(shown()[0]).toBe('accepted');
  }, 120_000);
});
