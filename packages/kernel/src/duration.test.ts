import { describe, expect, test } from '@jest/globals';
import { isoInstant } from './clock.ts';
import { dayRange, daysIn } from './day-range.ts';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  test.each([
    ['0s', 0],
    ['500ms', 500],
    ['5s', 5000],
    ['1.5s', 1500],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['90d', 7_776_000_000],
    [' 5s ', 5000],
  ])('reads %p as %p milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '5', 's', '-5s', '5 s', '5S', '5w', '5s6m', '1e3s', '.5s', '5.s', 'Infinitys'])('refuses %p', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('isoInstant', () => {
  test('writes UTC with the offset spelled out', () => {
    expect(isoInstant(Date.parse('2026-01-31T08:00:00+08:00'))).toBe('2026-01-31T00:00:00.000+00:00');
  });
});

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
