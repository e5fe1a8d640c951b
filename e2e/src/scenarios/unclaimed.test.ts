import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { parcelctlJson } from '@parcelway/harness/parcelctl';
import { callRoute } from '@parcelway/harness/route-call';
import { until } from '@parcelway/kernel/testing/until';
import { useSharedStageWithMerchant, useStage } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();

/** A forecast that the intake knows. */
async function knownForecast(): Promise<{ readonly po_number: string; readonly forecast_no: string }> {
  const { po_number, forecast_no } = await merchant.submit({ trackingNumber: newPoNumber('TRK') });
  await stage.clerk.report(stage.clerk.event({ type: 'arrival', forecast_no }));
  await merchant.untilStatus(po_number, 2);
  return { po_number, forecast_no };
}

describe('a claim', () => {
  test('brings all that waits under the number, and what comes under it later, to the forecast', async () => {
    const { clerk } = stage;
    const { po_number, forecast_no } = await knownForecast();
    const express_no = newPoNumber('LOST');
    const events = [clerk.weighing({ express_no, weight_kg: 2 }), clerk.event({ type: 'processing', express_no })];
    expect((await clerk.report(...events)).waiting).toBe(2);
    const [first, second] = events.map(({ event_id }) => String(event_id)) as [string, string];
    expect(await clerk.outcome(first)).toMatchObject({ state: 'waiting', waiting_for: 'no_forecast', forecast_no: null, candidates: [] });

    const claimed = await clerk.claim(second, forecast_no);
    expect(claimed.data).toMatchObject({ id: second, action: 'claim', forecast_no, reason: null, events: 2 });
    await merchant.untilStatus(po_number, 4);
    const forecast = await merchant.forecast(po_number);
    expect(forecast.measurements).toHaveLength(1);
    expect(await clerk.outcome(first)).toMatchObject({ state: 'applied', forecast_no, resolved_by: claimed.data.resolved_by });
    const again = await clerk.claim(first, forecast_no);
    expect([again.data, again.headers['idempotent-replayed']]).toEqual([claimed.data, 'true']);

    expect(await clerk.report(clerk.weighing({ express_no, weight_kg: 3 }))).toMatchObject({ waiting: 0, warnings: [] });
    await merchant.untilWeighing(po_number, ({ weight_kg }) => weight_kg === 3);
    const other = await knownForecast();
    expect(await clerk.claim(first, other.forecast_no)).toMatchObject({
      status: 409,
      code: '40902',
      data: { action: 'claim', forecast_no },
    });
    expect(await clerk.dismiss(first, 'Lost')).toMatchObject({ status: 409, code: '40902' });
  });

  test('needs a forecast of the warehouse that is not cancelled, and an event that waits', async () => {
    const { clerk } = stage;
    const event = clerk.weighing({ express_no: newPoNumber('LOST') });
    await clerk.report(event);
    const cancelled = await merchant.submit({ trackingNumber: newPoNumber('TRK') });
    await until(async () => {
      // An event that names it and is applied says that the intake knows the forecast.
      const { photo_id } = await clerk.photo();
      const photo = clerk.event({ type: 'photo', forecast_no: cancelled.forecast_no, photo_id, image_type: 'other' });
      return (await clerk.report(photo)).waiting === 0;
    });
    await merchant.cancel(cancelled.po_number);
    // A claim that comes before the intake knows of the cancellation would be taken.
    await clerk.untilForecast(cancelled.forecast_no, ({ status_name }) => status_name === 'CANCELLED', 'its cancellation');
    expect(await clerk.claim(event.event_id, cancelled.forecast_no)).toMatchObject({ status: 409, code: '40902' });
    expect(await clerk.claim(event.event_id, 'FC000000NONE')).toMatchObject({ status: 404, code: '40403' });
    expect(await clerk.claim('none', cancelled.forecast_no)).toMatchObject({ status: 404, code: '40403' });
    for (const body of [{}, { forecast_no: 7 }, { forecast_no: '' }, []]) {
      const response = await callRoute(clerk.client, 'claimUnclaimed', { path: { id: String(event.event_id) }, body });
      expect([body, response.code]).toEqual([body, '42201']);
    }
  });

  test('does not give the code of a product to a forecast, unless the forecast is known by it', async () => {
    const clerk = await stage.operator.newWarehouse();
    const body = await merchant.body({ forecastType: 1, warehouseCode: clerk.code, trackingNumber: newPoNumber('TRK') });
    const [item] = body['items'] as [Record<string, unknown>];
    const [sku, poNumber] = [newPoNumber('SKU'), newPoNumber()];
    // The other one has two products: one is named like the first forecast.
    const otherItems = [sku, poNumber].map((sku_code) => ({ ...item, sku_code, tracking_number: newPoNumber('TRK') }));
    const mine = { ...body, po_number: poNumber, items: [{ ...item, barcode: '4006381333931' }] };
    const [own, other] = [
      await merchant.submitBody(mine),
      await merchant.submitBody({ ...body, po_number: newPoNumber(), items: otherItems }),
    ];
    const [forecast_no, of] = [own.data.forecast_no, other.data.forecast_no];
    const found = async (scan: string) => (await clerk.matchesOf(scan)).map(([forecastNo]) => forecastNo);
    await until(async () => (await found(sku)).includes(of) && (await found(poNumber)).length === 2);

    const [bySku, byBarcode, byPo] = [sku, '4006381333931', poNumber].map((express_no) => clerk.weighing({ express_no }));
    await clerk.report(bySku as Record<string, unknown>, byBarcode as Record<string, unknown>, byPo as Record<string, unknown>);
    expect(await clerk.claim(bySku?.['event_id'], forecast_no)).toMatchObject({
      status: 409,
      code: '40902',
      data: { product_code: sku, product_of: of },
    });
    // Other parcels have the same product, also where no other forecast does so far.
    expect(await clerk.claim(byBarcode?.['event_id'], forecast_no)).toMatchObject({
      status: 409,
      code: '40902',
      data: { product_of: forecast_no },
    });
    expect(await clerk.outcome(bySku?.['event_id'])).toMatchObject({ state: 'waiting' });
    expect((await clerk.dismiss(bySku?.['event_id'], 'The code of a product')).data).toMatchObject({ events: 1 });
    const claimed = await clerk.claim(byPo?.['event_id'], forecast_no);
    expect(claimed.data).toMatchObject({ action: 'claim', forecast_no, events: 1 });
    expect((await clerk.claim(byPo?.['event_id'], forecast_no)).data).toEqual(claimed.data);
  });
});

