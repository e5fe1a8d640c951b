import { describe, expect, test } from '@jest/globals';
import { AppError, type FieldError, MAX_FIELD_ERRORS, toAppError } from './app-error.ts';
import { errorCatalogue, errorCodes } from './error-codes.ts';

const fieldError = (index: number): FieldError => ({ field: `items[${index}].sku_code`, rule: 'required', message: `error ${index}` });

describe('AppError', () => {
  test.each(errorCodes)('%s carries the text and the status of the catalogue', (code) => {
    const error = new AppError(code);
    expect(error).toMatchObject({ code, message: errorCatalogue[code].message, httpStatus: errorCatalogue[code].http });
  });

  test('has empty details unless they are given', () => {
    const error = new AppError('40403');
    expect(error).toMatchObject({ name: 'AppError', data: null, retryAfterSeconds: undefined, headers: {} });
    expect('cause' in error).toBe(false);
  });

  test('keeps message, data, headers, delay and cause', () => {
    const cause = new Error('disk');
    const error = new AppError('40501', 'Only GET', { data: { allowed: ['GET'] }, headers: { Allow: 'GET' }, retryAfterSeconds: 7, cause });
    expect(error).toMatchObject({
      message: 'Only GET',
      data: { allowed: ['GET'] },
      headers: { Allow: 'GET' },
      retryAfterSeconds: 7,
      cause,
    });
  });
});

describe('AppError.validation', () => {
  test('is a 42201 that names the first error and counts the others', () => {
    const errors = [fieldError(0), fieldError(1), fieldError(2)];
    expect(AppError.validation(errors)).toMatchObject({
      code: '42201',
      message: 'Field validation failed: error 0 (and 2 more)',
      data: { errors },
    });
  });

  test('does not count when there is one error', () => {
    expect(AppError.validation([fieldError(4)]).message).toBe('Field validation failed: error 4');
  });

  test('counts exactly what is listed', () => {
    const error = AppError.validation(Array.from({ length: MAX_FIELD_ERRORS }, (_, index) => fieldError(index)));
    expect(error.message).toBe('Field validation failed: error 0 (and 99 more)');
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
