import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { CorrectedForecast } from '@parcelway/contracts/forecast-correction-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { isoInstant } from '@parcelway/kernel/clock';
import { type ApiResponse, ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;
beforeEach(async () => {
  app = await ForecastHarness.open();
});
afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });
const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;
const fieldErrors = (response: ApiResponse) => response.data.errors.map(({ field, rule }) => `${field} ${rule}`);
const corrections = async () =>
  (await app.published()).filter((event): event is DomainEvent<'forecast.corrected'> => event.type === 'forecast.corrected');

async function report(type: 'warehouse.arrived' | 'warehouse.processed', forecastNo: string): Promise<void> {
  const from = { event_id: type, warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
  await app.deliver(type, { ...from, forecast_no: forecastNo });
}

async function dispatch(forecastNo: string): Promise<void> {
  const from = { event_id: 'dispatch', warehouse_code: 'WH1', express_no: null, occurred_at: isoInstant(START) };
  await app.deliver('warehouse.dispatched', { ...from, forecast_no: forecastNo, carrier_code: 'acme', tracking_number: 'T1' });
}

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
      due_date: '2026-12-24',
      warehouse_code: 'WH2',
      carton_count: 2,
      item_count: 1,
      items: [{ ...items[0], tracking_number: 'CD34' }],
      shipping_label: body.shipping_label,
      shipping_note: app.pdf('tnt_a', 'B'.repeat(22)),
      status: 1,
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
      data: {
        version: 2,
        status: 1,
        forecast_id: 1,
        warehouse_code: 'WH2',
        previous_warehouse_code: 'WH1',
        tracking_numbers: ['CD34'],
        due_date: '2026-12-24',
        shipping_label: body.shipping_label,
        carton_count: 2,
        item_count: 1,
        items: [{ ...items[0], tracking_number: 'CD34' }],
        changed: [
          'warehouse_code',
          'shipping_label',
          'due_date',
          'carton_count',
          'items[0].tracking_number',
          'items[0].declared_weight_kg',
          'items[1]',
        ],
        accepted_at: isoInstant(START),
        corrected_at: isoInstant(START + 1000),
      },
    });
  });

  test('that changes nothing makes no version', async () => {
    await app.submit(app.submission({ due_date: '2026-12-24', items: [item({ tracking_number: 'AB12' })] }));
    const before = await read();
    app.clock.advance(1000);
    const response = await app.correct('PO-1', { due_date: '2026-12-24', items: [item({ tracking_number: 'ab-12' })] });
    expect(response).toMatchObject({ code: '0', headers: { etag: '"1"' }, data: { ...before, warnings: [] } });
    expect(await corrections()).toEqual([]);
    expect((await app.correct('PO-1', { carton_count: null })).data.version).toBe(1);
  });

  test('removes due date and number of cartons by null', async () => {
    await app.submit(app.submission({ due_date: '2026-12-24', carton_count: 2 }));
    expect((await app.correct('PO-1', { due_date: null, carton_count: null })).data).toMatchObject({ due_date: null, carton_count: null });
    expect((await corrections())[0]?.data).toMatchObject({ due_date: null, carton_count: null });
  });

  test('warns of ignored fields and of a past due date', async () => {
    await app.submit(app.submission());
    const response = await app.correct('PO-1', { due_date: '2026-11-01', duedate: 'x', items: [item({ weight: 1 })] });
    expect(response.data.warnings.map(({ field }) => field)).toEqual(['duedate', 'due_date', 'items[0].weight']);
    expect(response.data.warnings[0]?.message).toContain('due_date');
  });

  test('names every wrong field at once', async () => {
    await app.submit(app.submission());
    const body = {
      po_number: 'PO-2',
      forecast_type: 1,
      due_date: '2026-02-30',
      warehouse_code: 'NOWHERE',
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
    expect(fieldErrors(await app.correct('PO-1', {}))).toEqual([' min_properties']);
    expect(fieldErrors(await app.correct('PO-1', { items: [] }))).toEqual(['items min_items']);
    for (const body of ['[]', '"x"', 'null', '1']) expect((await app.correct('PO-1', body)).code).toBe('42201');
    expect((await read()).version).toBe(1);
  });

  test('takes files of the tenant alone, and warehouses in use', async () => {
    await app.submit(app.submission());
    const response = await app.correct('PO-1', { shipping_label: app.pdf('tnt_b'), shipping_note: 'https://example.com/a.pdf' });
    expect(response.code).toBe('42203');
    expect(fieldErrors(response)).toEqual(['shipping_label file_url', 'shipping_note file_url']);
    expect(fieldErrors(await app.correct('PO-1', { warehouse_code: 'NOWHERE' }))).toEqual(['warehouse_code unknown_warehouse']);
    // Closed since: what stays as it is does not matter.
    await app.closeWarehouse('WH1');
    expect((await app.correct('PO-1', { warehouse_code: 'WH1' })).code).toBe('0');
  });

  test('of a forecast that the tenant does not have is not found', async () => {
    await app.submit(app.submission());
    expect((await app.correct('PO-2', { due_date: null })).code).toBe('40401');
    expect((await app.correct('PO-1', { due_date: null }, {}, 'tnt_b')).code).toBe('40401');
    expect((await app.correct('PO-1\u0000', { due_date: null })).code).toBe('40401');
    expect((await app.correct('PO-2', { due_date: 1 })).code).toBe('42201');
  });

  test('of numbers that another live forecast has is refused, and leaves its own', async () => {
    await app.submit(app.submission({ po_number: 'PO-1', items: [item({ tracking_number: 'AAAA' })] }));
    await app.submit(app.submission({ po_number: 'PO-2', items: [item({ tracking_number: 'BBBB' })] }));
    const response = await app.correct('PO-1', { items: [item(), item({ tracking_number: 'bb-bb' })] });
    expect(response).toMatchObject({ code: '42202', data: { tracking_numbers: ['BBBB'], fields: ['items[1].tracking_number'] } });
    expect((await read()).version).toBe(1);
    expect((await app.correct('PO-1', { items: [item({ tracking_number: 'CCCC' })] })).code).toBe('0');
    expect((await app.correct('PO-2', { items: [item({ tracking_number: 'AAAA' })] })).code).toBe('0');
    expect((await app.correct('PO-1', { items: [item({ tracking_number: 'AAAA' })] })).code).toBe('42202');
  });

  test('of a type 1 forecast claims nothing', async () => {
    const body = { forecast_type: 1, warehouse_code: 'WH1', items: [item()] };
    await app.submit({ ...body, po_number: 'PO-1' });
    await app.submit({ ...body, po_number: 'PO-2' });
    for (const po of ['PO-1', 'PO-2']) expect((await app.correct(po, { items: [item({ tracking_number: 'AAAA' })] })).code).toBe('0');
  });
});