describe('the list of a warehouse', () => {
  test('shows what waits, with the candidates of an ambiguous one, in pages', async () => {
    const clerk = await stage.operator.newWarehouse();
    const number = newPoNumber('BOTH');
    const owners = await Promise.all([stage.operator.newMerchant(), stage.operator.newMerchant()]);
    const forecasts = await Promise.all(owners.map((owner) => owner.submit({ trackingNumber: number, warehouseCode: clerk.code })));
    const events = [clerk.weighing({ express_no: newPoNumber('LOST') }), clerk.weighing({ express_no: number })];
    // The intake learns of both forecasts in its own time: until then a scan waits, or goes to the only one.
    await clerk.report(events[0] as Record<string, unknown>);
    await until(async () => {
      const probes = forecasts.map(({ forecast_no }) => clerk.event({ type: 'arrival', forecast_no }));
      return (await clerk.report(...probes)).waiting === 0;
    });
    await clerk.report(events[1] as Record<string, unknown>);
    const parcels = await clerk.unclaimed({ limit: 1 });
    const ofEvents = parcels.filter(({ id }) => events.some(({ event_id }) => event_id === id));
    expect(ofEvents.map(({ reason }) => reason)).toEqual(['no_forecast', 'ambiguous']);
    expect(ofEvents[1]?.candidates.toSorted()).toEqual(forecasts.map(({ forecast_no }) => forecast_no).toSorted());
    expect((await clerk.unclaimed({ reason: 'ambiguous' })).map(({ id }) => id)).toEqual([events[1]?.['event_id']]);
    expect((await callRoute(clerk.client, 'listUnclaimed', { query: { reason: 'warehouse_mismatch' } })).code).toBe('42201');
  });
});

