import { describe, expect, test } from '@jest/globals';
import { checkDigitWarning } from './check-digit-warning.ts';

describe('checkDigitWarning', () => {
  test.each([
    ['1Z999AA10123456785', 'UPS 1Z'],
    ['RB123456786GB', 'UPU S10'],
  ])('%s: names the field and the format %s, and not the number', (trackingNumber, format) => {
    expect(checkDigitWarning('items[3].tracking_number', trackingNumber)).toEqual({
      field: 'items[3].tracking_number',
      message: `items[3].tracking_number looks like a number of the format ${format}, but its check digit does not fit; check for a typing mistake`,
    });
  });

  test.each(['1Z999AA10123456784', 'SF1234567890123', '996578788855', 'HELLOWORLD', '', '9'.repeat(200)])('%j: nothing to say', (text) => {
    expect(checkDigitWarning('tracking_number', text)).toBeUndefined();
  });
});
