// Rules that the samples of formats.test.ts do not cover.
import { expect, test } from '@jest/globals';
import { fedexMod11, luhn, mod7, mod10, mod37and36, s10 } from './check-digits.ts';

test('modulo 10 adds the start, writes 0 for a multiple of 10, and counts A as 2, I as 0 and Z as 7', () => {
  // 3*1 + 1*2 + 3*3 = 14, and 15 with the start of GLS.
  expect([mod10('123', [3, 1]), mod10('123', [3, 1], 1)]).toEqual(['6', '5']);
  expect([mod10('0', [3, 1]), mod10('55', [1, 1])]).toEqual(['0', '0']);
  expect([mod10('A', [1, 1]), mod10('I', [1, 1]), mod10('Z', [1, 1])]).toEqual(['8', '0', '3']);
});

test('Luhn, with the example of Wikipedia and the card number for tests', () => {
  expect([luhn('7992739871'), luhn('411111111111111')]).toEqual(['3', '1']);
});

test('modulo 7 agrees with the remainder of a long number', () => {
  expect(mod7('9'.repeat(60))).toBe(String(BigInt('9'.repeat(60)) % 7n));
});

test('modulo 11 of FedEx writes 10 as 0', () => {
  // 1*3 + 7*1 = 10.
  expect(fedexMod11('103')).toBe('0');
});

// The numbers of the tests of the npm package s10, and of bwipp (EE471108151FR).
test.each([
  ['12345678', '5'],
  ['47110815', '1'],
  ['96633102', '0'],
  ['00000000', '5'],
])('the check digit of %s by S10 is %s', (body, check) => {
  expect(s10(body)).toBe(check);
});

test('ISO/IEC 7064 MOD 37,36 finds a wrong character and a swap of neighbours', () => {
  // The example of the Global Release Identifier.
  expect(mod37and36('A12425GABC1234002')).toBe('M');
  expect(mod37and36('09980000020033')).toBe('F');
  for (const wrong of ['09980000020043', '90980000020033']) expect(mod37and36(wrong)).not.toBe('F');
});
