import { describe, expect, test } from '@jest/globals';
import { CarrierDetectionQuery } from './carrier-api.ts';
import { detectCarriers } from './carrier-detection/detect.ts';
import { carrierRouteExamples } from './carrier-route-examples.ts';
import { formatMessages } from './formats.ts';
import { patternMessages, TEXT_PATTERN } from './text.ts';
import { compileValidator } from './validator.ts';

const validator = compileValidator(CarrierDetectionQuery);

describe('the query of the detection of carriers', () => {
  test.each([
    '1Z999AA10123456784',
    '1z 999-aa1 0123 456784',
    '1Z\u00a0999\u200bAA1\u201001234\u00ad56784\u200e',
    'ABCD',
    '9'.repeat(64),
    `${'- '.repeat(68)}${'9'.repeat(64)}`,
  ])('takes %j', (tracking_number) => {
    expect(validator.errors({ tracking_number })).toEqual([]);
  });

  test.each(['', '   ', '123', '1-2 3', '1\u200b2\u20113', '9'.repeat(65), '1Z999AA1\n0123456784', '1Z999\u0000AA10123456784'])(
    'refuses %j, and says what is allowed',
    (tracking_number) => {
      const rule = /\p{Cc}/u.test(tracking_number) ? patternMessages[TEXT_PATTERN] : formatMessages['logistics-number'];
      const message = `tracking_number ${rule}`;
      expect(validator.errors({ tracking_number })).toEqual([{ field: 'tracking_number', rule: 'pattern', message }]);
    },
  );

  test('refuses a text of more than 200 characters, several numbers, and none', () => {
    const rulesOf = (query: object) => validator.errors(query).map(({ field, rule }) => [field, rule]);
    expect(rulesOf({ tracking_number: `${'-'.repeat(197)}1234` })).toEqual([['tracking_number', 'max_length']]);
    expect(rulesOf({ tracking_number: ['1234', '5678'] })).toEqual([['tracking_number', 'type']]);
    expect(rulesOf({})).toEqual([['tracking_number', 'required']]);
  });
});

test('the example is what the detection finds', () => {
  const { query, data } = carrierRouteExamples['detectCarriers'] ?? {};
  expect(validator.errors(query)).toEqual([]);
  const candidates = detectCarriers(String(query?.['tracking_number'])).map(({ carrierCode, carrierName, confidence, reason }) => ({
    carrier_code: carrierCode,
    carrier_name: carrierName,
    confidence,
    reason,
  }));
  expect(data).toEqual({ ...query, candidates });
});
