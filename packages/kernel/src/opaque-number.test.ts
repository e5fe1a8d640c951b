import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createOpaqueNumbers } from './opaque-number.ts';

describe('opaque numbers', () => {
  const opaque = createOpaqueNumbers('a secret', 'files');
  const first = Array.from({ length: 20_000 }, (_, index) => index + 1);

  test('are distinct 31-bit integers from 2²⁴ on', () => {
    const results = first.map(opaque);
    expect(new Set(results).size).toBe(first.length);
    expect(results.every((result) => Number.isInteger(result) && result >= 2 ** 24 && result < 2 ** 31)).toBe(true);
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 2 ** 31 - 1 }), fc.integer({ min: 1, max: 2 ** 31 - 1 }), (one, other) => {
        expect(opaque(one) === opaque(other)).toBe(one === other);
      }),
    );
  });

  test('say nothing of the order or the distance', () => {
    const results = first.map(opaque);
    const rising = results.filter((result, index) => index > 0 && result > (results[index - 1] as number)).length;
    expect(rising / first.length).toBeGreaterThan(0.45);
    expect(rising / first.length).toBeLessThan(0.55);
    const mean = results.reduce((sum, result) => sum + result, 0) / results.length;
    expect(mean / 2 ** 31).toBeGreaterThan(0.45);
    expect(mean / 2 ** 31).toBeLessThan(0.55);
  });

  test('are the same again for the same secret and series only', () => {
    expect([1, 2, 3].map(createOpaqueNumbers('a secret', 'files'))).toEqual([1, 2, 3].map(opaque));
    expect([1, 2, 3].map(opaque)).toMatchInlineSnapshot(`
[
  1537665626,
  1344203033,
  810679754,
]
`);
    expect(createOpaqueNumbers('another secret', 'files')(1)).not.toBe(opaque(1));
    expect(createOpaqueNumbers('a secret', 'photos')(1)).not.toBe(opaque(1));
  });

  test('what there is no room for gets numbers above all others', () => {
    const last = 2 ** 31 - 2 ** 24;
    expect(opaque(last)).toBeLessThan(2 ** 31);
    expect([last + 1, last + 2, 2 ** 52].map(opaque)).toEqual([2 ** 31 + 1, 2 ** 31 + 2, 2 ** 52 + 2 ** 24]);
  });

  test('lead back to the number, and nothing else does', () => {
    const last = 2 ** 31 - 2 ** 24;
    for (const number of [1, 2, 20_000, last, last + 1, 2 ** 52]) expect(opaque.hidden(opaque(number))).toBe(number);
    expect([0, 1, -5, 1.5, 2 ** 24 - 1, 2 ** 31, Number.NaN].map((result) => opaque.hidden(result))).toEqual(Array(7).fill(undefined));
  });
});
