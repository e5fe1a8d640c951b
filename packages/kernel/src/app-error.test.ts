import { describe, expect, test } from '@jest/globals';
import { AppError, type FieldError, MAX_FIELD_ERRORS, toAppError } from './app-error.ts';
import { consumerActionOf, errorCatalogue, errorCodes, isErrorCode } from './error-codes.ts';

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
  test.each([new Error('secret detail'), 'text', undefined, null, 7])('hides %p behind 50000', (thrown) => {
    const error = toAppError(thrown);
    expect(error).toMatchObject({ code: '50000', message: 'Internal error' });
    expect(error.cause).toBe(thrown === undefined ? undefined : thrown);
  });
});

describe('error catalogue', () => {
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
