import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { fedexMod11, luhn, mod7, mod10, mod37and36, s10 } from './check-digits.ts';
import { detectCarriers, isCarriersForm, wrongCheckDigit } from './detect.ts';
import { postsOf } from './posts.ts';

const summary = (trackingNumber: string): string[] =>
  detectCarriers(trackingNumber).map(({ carrierCode, confidence }) => `${carrierCode} ${confidence}`);

describe('detectCarriers', () => {
  test.each([
    ['1Z999AA10123456784', ['ups high']],
    ['RB123456785GB', ['royal-mail high']],
    ['EA123456785CN', ['china-ems high', 'china-post medium']],
    ['XY123456785FR', ['la-poste high', 'chronopost medium']],
    ['4201028200009261290113185417468510', ['usps high']],
    ['00340433836442636597', ['dhl-parcel high']],
    ['9400111206206406260787', ['usps medium']],
  ])('%s: %j', (trackingNumber, expected) => {
    expect(summary(trackingNumber)).toEqual(expected);
  });

  test.each([
    ['two carriers write the same form', 'JJD0002257639032011', ['dhl-ecommerce medium', 'yodel medium']],
    ['one carrier has the parcels of another', 'LP00492755414105', ['cainiao medium', '4px low']],
    ['3S with three letters', '3SABC1234567890', ['postnl medium', 'dhl-ecommerce medium']],
    ['a partner of USPS', '9261290336128704042634', ['usps medium', 'fedex low', 'ups-mail-innovations low', 'dhl-ecommerce low']],
    ['12 digits', '320595463938', ['purolator low', 'sf-express low']],
    ['14 digits, the verified one first', '09133131530724', ['hermes low', 'dhl-ecommerce low', 'dpd low']],
  ])('names several carriers when %s', (_case, trackingNumber, expected) => {
    expect(summary(trackingNumber)).toEqual(expected);
  });

  test.each(['RB123456786GB', '1Z999AA10123456785', 'RB123456785XX', 'HELLOWORLD', '', '12', '9'.repeat(65)])(
    '%j has no candidates',
    (text) => {
      expect(detectCarriers(text)).toEqual([]);
    },
  );

  test('gives the reason in one sentence', () => {
    expect(detectCarriers('RB123456785GB')).toEqual([
      {
        carrierCode: 'royal-mail',
        carrierName: 'Royal Mail',
        confidence: 'high',
        reason: '13 characters as the Universal Postal Union defines them; the check digit is right; country GB',
      },
    ]);
    expect(detectCarriers('YT1234567890123')[0]?.reason).toBe('YT and 13 digits; there is no check digit that we can verify');
  });

  test('names each carrier once, best first, at most 10, for any text', () => {
    const characters = fc.constantFrom(...'0123456789', '0', '9', '1Z', 'JD', 'JJD', 'LP', 'YT', 'CN', 'GB', '420', '94');
    fc.assert(
      fc.property(fc.array(characters, { maxLength: 40 }), (parts) => {
        const candidates = detectCarriers(parts.join(''));
        const ranks = candidates.map(({ confidence }) => ['high', 'medium', 'low'].indexOf(confidence));
        expect(ranks).toEqual([...ranks].sort((one, other) => one - other));
        expect(new Set(candidates.map(({ carrierCode }) => carrierCode)).size).toBe(candidates.length);
        expect(candidates.length).toBeLessThanOrEqual(10);
      }),
    );
  });

  test('is safe and quick with hostile text', () => {
    const hostile = [
      '__proto__',
      'constructor',
      '\u0000'.repeat(30),
      '１２３４５６７８９０１２',
      '1Z999AA10123456784\n',
      'rb123456785gb',
      '🚚'.repeat(10),
    ];
    for (const text of hostile) expect([detectCarriers(text), wrongCheckDigit(text)]).toEqual([[], undefined]);
    const start = performance.now();
    for (const part of ['9', 'A', 'A1', 'YT', '3S', ' ']) {
      for (const length of [32, 64, 2_000_000]) {
        detectCarriers(part.repeat(length));
        wrongCheckDigit(part.repeat(length));
      }
    }
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

describe('wrongCheckDigit', () => {
  test.each([
    ['RB123456786GB', 'UPU S10'],
    ['1Z999AA10123456785', 'UPS 1Z'],
    ['C11031500001889', 'OnTrac C'],
    ['00340433836442636598', 'DHL Paket 20'],
    ['420787459400111206206406260788', 'USPS IMpb with the postcode'],
    ['4201028200009261290113185417468511', 'USPS IMpb with the postcode'],
  ])('%s: %s', (trackingNumber, name) => {
    expect(wrongCheckDigit(trackingNumber)).toBe(name);
  });

  test.each([
    ['the check digit is right', '1Z999AA10123456784'],
    ['one of two readings is right', '4201028200009261290113185417468510'],
    ['the country is none', 'RB123456786XX'],
    ['the form has no check digit', 'YT2229521272164446'],
    ['the form is only a prefix', '9400111206206406260788'],
    ['the form is only a letter and a length', 'K2479825492'],
    ['the form is only a length', '996578788855'],
    ['another carrier may write it', '09980000020033D'],
    ['nothing is known', 'HELLOWORLD'],
    ['the text is empty', ''],
  ])('says nothing when %s: %s', (_case, trackingNumber) => {
    expect(wrongCheckDigit(trackingNumber)).toBeUndefined();
  });
});

// At 20, 22, 26, 30 and 34 digits a prefix and a check digit make some numbers certain or likely.
const lengths = [...Array.from({ length: 12 }, (_, index) => index + 8), 21, 28];

test('digits alone make no carrier certain or likely, and no warning', () => {
  const digits = fc.constantFrom(...lengths).chain((length) => fc.stringMatching(new RegExp(`^[0-9]{${length}}$`)));
  fc.assert(
    fc.property(digits, (text) => {
      expect([detectCarriers(text)[0]?.confidence ?? 'low', wrongCheckDigit(text)]).toEqual(['low', undefined]);
    }),
    { numRuns: 2000 },
  );
});

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

const codesOf = (trackingNumber: string): string[] => postsOf(trackingNumber).map(({ code }) => code);

describe('the posts of S10 numbers', () => {
  test.each(['RB123456785XX', 'UY894729184YP', 'AA123456785YQ', 'AA123456785UK'])('%s is of nobody', (trackingNumber) => {
    expect(codesOf(trackingNumber)).toEqual([]);
  });
});

// Rules that the samples of formats.test.ts do not cover.

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
