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

  test('warns of a wrong check digit, keeps the number, and warns again of the same submission and of a correction', async () => {
    const items = [item({ tracking_number: '1Z 999AA1 0123456785' })];
    const expected = [{ field: 'items[0].tracking_number', message: expect.stringMatching(/format UPS 1Z, but its check digit/) }];
    const first = await app.submit(app.submission({ items }));
    expect([first.code, first.data.status, first.data.warnings]).toEqual(['0', 'ACCEPTED', expected]);
    const again = await app.submit(app.submission({ items }));
    expect([again.data.forecast_no, again.data.warnings]).toEqual([first.data.forecast_no, expected]);
    const stored = (await app.call('GET', '/open/v1/forecasts/PO-1')).data;
    expect(stored.items).toMatchObject([{ tracking_number: '1Z999AA10123456785' }]);
    const corrected = await app.correct('PO-1', { items: [item({ tracking_number: 'RB123456786GB' })] });
    expect([corrected.code, corrected.data.version]).toEqual(['0', 2]);
    expect(corrected.data.warnings).toMatchObject([{ field: 'items[0].tracking_number', message: expect.stringMatching(/UPU S10/) }]);
    expect((await app.correct('PO-1', { carton_count: 2 })).data.warnings).toEqual([]);
  });

  test('lists at most 100 warnings', async () => {
    const response = await app.submit(app.submission({ items: Array.from({ length: 150 }, () => item({ extra: 1 })) }));
    expect(response.data.warnings).toHaveLength(100);
  });
});
