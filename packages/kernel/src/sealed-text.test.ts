import { createDecipheriv, hkdfSync } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { createTextSealer } from './sealed-text.ts';

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

  test('is AES-256-GCM with a key by HKDF, as any library reads it', () => {
    const [, id, content] = sealer.seal('text', 'connections/c1').split('.') as [string, string, string];
    const key = Buffer.from(hkdfSync('sha256', CURRENT, '', 'parcelway sealed text key', 32));
    const bytes = Buffer.from(content, 'base64url');
    const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, 12));
    decipher.setAAD(Buffer.from(`s1\n${id}\nconnections/c1`)).setAuthTag(bytes.subarray(-16));
    expect(Buffer.concat([decipher.update(bytes.subarray(12, -16)), decipher.final()]).toString()).toBe('text');
  });

  test('is the same one for the same text and place where that is asked for, and opens as any other', () => {
    const one = sealer.sealSame('text', 'p');
    expect(sealer.sealSame('text', 'p')).toBe(one);
    expect(sealer.open(one, 'p')).toBe('text');
    for (const other of [sealer.sealSame('text', 'q'), sealer.sealSame('texts', 'p'), sealer.seal('text', 'p')])
      expect(other).not.toBe(one);
    expect(() => sealer.open(one, 'q')).toThrow('sealed for another place');
  });

  test('opens at its own place alone', () => {
    expect(() => sealer.open(sealer.seal('text', 'connections/c1'), 'connections/c2')).toThrow('sealed for another place');
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
