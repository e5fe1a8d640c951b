import { describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { CorrectedForecast } from '@parcelway/contracts/forecast-correction-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { isoInstant } from '@parcelway/kernel/clock';
import { type ApiResponse, app, START, useHarness } from '../../testing/forecast-harness.ts';

useHarness();

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

const corrections = async () =>
  (await app.published()).filter((event): event is DomainEvent<'forecast.corrected'> => event.type === 'forecast.corrected');

describe('a correction', () => {
  test('makes a new version, shows it, and reports what changed', async () => {
    const { data: accepted } = await app.submit(app.submission({ items: [item({ tracking_number: 'ab 12' }), item()] }));
    app.clock.advance(1000);
    const items = [item({ tracking_number: 'CD-34', declared_weight_kg: 0.5 })];
    const body = {
      due_date: '2026-12-24',
      warehouse_code: 'WH2',
      carton_count: 2,
      items,
      shipping_label: app.pdf('tnt_a', 'C'.repeat(22)),
    };
    const response = await app.correct('PO-1', body);
    expect(response).toMatchObject({ status: 200, code: '0', headers: { etag: '"2"' } });
    expect(response.headers).not.toHaveProperty('idempotent-replayed');
    expect(compileValidator(CorrectedForecast).errors(response.data)).toEqual([]);
    const { warnings, ...detail } = response.data;
    expect(warnings).toEqual([]);
    expect(detail).toMatchObject({
      forecast_no: accepted.forecast_no,
      version: 2,
      items: [{ ...items[0], tracking_number: 'CD34' }],
      shipping_label: body.shipping_label,
      create_time: isoInstant(START),
      update_time: isoInstant(START + 1000),
      corrections: [
        {
          version: 2,
          time: isoInstant(START + 1000),
          key_id: 'key_test',
          has_more_changes: false,
          changes: [
            { field: 'warehouse_code', from: 'WH1', to: 'WH2' },
            { field: 'shipping_label', from: app.pdf(), to: body.shipping_label },
            { field: 'due_date', from: null, to: '2026-12-24' },
            { field: 'carton_count', from: null, to: '2' },
            { field: 'items[0].tracking_number', from: 'AB12', to: 'CD34' },
            { field: 'items[0].declared_weight_kg', from: null, to: '0.5' },
            { field: 'items[1]', from: 'SKU-1', to: null },
          ],
        },
      ],
    });
    const again = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(again).toMatchObject({ data: detail, headers: { etag: '"2"' } });
    const list = await app.call('GET', '/open/v1/forecasts');
    expect(list.data.forecasts[0]).toMatchObject({ version: 2, warehouse_code: 'WH2', due_date: '2026-12-24', item_count: 1 });
    const published = await corrections();
    expect(published).toHaveLength(1);
    expect(published[0]).toMatchObject({
      subject: accepted.forecast_no,
      tenantid: 'tnt_a',
      data: { version: 2, warehouse_code: 'WH2', previous_warehouse_code: 'WH1', items: [{ ...items[0], tracking_number: 'CD34' }] },
    });
  });
});

const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;

const fieldErrors = (response: ApiResponse) => response.data.errors.map(({ field, rule }) => `${field} ${rule}`);

describe('a correction', () => {
  test('names every wrong field at once', async () => {
    await app.submit(app.submission());
    const body = {
      po_number: 'PO-2',
      forecast_type: 1,
      due_date: '2026-02-30',
      warehouse_code: 'NONE',
      shipping_label: null,
      carton_count: 0,
      items: [item({ forecast_quantity: '3' })],
    };
    const response = await app.correct('PO-1', body, { 'if-match': '1' });
    expect(response.code).toBe('42201');
    expect(fieldErrors(response).sort()).toEqual([
      'If-Match entity_tag',
      'carton_count minimum',
      'due_date format',
      'forecast_type not_correctable',
      'items[0].forecast_quantity type',
      'po_number not_correctable',
      'shipping_label type',
      'warehouse_code unknown_warehouse',
    ]);
    for (const body of ['[]', '"x"', 'null', '1']) expect((await app.correct('PO-1', body)).code).toBe('42201');
    expect((await read()).version).toBe(1);
  });

  test('takes files of the tenant alone, and warehouses in use', async () => {
    await app.submit(app.submission());
    const response = await app.correct('PO-1', { shipping_label: app.pdf('tnt_b'), shipping_note: 'https://example.com/a.pdf' });
    expect(response.code).toBe('42203');
    expect(fieldErrors(response)).toEqual(['shipping_label file_url', 'shipping_note file_url']);
    expect(fieldErrors(await app.correct('PO-1', { warehouse_code: 'NONE' }))).toEqual(['warehouse_code unknown_warehouse']);
    // Closed since: what stays as it is does not matter.
    await app.closeWarehouse('WH1');
    expect((await app.correct('PO-1', { warehouse_code: 'WH1' })).code).toBe('0');
  });
});

describe('a correction sent again', () => {
  const key = { 'idempotency-key': 'k1' };

  test('with its key is known again, though its response was too large to be kept', async () => {
    await app.submit(app.submission());
    const items = Array.from({ length: 500 }, () => item({ product_name_cn: '灯'.repeat(100) }));
    const first = await app.correct('PO-1', { items }, { ...key, 'if-match': '"1"' });
    expect(first.data.version).toBe(2);
    await app.correct('PO-1', { items: [item()] });
    const again = await app.correct('PO-1', { items }, { ...key, 'if-match': '"1"' });
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: '"3"' });
    expect(again.data).toMatchObject({ version: 3, item_count: 1 });
    expect(await corrections()).toHaveLength(2);
  });
});