describe('the outcome of an event', () => {
  test('can be read under any id that can be given', async () => {
    const { clerk } = stage;
    const { forecast_no } = await knownForecast();
    const event_id = `${clerk.code}/dock@7:a+b-${newPoNumber('E')}`;
    await clerk.report(clerk.weighing({ event_id, forecast_no }));
    expect(await clerk.outcome(event_id)).toMatchObject({ event_id, type: 'weighing', state: 'applied', forecast_no, errors: [] });
    const lost = `${event_id}/2`;
    await clerk.report(clerk.weighing({ event_id: lost, express_no: newPoNumber('LOST') }));
    expect((await clerk.dismiss(lost, 'Returned to the sender')).data).toMatchObject({ id: lost, action: 'dismiss', events: 1 });
    expect(await clerk.outcome(lost)).toMatchObject({ state: 'dismissed', forecast_no: null, reason: 'Returned to the sender' });
    expect((await callRoute(clerk.client, 'getEventOutcome', { path: { event_id: 'none' } })).code).toBe('40403');
  });

  test('of a rejected report has its faults, until the event is accepted', async () => {
    const { clerk } = stage;
    const bad = clerk.weighing({ express_no: newPoNumber('LOST'), weight_kg: -1 });
    expect((await clerk.post(bad)).data.rejected).toHaveLength(1);
    expect(await clerk.outcome(bad['event_id'])).toMatchObject({
      state: 'rejected',
      type: 'weighing',
      code: '42201',
      errors: [{ field: 'weight_kg' }],
    });
    await clerk.report({ ...bad, weight_kg: 1 });
    expect(await clerk.outcome(bad['event_id'])).toMatchObject({ state: 'waiting', code: null, errors: [] });
  });
});

test('the operator resolves for a warehouse, and sees who resolved what', async () => {
  const { clerk } = stage;
  const { forecast_no } = await knownForecast();
  const [mine, theirs] = [clerk.weighing({ express_no: newPoNumber('LOST') }), clerk.weighing({ express_no: newPoNumber('LOST') })];
  await clerk.report(mine, theirs);
  await clerk.dismiss(theirs['event_id'], 'Not ours');
  const env = { DATA_DIR: stage.platform.dataDirectory };
  const of = ['--warehouse', clerk.code];
  const listed = await parcelctlJson<{ parcels: Array<{ id: string }> }>(['unclaimed', 'list', ...of], env);
  expect(listed.parcels.map(({ id }) => id)).toContain(mine['event_id']);
  const claimed = await parcelctlJson(['unclaimed', 'claim', String(mine['event_id']), ...of, '--forecast', forecast_no], env);
  expect(claimed).toMatchObject({ action: 'claim', forecast_no, events: 1, resolved_by: 'admin' });
  const { resolutions } = await parcelctlJson<{ resolutions: Array<Record<string, unknown>> }>(['unclaimed', 'history', ...of], env);
  expect(resolutions.slice(0, 2)).toMatchObject([
    { id: mine['event_id'], warehouse_code: clerk.code, resolved_by: 'admin' },
    { id: theirs['event_id'], action: 'dismiss', reason: 'Not ours', resolved_by: expect.stringMatching(/^key_/) },
  ]);
});

describe('a cancellation that comes late to the intake', () => {
  // Every event leaves its outbox late: what is reported at once is matched with the cancelled forecast.
  const slow = useStage({ FAILPOINT: 'outbox.leased:delay:1000' });

  test('keeps no report with the cancelled forecast: it goes to the forecast that declares the number now, once', async () => {
    const { clerk } = slow;
    const owner = await slow.operator.newMerchant();
    const receiver = await slow.receiver();
    await owner.createEndpoint({ url: receiver.url, event_types: ['parcel.weighed', 'parcel.photographed'] });
    const express_no = newPoNumber('TRK');
    const { photo_id } = await clerk.photo();
    const first = await owner.submit({ trackingNumber: express_no });
    await clerk.untilForecast(first.forecast_no, () => true, 'its acceptance', 30_000);

    expect((await owner.cancel(first.po_number)).code).toBe('0');
    const second = await owner.submit({ trackingNumber: express_no });
    const events = [clerk.weighing({ express_no }), clerk.event({ type: 'photo', express_no, photo_id, image_type: 'package' })];
    expect(await clerk.report(...events)).toMatchObject({ accepted: 2, waiting: 0 });

    await receiver.waitForEvent('parcel.weighed', second.po_number, 30_000);
    await receiver.waitForEvent('parcel.photographed', second.po_number, 30_000);
    expect(receiver.received.map(({ body }) => body.data.po_number)).toEqual([second.po_number, second.po_number]);
    expect(await owner.weighing(second.po_number)).toMatchObject({ status: 3, weight_kg: 1.25, forecast_images: [{}] });
    expect(await owner.weighing(first.po_number)).toMatchObject({ status: 7, weight_kg: null, forecast_images: [] });
    for (const { event_id } of events)
      expect(await clerk.outcome(event_id)).toMatchObject({ state: 'applied', forecast_no: second.forecast_no });
    expect((await clerk.forecast(second.forecast_no)).measurements).toHaveLength(1);
  });
});
