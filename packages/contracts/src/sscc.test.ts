import { describe, expect, test } from '@jest/globals';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import fc from 'fast-check';
import { checkDigitOf, hasCheckDigit } from './gs1.ts';
import { HS_CODE_PATTERN, normaliseHsCode } from './hs-code.ts';
import { openShipmentDetails, sealShipmentDetails } from './shipment-details.ts';
import { createSsccs } from './sscc.ts';

const prefixes = fc.stringMatching(/^\d{4,12}$/);

const first = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

describe('an SSCC', () => {
  test('has extension digit, company prefix, serial reference and check digit, the same ones over versions', () => {
    const ssccOf = createSsccs('a secret', '0614141');
    expect([1, 2, 1_234_567_890].map(ssccOf)).toMatchInlineSnapshot(`
[
  "306141413674558309",
  "206141418657217818",
  "006141419463113321",
]
`);
  });

  test('has 18 digits with a check digit, and another one for every forecast', () => {
    fc.assert(
      fc.property(prefixes, fc.integer({ min: 1, max: 99_999 }), (prefix, forecastId) => {
        const ssccOf = createSsccs('a secret', prefix);
        const [one, next] = [ssccOf(forecastId) as string, ssccOf(forecastId + 1)];
        expect(one).toMatch(/^\d{18}$/);
        expect([hasCheckDigit(one), one.slice(1, 1 + prefix.length)]).toEqual([true, prefix]);
        expect(next).not.toBe(one);
        expect(createSsccs('a secret', prefix)(forecastId)).toBe(one);
      }),
    );
  });

  test('takes every number under its prefix once, then there is none', () => {
    const ssccOf = createSsccs('a secret', '123456789012');
    expect(new Set(first(100_000).map(ssccOf)).size).toBe(100_000);
    expect([ssccOf(100_000), ssccOf(100_001)]).toEqual([expect.stringMatching(/^\d{18}$/), undefined]);
  });
});

describe('a check digit', () => {
  test.each(['4006381333931', '96385074', '036000291452', '006141411234567890', '00'])('ends %s', (digits) => {
    expect(hasCheckDigit(digits)).toBe(true);
    expect(hasCheckDigit(`${digits.slice(0, -1)}${(Number(digits.at(-1)) + 1) % 10}`)).toBe(false);
  });

  test('detects any one wrong digit', () => {
    const digits = fc.stringMatching(/^\d{2,17}$/);
    fc.assert(
      fc.property(digits, fc.nat(), fc.integer({ min: 1, max: 9 }), (text, place, by) => {
        const whole = `${text}${checkDigitOf(text)}`;
        const at = place % whole.length;
        const wrong = `${whole.slice(0, at)}${(Number(whole[at]) + by) % 10}${whole.slice(at + 1)}`;
        expect([hasCheckDigit(whole), hasCheckDigit(wrong)]).toEqual([true, false]);
      }),
    );
  });
});

const matches = (value: string): boolean => new RegExp(HS_CODE_PATTERN, 'u').test(value);

const written = fc.string({ unit: fc.constantFrom('0', '9', '.', ' '), maxLength: 30 });

describe('the pattern of HS codes', () => {
  test.each(['85176', '1'.repeat(14), '8517-62', '85176a', '......'])('refuses %j', (code) => {
    expect(matches(code)).toBe(false);
  });

  test('counts exactly the digits', () => {
    fc.assert(
      fc.property(written, (code) => {
        const { length } = normaliseHsCode(code);
        expect(matches(code)).toBe(length >= 6 && length <= 13);
      }),
    );
  });

  test('judges a hostile text in linear time', () => {
    // A pattern that backtracks exponentially would never return from these.
    for (const value of [`${' -'.repeat(20_000)}\u0000`, `${'1 '.repeat(20_000)}\n`, `${'. '.repeat(20_000)}x\u0000`]) {
      expect(matches(value)).toBe(false);
    }
  });
});

const sealer = createTextSealer(['a-secret-of-the-installation-in-tests']);

const owner = { carrierCode: 'sf', trackingNumber: 'SF1' };

const details = {
  destination_country: 'DE',
  destination_postcode: '20095',
  phone_last4: '1234',
  ship_date: '2026-11-25',
  carrier_service: 'x',
};

describe('the details of a shipment', () => {
  test('open to what was reported, without the other fields of the report', () => {
    const sealed = sealShipmentDetails(sealer, owner, { ...details, event_id: 'e1' } as typeof details) as string;
    expect(openShipmentDetails(sealer, owner, sealed)).toEqual(details);
    expect(sealed).not.toContain('20095');
  });

  test('are the same text when they are reported again, in whatever order', () => {
    const again = Object.fromEntries(Object.entries(details).reverse());
    expect(sealShipmentDetails(sealer, owner, again)).toBe(sealShipmentDetails(sealer, owner, details));
  });

  test('are absent when none is known', () => {
    expect(sealShipmentDetails(sealer, owner, {})).toBeUndefined();
  });

  test('open for no other shipment', () => {
    const sealed = sealShipmentDetails(sealer, owner, { phone_last4: '1234' }) as string;
    expect(() => openShipmentDetails(sealer, { ...owner, trackingNumber: 'SF2' }, sealed)).toThrow('another place');
  });
});
