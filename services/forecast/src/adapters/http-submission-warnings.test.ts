import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ForecastHarness } from '../testing/forecast-harness.ts';

let app: ForecastHarness;

beforeEach(async () => {
  app = await ForecastHarness.open();
});

afterEach(() => app.close());

const item = (over: object = {}) => ({ sku_code: 'SKU-1', product_name_en: 'Lamp', forecast_quantity: 3, ...over });

describe('an accepted submission', () => {
  test('warns of ignored fields and of a past due date, and stores none of it', async () => {
    const response = await app.submit(
      app.submission({
        due_date: '2026-11-01',
        marketplace_label: 'x',
        colour: 'red',
        items: [item(), item({ marketplace_label: 1, weight: 2 })],
      }),
    );
    expect(response.data.warnings.map(({ field }: { field: string }) => field)).toEqual([
      'marketplace_label',
      'colour',
      'due_date',
      'items[1].marketplace_label',
      'items[1].weight',
    ]);
    const detail = await app.call('GET', '/open/v1/forecasts/PO-1');
    expect(detail.data.marketplace_label).toBeNull();
    expect(JSON.stringify(detail.data.items)).not.toMatch(/marketplace_label|weight"/);
    expect(detail.data).not.toHaveProperty('colour');
  });

  test('lists at most 100 warnings', async () => {
    const response = await app.submit(app.submission({ items: Array.from({ length: 150 }, () => item({ extra: 1 })) }));
    expect(response.data.warnings).toHaveLength(100);
  });
});
