import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { useStageWithMerchant } from '../use-stage.ts';

/* Exceptions, holds and counts, from the warehouse's report to what the merchant reads. */

const VOLUME_DIVISOR = 6000;

const { stage, merchant } = useStageWithMerchant({ VOLUME_DIVISOR: String(VOLUME_DIVISOR) });

const at = (minute: number): string => `2026-03-01T08:${String(minute).padStart(2, '0')}:00+08:00`;

describe('an exception', () => {
  test('reaches the merchant with its reason, words and photos, which open without a key; the status stays', async () => {
    const { po_number, forecast_no } = await merchant.submit();
    const { clerk } = stage;
    const photo = await clerk.photo('crushed');
    const report = clerk.exception({ forecast_no, text: 'Crushed 角落', photo_ids: [photo.photo_id], occurred_at: at(1) });
    await clerk.report(report);
    expect(await clerk.report(report)).toMatchObject({ accepted: 0, duplicates: 1 });
    const { status, exceptions } = await merchant.untilWeighing(po_number, (data) => data.exceptions.length > 0);
    expect(status).toBe(1);
    expect(exceptions).toEqual([
      {
        reason: 'damaged',
        text: 'Crushed 角落',
        occurred_at: at(1),
        photos: [expect.objectContaining({ image_url: photo.image_url, file_size: photo.size_byte })],
      },
    ]);
    const opened = await merchant.client.fetchBytes(String(exceptions[0]?.photos[0]?.image_url));
    expect(opened.headers).toMatchObject({ 'content-type': 'image/png' });
    expect((await merchant.forecast(po_number)).exceptions).toEqual(exceptions);
  });

  test('that waits for its forecast is applied when the forecast comes', async () => {
    const express_no = newPoNumber('EXC');
    const { clerk } = stage;
    const found = clerk.exception({ express_no, reason: 'unreadable_label', occurred_at: at(1) });
    const held = clerk.event({ type: 'hold', express_no, reason: 'Which parcel is it?', occurred_at: at(2) });
    expect(await clerk.report(held, found)).toMatchObject({ accepted: 2, waiting: 2 });
    const { po_number } = await merchant.submit({ trackingNumber: express_no });
    const data = await merchant.untilWeighing(po_number, (data) => data.exceptions.length > 0 && data.on_hold);
    expect(data).toMatchObject({ status: 1, exceptions: [{ reason: 'unreadable_label', text: null, photos: [] }] });
    expect(data.holds).toEqual([{ reason: 'Which parcel is it?', held_at: at(2), released_at: null }]);
  });
});

describe('holds and releases', () => {
  test('make the same holds in whichever order they are reported, and keep nobody from dispatching', async () => {
    const { clerk } = stage;
    const facts = (forecast_no: string) => [
      clerk.event({ type: 'release', forecast_no, occurred_at: at(1) }),
      clerk.event({ type: 'hold', forecast_no, occurred_at: at(2), reason: 'customs' }),
      clerk.event({ type: 'release', forecast_no, occurred_at: at(3) }),
      clerk.event({ type: 'hold', forecast_no, occurred_at: at(4) }),
    ];
    const holds = [
      { reason: null, held_at: at(4), released_at: null },
      { reason: 'customs', held_at: at(2), released_at: at(3) },
    ];
    for (const order of [
      [0, 1, 2, 3],
      [3, 2, 1, 0],
      [2, 0, 3, 1],
    ]) {
      const { po_number, forecast_no } = await merchant.submit();
      const all = facts(forecast_no);
      for (const index of order) await clerk.report(all[index] as Record<string, unknown>);
      const data = await merchant.untilWeighing(po_number, (data) => data.holds.length === 2 && data.holds[1]?.released_at !== null);
      expect(data).toMatchObject({ status: 1, on_hold: true, holds });
      const dispatch = clerk.event({ type: 'dispatch', forecast_no, carrier_code: 'dhl', tracking_number: newPoNumber('TRK') });
      expect((await clerk.report(dispatch)).warnings).toMatchObject([{ rule: 'on_hold' }]);
      expect(await merchant.untilStatus(po_number, 5)).toMatchObject({ on_hold: true, holds });
    }
  });
});

