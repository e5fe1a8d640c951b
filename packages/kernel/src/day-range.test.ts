import { describe, expect, test } from '@jest/globals';
import { dayRange, daysIn } from './day-range.ts';

const NOW = Date.UTC(2026, 10, 28, 12);

describe('the days of a query', () => {
  test('are the last 31 unless others are asked for', () => {
    expect(dayRange({}, NOW, 92)).toEqual({ from: '2026-10-29', to: '2026-11-28' });
    expect(dayRange({ to_date: '2026-03-01' }, NOW, 92)).toEqual({ from: '2026-01-30', to: '2026-03-01' });
    expect(dayRange({ from_date: '2026-11-28' }, NOW, 92)).toEqual({ from: '2026-11-28', to: '2026-11-28' });
    expect(dayRange({ from_date: '2026-08-29', to_date: '2026-11-28' }, NOW, 92)).toEqual({ from: '2026-08-29', to: '2026-11-28' });
  });

  test.each([
    ['2026-11-29', '2026-11-28', 'from_date must not be after to_date (2026-11-28)'],
    ['2026-08-28', '2026-11-28', 'from_date must be at most 91 days before to_date (2026-11-28); ask for the days before in further calls'],
  ])('from %s to %s are refused', (from, to, message) => {
    expect(() => dayRange({ from_date: from, to_date: to }, NOW, 92)).toThrow(
      expect.objectContaining({ code: '42201', data: { errors: [{ field: 'from_date', rule: 'range', message }] } }),
    );
  });

  test('include both ends', () => {
    expect(daysIn({ from: '2026-02-27', to: '2026-03-01' })).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
  });
});