describe('the status', () => {
  test('decides what can be corrected, and is shown', async () => {
    const { data: accepted } = await app.submit(app.submission());
    await report('warehouse.arrived', accepted.forecast_no);
    const late = await app.correct('PO-1', { due_date: '2026-12-24' });
    expect(late).toMatchObject({ code: '40902', data: { status: 2, status_name: 'ARRIVED' } });
    const label = app.pdf('tnt_a', 'C'.repeat(22));
    expect((await app.correct('PO-1', { shipping_label: label })).data).toMatchObject({ version: 2, shipping_label: label, status: 2 });
    expect((await corrections())[0]?.data).toMatchObject({ status: 2, changed: ['shipping_label'], shipping_label: label });
    await report('warehouse.processed', accepted.forecast_no);
    expect((await app.correct('PO-1', { shipping_note: label })).data.version).toBe(3);
    await dispatch(accepted.forecast_no);
    expect(await app.correct('PO-1', { shipping_note: app.pdf() })).toMatchObject({ code: '40902', data: { status: 5 } });
    // A retry of what was corrected in time.
    expect((await app.correct('PO-1', { shipping_note: label })).data.version).toBe(3);
  });

  test('of a cancelled forecast prevents any correction, until the po_number is used again', async () => {
    await app.submit(app.submission());
    await app.call('POST', '/open/v1/forecasts/PO-1/cancel');
    expect(await app.correct('PO-1', { due_date: '2026-12-24' })).toMatchObject({ code: '40902', data: { status_name: 'CANCELLED' } });
    await app.submit(app.submission());
    expect((await app.correct('PO-1', { due_date: '2026-12-24' })).data.version).toBe(2);
  });
});

describe('a correction sent again', () => {
  const key = { 'idempotency-key': 'k1' };

  test('with its key has the first response, whatever happened since', async () => {
    await app.submit(app.submission());
    const first = await app.correct('PO-1', { due_date: '2026-12-24' }, { ...key, 'if-match': '"1"' });
    await app.correct('PO-1', { due_date: '2026-12-25' });
    const again = await app.correct('PO-1', { due_date: '2026-12-24' }, { ...key, 'if-match': '"1"' });
    expect(again.data).toEqual(first.data);
    expect(again.headers).toMatchObject({ 'idempotent-replayed': 'true', etag: '"2"' });
    expect(await read()).toMatchObject({ version: 3, due_date: '2026-12-25' });
    expect((await app.correct('PO-1', { due_date: '2026-12-26' }, key)).code).toBe('40901');
  });

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

describe('the documents that the platform makes', () => {
  const documents = (version: number, poNumber: string, forecastNo: string) => ({
    forecast_no: forecastNo,
    po_number: poNumber,
    version,
    marketplace_label: `https://localhost:8443/files/label-${version}.pdf`,
    packing_slip: `https://localhost:8443/files/slip-${version}.pdf`,
    generated_at: isoInstant(START),
  });
  const shown = (version: number) => ({
    marketplace_label: `https://localhost:8443/files/label-${version}.pdf`,
    marketplace_label_version: version,
    packing_slip: `https://localhost:8443/files/slip-${version}.pdf`,
  });

  test('are shown with their version, the newest of them, whenever they come', async () => {
    const { data: accepted } = await app.submit(app.submission());
    expect(await read()).toMatchObject({ marketplace_label: null, marketplace_label_version: null, packing_slip: null });
    app.clock.advance(1000);
    const deliver = (version: number) => app.deliver('documents.generated', documents(version, 'PO-1', accepted.forecast_no));
    await deliver(1);
    const { update_time } = await read();
    expect(update_time).toBe(isoInstant(START));
    await app.correct('PO-1', { due_date: '2026-12-24' });
    // Not made yet: those of the version before are still shown, as such.
    expect(await read()).toMatchObject({ version: 2, ...shown(1) });
    await deliver(2);
    expect(await read()).toMatchObject({ version: 2, ...shown(2) });
    await deliver(1);
    await deliver(2);
    expect(await read()).toMatchObject(shown(2));
    await report('warehouse.arrived', accepted.forecast_no);
    expect(await read()).toMatchObject({ status: 2, ...shown(2) });
  });

  test('of an unknown forecast are ignored: nothing comes again, and nothing changes', async () => {
    await app.submit(app.submission());
    await app.deliver('documents.generated', documents(1, 'PO-1', 'FC000000XXXXXXXXXX'));
    expect(await read()).toMatchObject({ marketplace_label: null, marketplace_label_version: null, packing_slip: null });
  });
});
