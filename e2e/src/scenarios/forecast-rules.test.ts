import { describe, expect, test } from '@jest/globals';
import { newPoNumber } from '@parcelway/harness/merchant';
import { useSharedStageWithMerchant } from '../use-stage.ts';

const { stage, merchant } = useSharedStageWithMerchant();

type Body = Record<string, unknown> & { items: Array<Record<string, unknown>> };

describe('the same po_number again', () => {
  test('with the same content yields the original result', async () => {
    const body = (await merchant.body({ trackingNumber: `ab-${newPoNumber()}` })) as Body;
    const first = await merchant.submitBody(body);
    expect(first.headers['idempotent-replayed']).toBeUndefined();
    const { forecast_type, ...withDefault } = body;
    expect(forecast_type).toBe(2);
    const item = body.items[0] as Record<string, unknown>;
    const sameInOtherWords = {
      ...withDefault,
      items: [{ ...item, tracking_number: String(item.tracking_number).toUpperCase().replaceAll('-', ' '), hs_code: '6109100000' }],
    };
    for (const again of [body, sameInOtherWords]) {
      const response = await merchant.submitBody(again);
      expect(response).toMatchObject({ code: '0', data: first.data });
      expect(response.headers['idempotent-replayed']).toBe('true');
    }
  });

  test('with other content changes nothing and names what differs', async () => {
    const poNumber = newPoNumber();
    const first = await merchant.submit({ poNumber, forecastType: 1 });
    const before = await merchant.forecast(poNumber);
    const body = (await merchant.body({ poNumber, forecastType: 1 })) as Body;
    (body.items[0] as Record<string, unknown>).forecast_quantity = 77;
    body.due_date = '2027-05-05';
    const response = await merchant.submitBody(body);
    expect(response).toMatchObject({ status: 409, code: '40901', data: { forecast_no: first.forecast_no } });
    expect(new Set((response.data as unknown as { fields: string[] }).fields)).toEqual(new Set(['due_date', 'items[0].forecast_quantity']));
    expect(await merchant.forecast(poNumber)).toEqual(before);
  });

  test('is a new forecast once the old one is cancelled', async () => {
    const poNumber = newPoNumber();
    const trackingNumber = `T${poNumber}`;
    const first = await merchant.submit({ poNumber, trackingNumber });
    expect((await merchant.cancel(poNumber)).data).toMatchObject({ forecast_no: first.forecast_no, status: 'CANCELLED' });
    expect(await merchant.forecast(poNumber)).toMatchObject({ status: 7, status_name: 'CANCELLED' });
    const second = await merchant.submit({ poNumber, trackingNumber, items: 2 });
    expect(second.forecast_no).not.toBe(first.forecast_no);
    expect(await merchant.forecast(poNumber)).toMatchObject({ forecast_no: second.forecast_no, status: 1, item_count: 2 });
  });
});

describe('cancellation', () => {
  test('is refused once the parcel has arrived; a repeat gets the result of the first one', async () => {
    const poNumber = newPoNumber();
    await merchant.submit({ poNumber, forecastType: 1 });
    await merchant.simulate({ po_number: poNumber, step: 'arrive' });
    await merchant.untilStatus(poNumber, 2);
    expect(await merchant.cancel(poNumber)).toMatchObject({ status: 409, code: '40902' });
    expect((await merchant.forecast(poNumber)).status).toBe(2);
    const other = newPoNumber();
    await merchant.submit({ poNumber: other, forecastType: 1 });
    const first = await merchant.cancel(other);
    expect(first).toMatchObject({ code: '0' });
    expect(await merchant.cancel(other)).toMatchObject({ code: '0', data: first.data, headers: { 'idempotent-replayed': 'true' } });
    expect((await merchant.cancel('nothing')).code).toBe('40401');
  });

  test('an event that comes after it does not bring the forecast back', async () => {
    const poNumber = newPoNumber();
    const { forecast_no } = await merchant.submit({ poNumber, forecastType: 1 });
    await merchant.cancel(poNumber);
    await stage.clerk.report(stage.clerk.weighing({ forecast_no, weight_kg: 9 }));
    await merchant.untilWeighing(poNumber, (data) => data.weight_kg === 9);
    expect((await merchant.forecast(poNumber)).status).toBe(7);
  });
});

describe('logistics numbers', () => {
  test('one number: several items of one forecast, but not two live forecasts', async () => {
    const number = newPoNumber('TRK');
    const first = await merchant.submit({ items: 3, trackingNumber: number });
    const spelled = number.toLowerCase().replaceAll('-', ' ');
    const second = await merchant.submitBody(await merchant.body({ trackingNumber: spelled }));
    expect(second).toMatchObject({ status: 422, code: '42202' });
    expect(JSON.stringify(second.data)).not.toContain(first.forecast_no);
    // Type 1 is not checked, and another tenant may have the same number: nobody can probe another's numbers.
    await merchant.submit({ forecastType: 1, trackingNumber: number });
    await (await stage.operator.newMerchant()).submit({ trackingNumber: number });
    await merchant.cancel(first.po_number);
    await merchant.submit({ trackingNumber: number });
  });
});

describe('files', () => {
  test('only URLs that the upload endpoint returned to this tenant are taken', async () => {
    const own = await merchant.files();
    const foreign = await (await stage.operator.newMerchant()).files();
    const altered = own.label.replace(/.\.pdf$/, (end) => (end[0] === 'A' ? 'B.pdf' : 'A.pdf'));
    for (const url of ['https://example.com/label.pdf', foreign.label, altered, `${own.label}?x=1`, `${own.label}#x`]) {
      const response = await merchant.submitBody({ ...(await merchant.body()), shipping_label: url });
      expect([url, response.code, response.status]).toEqual([url, '42203', 422]);
    }
    const note = await merchant.submitBody({ ...(await merchant.body()), shipping_note: foreign.note });
    expect(note.code).toBe('42203');
  });
});

describe('the order of checks', () => {
  test('fields before files before numbers before the po_number', async () => {
    const trackingNumber = newPoNumber('TRK');
    const first = await merchant.submit({ trackingNumber });
    const wrongAll = {
      ...(await merchant.body({ poNumber: first.po_number, items: 2 })),
      shipping_label: 'https://example.com/x.pdf',
      due_date: 'soon',
    };
    const other = await merchant.submit({ trackingNumber: `${trackingNumber}X` });
    const withTakenNumber = { ...wrongAll, items: [{ ...item(), tracking_number: `${trackingNumber}X` }] };
    expect((await merchant.submitBody(withTakenNumber)).code).toBe('42201');
    const { due_date, ...fieldsRight } = withTakenNumber;
    expect(due_date).toBe('soon');
    expect((await merchant.submitBody(fieldsRight)).code).toBe('42203');
    const filesRight = { ...fieldsRight, shipping_label: (await merchant.files()).label };
    expect((await merchant.submitBody(filesRight)).code).toBe('42202');
    await merchant.cancel(other.po_number);
    expect((await merchant.submitBody(filesRight)).code).toBe('40901');
  });
});

function item(): Record<string, unknown> {
  return { sku_code: 'S', product_name_en: 'P', forecast_quantity: 1 };
}
