import { describe, expect, test } from '@jest/globals';
import { fedexMod11, luhn, mod7, mod10, mod37and36, s10 } from './check-digits.ts';

/** Splits the last character from a number. */
const split = (number: string): [body: string, check: string] => [number.slice(0, -1), number.slice(-1)];

const mod10Numbers: readonly (readonly [scheme: string, weights: readonly [number, number], start: number, number: string])[] = [
  // 036000291452 is the example of GS1 and of Wikipedia for a UPC; 4006381333931 is an EAN, whose body has an even length.
  ['GS1, odd length', [3, 1], 0, '036000291452'],
  ['GS1, even length', [1, 3], 0, '4006381333931'],
  ['UPS 1Z without its 1Z', [1, 2], 0, '999AA10123456784'],
  ['UPS 1Z without its 1Z', [1, 2], 0, '5R89390357567127'],
  ['UPS waybill without its letter', [1, 2], 0, '1506235620'],
  ['FedEx Ground', [1, 3], 0, '041441760228964'],
  ['Identcode', [4, 9], 0, '563102430313'],
  ['Identcode', [4, 9], 0, '201298452277'],
  ['DHL Paket', [3, 1], 0, '00340433836442636597'],
  ['Hermes', [3, 1], 0, '09133131530724'],
  ['Canada Post', [3, 1], 0, '7035114477138472'],
  ['USPS', [3, 1], 0, '9400111206206406260787'],
];

describe('modulo 10', () => {
  test.each(mod10Numbers)('%s with the weights %j and the start %d: %s', (_scheme, weights, start, number) => {
    const [body, check] = split(number);
    expect(mod10(body, weights, start)).toBe(check);
  });

  test('finds each wrong digit where the weights are 3 and 1', () => {
    const body = '03600029145';
    for (let index = 0; index < body.length; index += 1) {
      for (let step = 1; step < 10; step += 1) {
        const wrong = (Number(body.charAt(index)) + step) % 10;
        expect(mod10(`${body.slice(0, index)}${wrong}${body.slice(index + 1)}`, [3, 1])).not.toBe('2');
      }
    }
  });

  test('adds the start to the sum', () => {
    // 3*1 + 1*2 + 3*3 = 14, and 15 with the start of GLS.
    expect(mod10('123', [3, 1])).toBe('6');
    expect(mod10('123', [3, 1], 1)).toBe('5');
  });

  test('writes 0, and not 10, for a sum that is a multiple of 10', () => {
    expect(mod10('0', [3, 1])).toBe('0');
    expect(mod10('55', [1, 1])).toBe('0');
  });

  test('counts A as 2, I as 0 and Z as 7', () => {
    expect([mod10('A', [1, 1]), mod10('I', [1, 1]), mod10('Z', [1, 1])]).toEqual(['8', '0', '3']);
  });
});

describe('Luhn', () => {
  // 79927398713 is the example of Wikipedia, 4111111111111111 the card number for tests.
  test.each(['79927398713', '4111111111111111', '320595463938', '287809468872'])('%s is right', (number) => {
    const [body, check] = split(number);
    expect(luhn(body)).toBe(check);
  });

  test('finds a wrong digit', () => {
    expect(luhn('7992739871')).not.toBe('4');
    expect(luhn('8992739871')).not.toBe('3');
  });
});

describe('modulo 7', () => {
  // The last one is a waybill of Yamato Transport.
  test.each(['3318810025', '73891051146', '8487135506', '1099255990', '410569991366'])('%s is right', (number) => {
    const [body, check] = split(number);
    expect(mod7(body)).toBe(check);
  });

  test('agrees with the remainder of a long number', () => {
    expect(mod7('9'.repeat(60))).toBe(String(BigInt('9'.repeat(60)) % 7n));
  });
});

describe('modulo 11 of FedEx', () => {
  test.each(['986578788855', '477179081230', '799531274483', '00779017972697', '00794808390594'])('%s is right', (number) => {
    const [body, check] = split(number);
    expect(fedexMod11(body)).toBe(check);
  });

  test('writes 10 as 0', () => {
    // 1*3 + 7*1 = 10.
    expect(fedexMod11('103')).toBe('0');
  });

  test('finds a wrong digit', () => {
    expect(fedexMod11('99657878885')).not.toBe('5');
  });
});

describe('S10 of the Universal Postal Union', () => {
  // Bodies and digits of the tests of the npm package s10, and of bwipp (EE471108151FR).
  test.each([
    ['12345678', '5'],
    ['47110815', '1'],
    ['00071758', '1'],
    ['96633102', '0'],
    ['76129403', '8'],
    ['47312482', '9'],
    ['00000000', '5'],
  ])('the check digit of %s is %s', (body, check) => {
    expect(s10(body)).toBe(check);
  });

  test('finds each wrong digit and each swap of neighbours in a body', () => {
    const body = '47312482';
    for (let index = 0; index + 1 < body.length; index += 1) {
      const [one, other] = [body.charAt(index), body.charAt(index + 1)];
      if (one !== other) expect(s10(`${body.slice(0, index)}${other}${one}${body.slice(index + 2)}`)).not.toBe('9');
      expect(s10(`${body.slice(0, index)}${(Number(one) + 1) % 10}${body.slice(index + 1)}`)).not.toBe('9');
    }
  });
});

describe('ISO/IEC 7064 MOD 37,36', () => {
  // A12425GABC1234002M is the example of the Global Release Identifier; the others are numbers of DPD.
  test.each([
    'A12425GABC1234002M',
    '09980000020033F',
    '09980000020034D',
    '01015026003653C',
    '01196812014637L',
    '008182709980000020033350276C',
  ])('%s is right', (number) => {
    const [body, check] = split(number);
    expect(mod37and36(body)).toBe(check);
  });

  test('finds a wrong character and a swap of neighbours', () => {
    expect(mod37and36('09980000020043')).not.toBe('F');
    expect(mod37and36('90980000020033')).not.toBe('F');
  });
});
