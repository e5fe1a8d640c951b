import { describe, expect, test } from '@jest/globals';
import { consumerActionOf, errorCatalogue, errorCodes, httpStatusOf, isErrorCode } from './error-codes.ts';

/** Every code of the public API with its HTTP status, written out: a change here is a change of the contract. */
const published: Readonly<Record<string, number>> = {
  40001: 400,
  40002: 400,
  40003: 401,
  40101: 401,
  40301: 403,
  40302: 403,
  40401: 404,
  40402: 404,
  40403: 404,
  40501: 405,
  40901: 409,
  40902: 409,
  41201: 412,
  41301: 413,
  41501: 415,
  42201: 422,
  42202: 422,
  42203: 422,
  42204: 422,
  42205: 422,
  42206: 422,
  42207: 503,
  42901: 429,
  50000: 500,
  50001: 503,
  50301: 503,
};

describe('error catalogue', () => {
  test('is exactly the published list, each code with its status', () => {
    expect(Object.fromEntries(errorCodes.map((code) => [code, httpStatusOf(code)]))).toEqual(published);
  });

  test('takes the status from the first three digits, but for three codes', () => {
    const exceptions = errorCodes.filter((code) => httpStatusOf(code) !== Number(code.slice(0, 3)));
    expect(exceptions).toEqual(['40003', '42207', '50001']);
  });

  test('is listed in ascending order', () => {
    expect(errorCodes).toEqual([...errorCodes].sort());
  });

  test('has one sentence for each code, and no two alike', () => {
    const messages = errorCodes.map((code) => errorCatalogue[code].message);
    for (const message of messages) expect(message).toMatch(/^[A-Z].*[^.]$/);
    expect(new Set(messages).size).toBe(messages.length);
  });
});

describe('isErrorCode', () => {
  test.each(['0', '42208', '', 'toString', '__proto__', 42201, null, undefined])('refuses %p', (value) => {
    expect(isErrorCode(value)).toBe(false);
  });

  test('accepts every code of the catalogue', () => {
    expect(errorCodes.filter((code) => !isErrorCode(code))).toEqual([]);
  });
});

describe('consumerActionOf', () => {
  test('is total over the catalogue', () => {
    expect(Object.keys(consumerActionOf).sort()).toEqual(errorCodes);
  });

  test('retries what is temporary, retries a defect a few times, and does not retry anything else', () => {
    const byAction = (action: string) => errorCodes.filter((code) => consumerActionOf[code] === action);
    expect(byAction('retry')).toEqual(['42207', '42901', '50001', '50301']);
    expect(byAction('retry-then-dead-letter')).toEqual(['50000']);
    expect(byAction('dead-letter')).toHaveLength(errorCodes.length - 5);
  });
});
