import { createDecipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createKeyedPermutation } from './keyed-permutation.ts';
import { createOpaqueNumbers } from './opaque-number.ts';
import { createTextSealer } from './sealed-text.ts';

describe('opaque numbers', () => {
  const opaque = createOpaqueNumbers('a secret', 'files');
  const first = Array.from({ length: 20_000 }, (_, index) => index + 1);

  test('are distinct 31-bit integers from 2²⁴ on', () => {
    const results = first.map(opaque);
    expect(new Set(results).size).toBe(first.length);
    expect(results.every((result) => Number.isInteger(result) && result >= 2 ** 24 && result < 2 ** 31)).toBe(true);
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
});

const all = (from: number, to: number): readonly number[] => Array.from({ length: to - from }, (_, index) => from + index);

describe('a keyed permutation', () => {
  test.each([
    [0, 1],
    [0, 2],
    [0, 10],
    [3, 1000],
    [0, 1024],
    [0, 10_000],
  ])('of %d to %d has each number once', (from, to) => {
    const permuted = createKeyedPermutation('a secret', 'codes', { from, to });
    expect(
      all(from, to)
        .map(permuted)
        .sort((a, b) => a - b),
    ).toEqual(all(from, to));
  });

  test.each([10 ** 9, 10 ** 13, Number.MAX_SAFE_INTEGER])('of numbers below %d stays in it, and no two share a result', (to) => {
    const permuted = createKeyedPermutation('a secret', 'codes', { from: 0, to });
    const numbers = fc.oneof(
      fc.integer({ min: 0, max: 1000 }),
      fc.integer({ min: to - 1000, max: to - 1 }),
      fc.integer({ min: 0, max: to - 1 }),
    );
    const shown = new Map<number, number>();
    fc.assert(
      fc.property(numbers, (number) => {
        const result = permuted(number);
        expect(Number.isSafeInteger(result) && result >= 0 && result < to).toBe(true);
        expect(shown.get(result) ?? number).toBe(number);
        shown.set(result, number);
      }),
    );
  });

  test.each([-1, 10, 0.5, Number.NaN])('has no result for %d, which its range lacks', (number) => {
    expect(() => createKeyedPermutation('a secret', 'codes', { from: 0, to: 10 })(number)).toThrow(RangeError);
  });

  test.each([
    [5, 5],
    [-1, 5],
    [0, 2 ** 60],
  ])('there is none of %d to %d', (from, to) => {
    expect(() => createKeyedPermutation('a secret', 'codes', { from, to })).toThrow(RangeError);
  });
});

const FORMER = 'former-secret-of-the-installation-0001';

const CURRENT = 'current-secret-of-the-installation-001';

const sealer = createTextSealer([CURRENT]);

describe('a sealed text', () => {
  test('opens to what it was, whatever it is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (text, place) => {
        // Halves of characters do not survive UTF-8, sealed or not.
        fc.pre(!/\p{Surrogate}/u.test(`${text} ${place}`));
        expect(sealer.open(sealer.seal(text, place), place)).toBe(text);
      }),
      { numRuns: 40 },
    );
  });

  test('is another one each time, and does not hold the text', () => {
    const [one, other] = [sealer.seal('{"key":"abc"}', 'p'), sealer.seal('{"key":"abc"}', 'p')];
    expect(one).not.toBe(other);
    expect(Buffer.from(one.split('.')[2] as string, 'base64url').toString('latin1')).not.toContain('abc');
    expect(one).toMatch(/^s1\.[\w-]{8}\.[\w-]+$/);
  });

  test('is standard AES-256-GCM with a key derived by HKDF', () => {
    const [, id, content] = sealer.seal('text', 'connections/c1').split('.') as [string, string, string];
    const key = Buffer.from(hkdfSync('sha256', CURRENT, '', 'parcelway sealed text key', 32));
    const bytes = Buffer.from(content, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(`s1\n${id}\nconnections/c1`)).setAuthTag(bytes.subarray(-16));
    expect(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()).toBe('text');
  });

  test('sealSame gives the same sealed text for the same text and place', () => {
    const one = sealer.sealSame('text', 'p');
    expect(sealer.sealSame('text', 'p')).toBe(one);
    expect(sealer.open(one, 'p')).toBe('text');
    for (const other of [sealer.sealSame('text', 'q'), sealer.sealSame('texts', 'p'), sealer.seal('text', 'p')])
      expect(other).not.toBe(one);
    expect(() => sealer.open(one, 'q')).toThrow('sealed for another place');
  });

  test('does not open once a character of it is changed', () => {
    const sealed = sealer.seal('text', 'p');
    const from = sealed.lastIndexOf('.') + 1;
    for (let index = from; index < sealed.length - 1; index += 1) {
      const changed = `${sealed.slice(0, index)}${sealed[index] === 'A' ? 'B' : 'A'}${sealed.slice(index + 1)}`;
      expect(() => sealer.open(changed, 'p')).toThrow('was changed');
    }
  });

  test.each(['', 's1', 's1.x.y', 's2.aaaaaaaa.bbbb', `${sealer.seal('text', 'p')}.z`, 's1..'])('%j is none', (text) => {
    expect(() => sealer.open(text, 'p')).toThrow(/no sealed text|is not set/);
  });

  test('that is too short for its tag is none', () => {
    const [version, id] = sealer.seal('text', 'p').split('.');
    expect(() => sealer.open(`${version}.${id}.AAAA`, 'p')).toThrow('no sealed text');
  });
});

describe('a rotation', () => {
  const before = createTextSealer([FORMER]);
  const during = createTextSealer([CURRENT, FORMER]);

  test('opens what the former secret sealed, and seals with the new one', () => {
    const old = before.seal('text', 'p');
    expect(during.open(old, 'p')).toBe('text');
    expect([during.isCurrent(old), during.isCurrent(during.seal('text', 'p'))]).toEqual([false, true]);
    expect(sealer.open(during.seal(during.open(old, 'p'), 'p'), 'p')).toBe('text');
  });

  test('that ended too early names the secret that is missing, and nothing else', () => {
    const old = before.seal('text', 'p');
    expect(() => sealer.open(old, 'p')).toThrow(/^The secret with the id [\w-]{8} is not set: it sealed this text$/);
    expect(() => sealer.open(old, 'p')).not.toThrow(FORMER);
  });
});

test('a secret that is too short is refused', () => {
  for (const secrets of [[], ['short'], [CURRENT, 'short']]) expect(() => createTextSealer(secrets)).toThrow('at least 32 characters');
});
