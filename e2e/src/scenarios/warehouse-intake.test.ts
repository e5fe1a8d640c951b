import { describe, expect, test } from '@jest/globals';
import { type Merchant, newPoNumber } from '@parcelway/harness/merchant';
import { until } from '@parcelway/kernel/testing/until';
import { useStage } from '../use-stage.ts';

const stage = useStage();

async function unclaimed(more = ''): Promise<Array<Record<string, unknown>>> {
  const path = `/admin/v1/unclaimed?limit=1000${more}`;
  const { parcels } = await stage.operator.admin.expectOk<{ parcels: Array<Record<string, unknown>> }>(path);
  return parcels;
}

describe('a parcel without a forecast', () => {
  test('waits, and is applied when its forecast arrives', async () => {
    const receiver = await stage.receiver();
    const owner = await stage.operator.newMerchant();
    await owner.createEndpoint({ url: receiver.url });
    const express_no = newPoNumber('EARLY');
    const { clerk } = stage;
    const { photo_id } = await clerk.photo();
    const event = clerk.weighing({ express_no: express_no.toLowerCase(), weight_kg: 7.25, photo_ids: [photo_id] });
    await clerk.report(event);
    await until(async () => (await unclaimed()).find((parcel) => parcel.event_id === event.event_id));
    const { po_number } = await owner.submit({ trackingNumber: express_no });
    await receiver.waitForEvent('parcel.weighed', po_number);
    const data = await owner.weighing(po_number);
    expect(data).toMatchObject({ status: 3, weight_kg: 7.25 });
    expect(data.weighing_images).toHaveLength(1);
    expect((await unclaimed()).map((parcel) => parcel.event_id)).not.toContain(event.event_id);
  });

  test('whose number two tenants declare is given to neither', async () => {
    const number = newPoNumber('BOTH');
    const { clerk } = stage;
    const owners = await Promise.all([stage.operator.newMerchant(), stage.operator.newMerchant()]);
    const poNumbers = await Promise.all(owners.map(async (owner) => (await owner.submit({ trackingNumber: number })).po_number));
    for (const [index, owner] of owners.entries()) {
      // An event that names the forecast and shows says that the intake knows the forecast.
      const { forecast_no } = await owner.forecast(String(poNumbers[index]));
      const { photo_id } = await clerk.photo();
      await clerk.report(clerk.event({ type: 'photo', forecast_no, photo_id, image_type: 'other' }));
      await owner.untilWeighing(String(poNumbers[index]), ({ forecast_images }) => forecast_images.length === 1);
    }
    const event = clerk.weighing({ express_no: number });
    await clerk.report(event);
    const parcel = (await unclaimed()).find((candidate) => candidate.event_id === event.event_id);
    expect(parcel).toMatchObject({ reason: 'ambiguous', express_no: number, warehouse_code: clerk.code });
    for (const [index, owner] of owners.entries()) {
      expect(await owner.weighing(String(poNumbers[index]))).toMatchObject({ status: 1, weight_kg: null });
    }

    // The warning lists the forecasts that it may be. The warehouse resolves it by naming one of them together with the number.
    const forecastNos = await Promise.all(owners.map(async (owner, index) => (await owner.forecast(String(poNumbers[index]))).forecast_no));
    const weighing = clerk.weighing({ express_no: number, weight_kg: 3 });
    const { waiting, warnings } = await clerk.report(weighing);
    expect([waiting, warnings.length]).toEqual([1, 1]);
    expect(warnings[0]).toMatchObject({ index: 0, event_id: weighing.event_id, field: 'express_no', rule: 'ambiguous' });
    for (const forecast_no of forecastNos) expect(warnings[0]?.message).toContain(forecast_no);
    const [mine, other] = owners as [Merchant, Merchant];
    expect(await clerk.report(clerk.event({ type: 'arrival', express_no: number, forecast_no: forecastNos[0] }))).toMatchObject({
      waiting: 0,
      warnings: [],
    });
    await mine.untilWeighing(String(poNumbers[0]), ({ weight_kg }) => weight_kg === 3);
    expect((await mine.forecast(String(poNumbers[0]))).measurements).toHaveLength(2);
    expect((await clerk.report(clerk.weighing({ express_no: number, weight_kg: 4 }))).warnings).toEqual([]);
    await mine.untilWeighing(String(poNumbers[0]), ({ weight_kg }) => weight_kg === 4);
    expect(await other.weighing(String(poNumbers[1]))).toMatchObject({ status: 1, weight_kg: null });
    expect((await unclaimed()).filter((candidate) => candidate.express_no === number)).toEqual([]);
  });
});
