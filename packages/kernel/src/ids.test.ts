import { describe, expect, test } from '@jest/globals';
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
});

describe('newForecastNo', () => {
  test('carries the UTC date and ten characters that cannot be confused', () => {
    expect(newForecastNo(Date.parse('2026-11-21T23:59:59.999Z'))).toMatch(/^FC261121[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(newForecastNo(Date.parse('2026-11-22T07:00:00+08:00'))).toMatch(/^FC261121/);
  });
});
