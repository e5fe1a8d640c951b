import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { hasCheckDigit } from './check-digit.ts';
import { createSsccs } from './sscc.ts';

const prefixes = fc.stringMatching(/^\d{4,12}$/);
const first = (count: number): readonly number[] => Array.from({ length: count }, (_, index) => index + 1);

/** Extension digit and serial reference of a code under a prefix. */
const serialOf = (sscc: string | undefined, prefix: string): number => Number(`${sscc?.[0]}${sscc?.slice(1 + prefix.length, 17)}`);

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

  test('does not say how many forecasts there are, nor how many are between two', () => {
    const prefix = '0614141';
    const ssccOf = createSsccs('a secret', prefix);
    const serials = first(5000).map((forecastId) => serialOf(ssccOf(forecastId), prefix) / 10 ** 10);
    const share = (isCounted: (serial: number, index: number) => boolean): number => serials.filter(isCounted).length / serials.length;
    for (const tenth of first(9)) expect(Math.abs(share((serial) => serial < tenth / 10) - tenth / 10)).toBeLessThan(0.04);
    expect(Math.abs(share((serial, index) => serial > (serials[index - 1] ?? 1)) - 0.5)).toBeLessThan(0.04);
    expect(createSsccs('another secret', prefix)(1)).not.toBe(createSsccs('a secret', prefix)(1));
  });

  test('takes every number under its prefix once, then there is none', () => {
    const ssccOf = createSsccs('a secret', '123456789012');
    expect(new Set(first(100_000).map(ssccOf)).size).toBe(100_000);
    expect([ssccOf(100_000), ssccOf(100_001)]).toEqual([expect.stringMatching(/^\d{18}$/), undefined]);
  });
});
