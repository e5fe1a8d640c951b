import { describe, expect, test } from '@jest/globals';
import type { ForecastItem } from '@parcelway/contracts/forecast-submission-api';
import { numberWarnings } from './number-warnings.ts';

const itemsOf = (numbers: readonly (string | undefined)[]): ForecastItem[] =>
  numbers.map((tracking_number) => ({
    sku_code: 'S',
    product_name_en: 'L',
    forecast_quantity: 1,
    ...(tracking_number !== undefined && { tracking_number }),
  }));
const fieldsOf = (numbers: readonly (string | undefined)[]): string[] =>
  numberWarnings(itemsOf(numbers), new Set()).map(({ field }) => field);

describe('numberWarnings', () => {
  test('names the field and the format of a number whose check digit is wrong, however it is written', () => {
    expect(numberWarnings(itemsOf([undefined, '1Z999AA10123456784', '1z 999-aa1 0123 456785']), new Set())).toEqual([
      { field: 'items[2].tracking_number', message: expect.stringMatching(/format UPS 1Z, but its check digit does not fit/) },
    ]);
  });

  test('says once that a scan under a number went elsewhere, and not whose it is', () => {
    expect(numberWarnings(itemsOf(['sf-1234', 'SF1234', 'SF9999']), new Set(['SF1234']))).toEqual([
      {
        field: 'items[0].tracking_number',
        message: expect.stringMatching(/^The warehouse has scanned .* went elsewhere\. Ask the warehouse/),
      },
    ]);
  });

  test('says nothing of numbers that are right, of an unknown form, or not given', () => {
    expect(fieldsOf(['RB123456785GB', 'SF1234567890123', '996578788855', 'HELLOWORLD', undefined])).toEqual([]);
  });

  test('names a number that several items share at the first of them', () => {
    expect(fieldsOf(['RB123456786GB', 'rb 1234 56786 gb', 'RB123456787GB', 'RB123456786GB'])).toEqual([
      'items[0].tracking_number',
      'items[2].tracking_number',
    ]);
  });
});
