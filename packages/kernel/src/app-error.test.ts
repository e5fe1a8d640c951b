import { describe, expect, test } from '@jest/globals';
import { AppError, type FieldError, MAX_FIELD_ERRORS, toAppError } from './app-error.ts';
import { consumerActionOf, errorCatalogue, errorCodes, httpStatusOf, isErrorCode } from './error-codes.ts';

const fieldError = (index: number): FieldError => ({ field: `items[${index}].sku_code`, rule: 'required', message: `error ${index}` });

describe('AppError.validation', () => {
  test('is a 42201 that names the first error and counts the others', () => {
    const errors = [fieldError(0), fieldError(1), fieldError(2)];
    expect(AppError.validation(errors)).toMatchObject({
      code: '42201',
      message: 'Field validation failed: error 0 (and 2 more)',
      data: { errors },
    });
  });

  test('lists at most a hundred errors, the first ones, and says of the others how many there are at least', () => {
    const error = AppError.validation(Array.from({ length: 250 }, (_, index) => fieldError(index)));
    const listed = error.data?.errors as FieldError[];
    expect(MAX_FIELD_ERRORS).toBe(100);
    expect(listed).toHaveLength(100);
    expect(listed.at(-1)).toEqual(fieldError(99));
    expect(error.message).toMatch(/ \(and at least 249 more; the first 100 are listed\)$/);
  });
});

describe('AppError.unavailable', () => {
  test('is a 50301 that asks to come back in a second', () => {
    const cause = new Error('refused');
    expect(AppError.unavailable('no carrier', cause)).toMatchObject({ code: '50301', httpStatus: 503, retryAfterSeconds: 1, cause });
  });
});

describe('toAppError', () => {
  test('leaves an AppError as it is', () => {
    const error = new AppError('40902');
    expect(toAppError(error)).toBe(error);
  });

  test.each([new Error('secret detail'), 'text', undefined, null, 7])('hides %p behind 50000', (thrown) => {
    const error = toAppError(thrown);
    expect(error).toMatchObject({ code: '50000', message: 'Internal error' });
    expect(error.cause).toBe(thrown === undefined ? undefined : thrown);
  });
});

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
});

describe('consumerActionOf', () => {
  test('retries what is temporary, retries a defect a few times, and does not retry anything else', () => {
    const byAction = (action: string) => errorCodes.filter((code) => consumerActionOf[code] === action);
    expect(byAction('retry')).toEqual(['42207', '42901', '50001', '50301']);
    expect(byAction('retry-then-dead-letter')).toEqual(['50000']);
    expect(byAction('dead-letter')).toHaveLength(errorCodes.length - 5);
  });
});
