import { expect, test } from '@jest/globals';
import { bytesText, numberText } from './number.ts';

test.each([
  [8736, false, '8,736'],
  [2.415, false, '2.415'],
  [0.05, true, '+0.05'],
  [-1250.5, true, '-1,250.5'],
  [0, true, '0'],
  [-0.0001, true, '0'],
])('%d reads, signed %s, as %s', (value, signed, text) => {
  for (const locale of ['en-GB', 'zh-CN']) expect(numberText(value, locale, signed)).toBe(text);
});

test.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1 kB'],
  [1_500_000, '1.5 MB'],
  [2_340_000_000, '2.3 GB'],
  [5e15, '5,000 TB'],
])('%d bytes read %s', (bytes, text) => {
  expect(bytesText(bytes, 'en-GB')).toBe(text);
});
