import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('an accepted submission', () => {
  test('is published with its content', async () => {
    const items = [
      item({
        tracking_number: 'ab 12-34',
        declared_weight_kg: 0.25,
        declared_length_cm: 10,
        declared_width_cm: 5.5,
        declared_height_cm: 1,
      }),
    ];
    const body = app.submission({ due_date: '2026-12-24', carton_count: 3, items });
    await app.submit(body);
    const [event] = await app.published();
    expect(event?.data).toMatchObject({
      version: 1,
      due_date: '2026-12-24',
      shipping_label: body['shipping_label'],
      shipping_note: body['shipping_note'],
      carton_count: 3,
      item_count: 1,
      items: [{ ...items[0], tracking_number: 'AB1234' }],
    });
  });

  test('refuses declared sizes and cartons that cannot be', async () => {
    const items = [
      item({ declared_weight_kg: 0 }),
      item({ declared_weight_kg: 100000.1, declared_length_cm: 10001, declared_width_cm: '1' }),
    ];
    const response = await app.submit(app.submission({ carton_count: 0, items }));
    expect(response.code).toBe('42201');
    expect(response.data.errors.map(({ field, rule }) => `${field} ${rule}`)).toEqual([
      'carton_count minimum',
      'items[0].declared_weight_kg minimum',
      'items[1].declared_weight_kg maximum',
      'items[1].declared_length_cm maximum',
      'items[1].declared_width_cm type',
    ]);
    expect((await app.submit(app.submission({ carton_count: 10001 }))).code).toBe('42201');
  });
});
