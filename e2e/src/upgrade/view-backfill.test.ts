import { expect, test } from '@jest/globals';
import type { ForecastAcceptance } from '@parcelway/contracts/forecast-submission-api';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { platformMode } from '@parcelway/harness/installation';
import { newPoNumber } from '@parcelway/harness/merchant';
import { useStageWithMerchant } from '../use-stage.ts';
import { forgetViewInMongo } from './mongo-former-release.ts';
import { forgetViewInSqlite } from './sqlite-former-release.ts';

/* Warehouses see forecasts that were accepted by a release without the view. */

const { stage, merchant } = useStageWithMerchant();

/** The forecast once the view shows what is wanted. */
const untilRead = (forecastNo: string, wanted: (forecast: WarehouseForecastDetail) => boolean): Promise<WarehouseForecastDetail> =>
  stage.clerk.untilForecast(forecastNo, wanted, 'what is wanted', 60_000);

const withoutTime = ({ update_time: _time, ...forecast }: WarehouseForecastDetail): object => forecast;

test('forecasts from before the view come into it with their status, also across a crash on the way', async () => {
  const { clerk, platform } = stage;
  const submit = async (sample: Parameters<typeof merchant.body>[0]): Promise<ForecastAcceptance> =>
    (await merchant.submitBody(await merchant.body({ warehouseCode: clerk.code, ...sample }))).data;
  const number = newPoNumber('TRK');
  const expected = await submit({ trackingNumber: number, items: 3 });
  const large = await submit({ forecastType: 1, items: 2000 });
  const arrived = await submit({});
  const held = await submit({});
  const left = await submit({});
  const cancelled = await submit({});
  const report = (type: string, { forecast_no }: ForecastAcceptance, more = {}) =>
    clerk.report(clerk.event({ type, forecast_no, ...more } as never));
  await report('arrival', arrived);
  await report('hold', held, { reason: 'wet' });
  await report('dispatch', left, { carrier_code: 'dhl', tracking_number: 'JD014600003' });
  await merchant.cancel(cancelled.po_number);
  const hasLabel = ({ marketplace_label }: WarehouseForecastDetail): boolean => marketplace_label !== null;
  const before = await Promise.all([
    untilRead(expected.forecast_no, hasLabel),
    untilRead(large.forecast_no, (forecast) => hasLabel(forecast) && forecast.items.length === 2000),
    untilRead(arrived.forecast_no, (forecast) => hasLabel(forecast) && forecast.status === 2),
    untilRead(held.forecast_no, (forecast) => hasLabel(forecast) && forecast.on_hold),
    untilRead(left.forecast_no, (forecast) => hasLabel(forecast) && forecast.status === 5),
    untilRead(cancelled.forecast_no, (forecast) => hasLabel(forecast) && forecast.status === 7),
  ]);
  await merchant.untilStatus(left.po_number, 5);

  await platform.stop();
  if (platformMode() === 'embedded') forgetViewInSqlite(platform.dataDirectory);
  else await forgetViewInMongo(String(process.env['MONGODB_URL']), String(platform.servers['RESOURCE_PREFIX']));
  if (platformMode() === 'embedded') {
    // It dies when the first page is in the view and not recorded. Distributed, the supervisor of the test would start it again.
    await platform.start({ FAILPOINT: 'intake.before-backfill-recorded:kill' }).catch(() => undefined);
    await platform.ended(30_000);
  }
  await platform.start();

  await Promise.all(before.map(({ forecast_no, status }) => untilRead(forecast_no, (forecast) => forecast.status === status)));
  await untilRead(large.forecast_no, ({ items }) => items.length === 2000);
  const after = await Promise.all(before.map(({ forecast_no }) => clerk.forecast(forecast_no)));
  expect(after.map(withoutTime)).toEqual(before.map(withoutTime));
  const list = await clerk.forecasts({ limit: 100 });
  const live = before.filter(({ status }) => status < 5).map(({ forecast_no }) => forecast_no);
  expect(list.forecasts.map(({ forecast_no }) => forecast_no).toSorted()).toEqual(live.toSorted());
  expect((await clerk.matchesOf(number)).map(([forecastNo]) => forecastNo)).toEqual([expected.forecast_no]);
}, 180_000);
