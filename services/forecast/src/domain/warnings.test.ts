import { describe, expect, test } from '@jest/globals';
import type { ForecastSubmission } from '@parcelway/contracts/forecast-api';
import { isPast, warningsOf } from './warnings.ts';

describe('isPast', () => {
  // The 20th ends last at UTC-12, when it is noon of the 21st in UTC.
  test.each([
    ['2026-11-20', Date.UTC(2026, 10, 21, 11, 59, 59, 999), false],
    ['2026-11-20', Date.UTC(2026, 10, 21, 12), true],
    ['2026-11-21', Date.UTC(2026, 10, 21, 12), false],
    ['2026-12-31', Date.UTC(2027, 0, 1, 12), true],
    ['2027-01-01', Date.UTC(2026, 10, 21, 12), false],
  ])('%s at %d → %p', (date, now, expected) => {
    expect(isPast(date, now)).toBe(expected);
  });
});

test('an ignored name is shown cut, so that a warning stays short', () => {
  const submission = {
    po_number: 'P',
    warehouse_code: 'W',
    items: [{ sku_code: 'S', product_name_en: 'L', forecast_quantity: 1 }],
    ['x'.repeat(1_000_000)]: 1,
  } as ForecastSubmission;
  const [warning] = warningsOf(submission, 0);
  expect(warning?.field).toBe('x'.repeat(100));
  expect(warning?.message.length).toBeLessThan(200);
});
