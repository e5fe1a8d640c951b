import { expect, test } from '@jest/globals';
import { isCarriersForm } from './carriers-form.ts';

test.each([
  ['1Z999AA10123456784', true],
  ['1z 999aa1-0123456784', true],
  ['1Z999AA10123456785', false],
  ['PO-2025-1121-001', false],
  ['20251121', false],
  ['', false],
])('whether %s has the form of a number of a carrier: %s', (text, expected) => {
  expect(isCarriersForm(text)).toBe(expected);
});