describe('what was received and measured', () => {
  test('is compared with what was forecast and declared', async () => {
    const body = await merchant.body({ forecastType: 1 });
    const piece = { declared_weight_kg: 0.4, declared_length_cm: 10, declared_width_cm: 10, declared_height_cm: 10 };
    const items = [
      { sku_code: 'LAMP', product_name_en: 'Lamp', forecast_quantity: 2, ...piece },
      { sku_code: 'SHADE', product_name_en: 'Shade', forecast_quantity: 1, ...piece },
    ];
    const accepted = await merchant.submitBody({ ...body, items });
    expect(accepted.code).toBe('0');
    const { po_number, forecast_no } = accepted.data;
    const { clerk } = stage;
    const photo = await clerk.photo();
    const weighing = clerk.weighing({ forecast_no, express_no: 'SF-1234', photo_ids: [photo.photo_id] });
    await clerk.report(
      clerk.event({ type: 'arrival', forecast_no, occurred_at: at(1), received_items: [{ sku_code: 'LAMP', quantity: 2 }] }),
      weighing,
    );
    const counted = [
      { sku_code: 'SHADE', quantity: 1 },
      { sku_code: 'LAMP', quantity: 1 },
      { sku_code: 'MUG', quantity: 4 },
    ];
    await clerk.report(clerk.event({ type: 'put_away', forecast_no, occurred_at: at(2), received_items: counted }));
    const { measurements, ...found } = await merchant.untilStatus(po_number, 6);
    expect(found).toMatchObject({
      received_items: [
        { sku_code: 'LAMP', forecast_quantity: 2, received_quantity: 1, difference: -1 },
        { sku_code: 'SHADE', forecast_quantity: 1, received_quantity: 1, difference: 0 },
        { sku_code: 'MUG', forecast_quantity: 0, received_quantity: 4, difference: 4 },
      ],
      declared: { weight_kg: 1.2, volume_cm3: 3000 },
      measured: { weight_kg: 1.25, volume_cm3: 6000 },
      difference: { weight_kg: 0.05, volume_cm3: 3000 },
      volumetric_weight_kg: 1,
      chargeable_weight_kg: 1.25,
      volume_divisor: VOLUME_DIVISOR,
    });
    expect(measurements).toMatchObject([
      {
        weight_kg: 1.25,
        photos: [{ image_url: photo.image_url }],
        reported_by: { warehouse_code: clerk.code, event_id: weighing['event_id'], express_no: 'SF-1234' },
      },
    ]);
  });
});

describe('what is wrong with a report', () => {
  test('is said by position, event_id and field; the others are taken', async () => {
    const { forecast_no } = await merchant.submit();
    const { clerk } = stage;
    const events = [
      clerk.exception({ forecast_no, reason: 'wet' }),
      clerk.event({ type: 'hold', forecast_no, reason: 'x'.repeat(501) }),
      clerk.event({ type: 'arrival', forecast_no, received_items: [{ sku_code: 'A', quantity: -1 }] }),
      clerk.exception({ forecast_no, photo_ids: ['nobody'] }),
      clerk.event({ type: 'release', forecast_no, reason: 'ignored' }),
    ];
    const { data } = await clerk.post({ events });
    expect(data.accepted).toBe(1);
    expect(data.rejected.map(({ index, event_id, code, errors }) => [index, event_id, code, errors[0]?.field])).toEqual([
      [0, events[0]?.['event_id'], '42201', 'reason'],
      [1, events[1]?.['event_id'], '42201', 'reason'],
      [2, events[2]?.['event_id'], '42201', 'received_items[0].quantity'],
      [3, events[3]?.['event_id'], '40403', 'photo_ids[0]'],
    ]);
    // Its forecast may be so new that the intake does not know it yet.
    const warnings = data.warnings.filter(({ rule }) => rule !== 'no_forecast');
    expect(warnings).toMatchObject([{ index: 4, event_id: events[4]?.['event_id'], field: 'reason', rule: 'unknown_field' }]);
  });
});

describe('the sandbox', () => {
  test('plays exception, hold, release and counts', async () => {
    const { po_number } = await merchant.submit();
    const sku_code = (await merchant.forecast(po_number)).items[0]?.sku_code as string;
    await merchant.simulate({ po_number, step: 'arrive', received_items: [{ sku_code, quantity: 1 }] });
    await merchant.simulate({ po_number, step: 'exception', exception_reason: 'missing_items', exception_text: 'One is missing' });
    await merchant.simulate({ po_number, step: 'hold', hold_reason: 'Recount' });
    const held = await merchant.untilForecast(po_number, ({ on_hold }) => on_hold, 'a hold');
    expect(held).toMatchObject({
      status: 2,
      received_items: [{ sku_code, received_quantity: 1 }],
      exceptions: [{ reason: 'missing_items', text: 'One is missing', photos: [{ image_url: expect.stringContaining('/photos/') }] }],
      holds: [{ reason: 'Recount', released_at: null }],
    });
    await merchant.simulate({ po_number, step: 'release' });
    const { holds } = await merchant.untilForecast(po_number, ({ on_hold }) => !on_hold, 'no hold');
    expect(holds).toMatchObject([{ reason: 'Recount', released_at: expect.any(String) }]);
  });
});
