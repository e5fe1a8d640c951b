import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { CorrectedForecast } from '@parcelway/contracts/forecast-correction-api';
import { compileValidator } from '@parcelway/contracts/validator';
import { isoInstant } from '@parcelway/kernel/clock';
import { ForecastHarness, START } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });
const read = async (poNumber = 'PO-1') => (await app.call('GET', `/open/v1/forecasts/${poNumber}`)).data;

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
});
