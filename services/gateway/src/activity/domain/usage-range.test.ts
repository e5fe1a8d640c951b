import { describe, expect, test } from '@jest/globals';
import { type CountedDay, usageOf, usageRange } from './usage-range.ts';

const NOW = Date.UTC(2026, 10, 28, 12);

describe('the days of the usage', () => {
  test('are the last 31 unless others are asked for', () => {
    expect(usageRange({}, NOW)).toEqual({ from: '2026-10-29', to: '2026-11-28' });
    expect(usageRange({ to_date: '2026-03-01' }, NOW)).toEqual({ from: '2026-01-30', to: '2026-03-01' });
    expect(usageRange({ from_date: '2026-11-28' }, NOW)).toEqual({ from: '2026-11-28', to: '2026-11-28' });
    expect(usageRange({ from_date: '2026-08-29', to_date: '2026-11-28' }, NOW)).toEqual({ from: '2026-08-29', to: '2026-11-28' });
  });

  test.each([
    ['2026-11-29', '2026-11-28', 'from_date must not be after to_date (2026-11-28)'],
    ['2026-08-28', '2026-11-28', 'from_date must be at most 91 days before to_date (2026-11-28); ask for the days before in further calls'],
  ])('from %s to %s are refused', (from, to, message) => {
    expect(() => usageRange({ from_date: from, to_date: to }, NOW)).toThrow(
      expect.objectContaining({ code: '42201', data: { errors: [{ field: 'from_date', rule: 'range', message }] } }),
    );
  });

  test('have what all services counted, and zeros', () => {
    const counted: CountedDay[] = [
      { day: '2026-02-28', amounts: { calls: 5, failed_calls: 1 } },
      { day: '2026-02-28', amounts: { parcels: 2 } },
      { day: '2026-03-01', amounts: { calls: 1, other: 7 } },
    ];
    const { days, total } = usageOf({ from: '2026-02-27', to: '2026-03-01' }, counted);
    const none = { calls: 0, failed_calls: 0, parcels: 0, events: 0, files: 0, stored_bytes: 0 };
    expect(days).toEqual([
      { date: '2026-02-27', ...none },
      { date: '2026-02-28', ...none, calls: 5, failed_calls: 1, parcels: 2 },
      { date: '2026-03-01', ...none, calls: 1 },
    ]);
    expect(total).toEqual({ ...none, calls: 6, failed_calls: 1, parcels: 2 });
  });
});
