import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { newForecastNo, newId, newToken } from './ids.ts';

describe('newId', () => {
  test('is the prefix and a version 7 UUID without hyphens', () => {
    expect(newId('evt')).toMatch(/^evt_[0-9a-f]{12}7[0-9a-f]{3}[89ab][0-9a-f]{15}$/);
  });

  test('rises in the order of creation, also within a millisecond', () => {
    const ids = Array.from({ length: 2000 }, () => newId('we'));
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });
});

describe('newToken', () => {
  test.each([
    [undefined, 22],
    [16, 22],
    [32, 43],
  ])('of %p bytes has %p base64url characters', (bytes, length) => {
    expect(newToken(bytes)).toMatch(new RegExp(`^[A-Za-z0-9_-]{${length}}$`));
  });

  test('never repeats', () => {
    expect(new Set(Array.from({ length: 1000 }, () => newToken())).size).toBe(1000);
  });
});

describe('newForecastNo', () => {
  test('carries the UTC date and ten characters that cannot be confused', () => {
    expect(newForecastNo(Date.parse('2026-11-21T23:59:59.999Z'))).toMatch(/^FC261121[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(newForecastNo(Date.parse('2026-11-22T07:00:00+08:00'))).toMatch(/^FC261121/);
  });

  test('has the same length and date digits for any day of this century', () => {
    const day = fc.integer({ min: Date.UTC(2001, 0, 1), max: Date.UTC(2099, 11, 31) });
    fc.assert(
      fc.property(day, (now) => {
        const number = newForecastNo(now);
        expect(number).toHaveLength(18);
        expect(`20${number.slice(2, 4)}-${number.slice(4, 6)}-${number.slice(6, 8)}`).toBe(new Date(now).toISOString().slice(0, 10));
      }),
    );
  });
});
