import { expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { callRoute } from '@parcelway/harness/route-call';
import type { WarehouseClerk } from '@parcelway/harness/warehouse';
import { until } from '@parcelway/kernel/testing/until';
import { useStageWithMerchant, useWarehouse } from '../use-stage.ts';

/* What corrections and cancellations mean for the warehouses: where the parcel is expected, and under which number. */

const { stage, merchant } = useStageWithMerchant();
const former = useWarehouse(stage);
const next = useWarehouse(stage);

/** Waits until a scan at a warehouse leads to a forecast. */
const untilFound = (clerk: WarehouseClerk, scan: string, forecastNo: string): Promise<boolean> =>
  until(async () => (await clerk.lookUp(scan)).candidates.some(({ forecast }) => forecast.forecast_no === forecastNo), {
    what: `${scan} to lead to ${forecastNo}`,
  });

test('a correction moves a parcel to another warehouse and another number, for what is read and for what is reported', async () => {
  const [po, oldNumber, newNumber] = [newPoNumber('MOVED'), newPoNumber('OLD'), newPoNumber('NEW')];
  const body = await merchant.body({ poNumber: po, trackingNumber: oldNumber, warehouseCode: former.code });
  const { forecast_no } = await merchant.untilAccepted(body);
  await untilFound(former, oldNumber, forecast_no);

  // It comes in at the other warehouse before the merchant says so.
  const early = next.event({ type: 'arrival', express_no: newNumber });
  expect(await next.report(early)).toMatchObject({ accepted: 1, waiting: 1 });
  const items = (body.items as object[]).map((item) => ({ ...item, tracking_number: newNumber }));
  expect(await merchant.correct(po, { warehouse_code: next.code, items })).toMatchObject({ code: '0', data: { version: 2 } });

  await untilFound(next, newNumber, forecast_no);
  await merchant.untilStatus(po, 2);
  expect(await next.outcome(early.event_id)).toMatchObject({ state: 'applied', forecast_no });
  const detail = await next.forecast(forecast_no);
  expect(detail).toMatchObject({ version: 2, warehouse_code: next.code, tracking_numbers: [newNumber.replaceAll('-', '')] });

  // The former warehouse knows nothing of it any more.
  expect((await callRoute(former.client, 'getWarehouseForecast', { path: { forecast_no } })).code).toBe('40403');
  const stray = former.event({ type: 'arrival', express_no: oldNumber });
  expect(await former.report(stray)).toMatchObject({ accepted: 1, waiting: 1 });
  expect((await former.outcome(stray.event_id)).state).toBe('waiting');
});

test('a correction that crosses the arrival leaves the parcel at one warehouse, which can work with it', async () => {
  const crossings = await Promise.all(
    Array.from({ length: 12 }, async (_, index) => {
      const [po, number] = [newPoNumber('CROSS'), newPoNumber('CROSS')];
      const { forecast_no } = await merchant.submit({ poNumber: po, trackingNumber: number, warehouseCode: former.code });
      await untilFound(former, number, forecast_no);
      const parcel = index % 2 === 0 ? { forecast_no } : { express_no: number };
      const arrival = former.event({ type: 'arrival', ...parcel });
      const [correction] = await Promise.all([merchant.correct(po, { warehouse_code: next.code }), former.report(arrival)]);
      return { po, forecast_no, parcel, arrival, correction };
    }),
  );
  for (const { po, forecast_no, parcel, arrival, correction } of crossings) {
    const { state } = await former.outcome(arrival['event_id']);
    if (state === 'waiting') {
      // The correction came first, and the former warehouse has a parcel that it does not expect.
      expect([po, correction.code, (await merchant.forecast(po)).warehouse_code]).toEqual([po, '0', next.code]);
      continue;
    }
    await merchant.untilStatus(po, 2);
    expect((await merchant.forecast(po)).warehouse_code).toBe(former.code);
    await former.untilForecast(forecast_no);
    const weighing = former.weighing(parcel);
    await former.report(weighing);
    await until(async () => (await former.outcome(weighing['event_id'])).state === 'applied', { what: `a weighing of ${forecast_no}` });
    await merchant.untilStatus(po, 3);
  }
}, 60_000);

test('cancellation against arrival: one of them, and the state agrees with the response', async () => {
  for (let round = 0; round < 10; round += 1) {
    const { po_number, forecast_no } = await merchant.submit({ forecastType: 1 });
    const [cancelled] = await Promise.all([
      merchant.cancel(po_number),
      stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no })),
    ]);
    const { photo_id } = await stage.clerk.photo();
    await stage.clerk.report(stage.clerk.event({ type: 'photo', forecast_no, photo_id, image_type: 'other' }));
    await merchant.untilWeighing(po_number, ({ forecast_images }) => forecast_images.length === 1);
    expect((await merchant.forecast(po_number)).status).toBe(cancelled.code === '0' ? 7 : 2);
  }
});