describe('a cancellation', () => {
  const cancel = (po: string, tenant = 'tnt_a') => app.call('POST', `/open/v1/forecasts/${encodeURIComponent(po)}/cancel`, { tenant });

  test('frees the po_number and is announced', async () => {
    const { data: accepted } = await app.submit(app.submission());
    app.clock.advance(1000);
    expect(await cancel('PO-1')).toMatchObject({
      status: 200,
      code: '0',
      data: { forecast_no: accepted.forecast_no, po_number: 'PO-1', status: 'CANCELLED', cancel_time: '2026-11-21T12:00:01.000+00:00' },
    });
    expect((await read()).history).toMatchObject([{ status: 1 }, { status: 7, reason: 'cancelled', key_id: 'key_test' }]);
    app.clock.advance(1000);
    expect((await cancel('PO-1')).data).toMatchObject({ cancel_time: '2026-11-21T12:00:01.000+00:00' });
    const again = await app.submit(app.submission());
    expect(again.headers).not.toHaveProperty('idempotent-replayed');
    expect(again.data.forecast_no).not.toBe(accepted.forecast_no);
    const published = await app.published();
    expect(published.map(({ type }) => type)).toEqual(['forecast.accepted', 'forecast.cancelled', 'forecast.accepted']);
    expect(published[1]?.data).toEqual({
      forecast_no: accepted.forecast_no,
      po_number: 'PO-1',
      cancelled_at: '2026-11-21T12:00:01.000+00:00',
    });
  });

  test('is refused for what is under way, foreign or unknown', async () => {
    const { data } = await app.submit(app.submission());
    expect((await cancel('PO-1', 'tnt_b')).code).toBe('40401');
    expect((await cancel('PO-9')).code).toBe('40401');
    const from = { warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
    await app.deliver('warehouse.arrived', { ...from, event_id: 'e1', forecast_no: data.forecast_no });
    expect(await cancel('PO-1')).toMatchObject({
      code: '40902',
      message: 'The forecast is ARRIVED and can no longer be cancelled',
      data: { status: 2, status_name: 'ARRIVED' },
    });
  });
});
