import { randomBytes } from 'node:crypto';
import { describe, expect, test } from '@jest/globals';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import fc from 'fast-check';
import { sampleKey } from '../../testing/sample-key.ts';
import { composeKey, hashKey, isPlausibleKey, KEY_RANDOM_BYTES, visiblePrefix } from './api-key.ts';
import { recordOfSession, SessionTokens } from './session.ts';

const random = fc.uint8Array({ minLength: KEY_RANDOM_BYTES, maxLength: KEY_RANDOM_BYTES });
const environment = fc.constantFrom('sandbox' as const, 'production' as const);

describe('keys', () => {
  test('are plausible where they were made and nowhere else', () => {
    fc.assert(
      fc.property(random, environment, (bytes, made) => {
        const key = composeKey(made, bytes);
        expect(key).toMatch(made === 'sandbox' ? /^pf_test_[A-Za-z0-9_-]{38}$/ : /^pf_live_[A-Za-z0-9_-]{38}$/);
        expect(isPlausibleKey(made, key)).toBe(true);
        const other = made === 'sandbox' ? 'production' : 'sandbox';
        expect(isPlausibleKey(other, key)).toBe(false);
        // Nor when the prefix is rewritten: the checksum covers it.
        expect(isPlausibleKey(other, key.replace(/^pf_(test|live)_/, made === 'sandbox' ? 'pf_live_' : 'pf_test_'))).toBe(false);
      }),
    );
  });

  test('with one character changed, added or missing are not plausible', () => {
    fc.assert(
      fc.property(random, fc.nat(45), fc.constantFrom('a', 'B', '7', '_', '-', ' ', 'é'), (bytes, at, character) => {
        const key = composeKey('sandbox', bytes);
        fc.pre(key[at] !== character);
        expect(isPlausibleKey('sandbox', key.slice(0, at) + character + key.slice(at + 1))).toBe(false);
        expect(isPlausibleKey('sandbox', key.slice(0, at) + key.slice(at + 1))).toBe(false);
        expect(isPlausibleKey('sandbox', key + character)).toBe(false);
      }),
    );
  });

  test('anything else is not plausible', () => {
    fc.assert(fc.property(fc.string(), environment, (text, where) => !isPlausibleKey(where, text)));
  });

  test('hash to a value that reveals nothing, and show only their first characters', () => {
    const key = composeKey('sandbox', randomBytes(KEY_RANDOM_BYTES));
    expect(hashKey(key)).toMatch(/^[A-Za-z0-9_-]{43}$/);
    expect(hashKey(key)).not.toContain(key.slice(8));
    expect(visiblePrefix(key)).toBe(key.slice(0, 12));
    expect(() => composeKey('sandbox', randomBytes(8))).toThrow(/24 random bytes/);
  });
});

const record = sampleKey({ scopes: ['forecasts:write', 'weighing:read', 'keys:manage'] });

const SECRET = 'a secret of the installation, long enough';
const tokens = new SessionTokens([SECRET]);

describe('a session', () => {
  test('is read as it was written', () => {
    for (const session of [
      { keyHash: 'h', scopes: null, expiresAt: 7 },
      { keyHash: 'h', scopes: ['weighing:read'] as const, expiresAt: 7 },
    ])
      expect(tokens.open(tokens.seal(session.keyHash, session.scopes, session.expiresAt))).toEqual(session);
    const other = createTextSealer([SECRET]).seal('[2,"h",null,7]', 'console session');
    expect(tokens.open(`pfs_${other}`)).toBeUndefined();
  });

  test('has what its key has, with fewer scopes, and ends with it', () => {
    const session = { keyHash: 'hash', scopes: ['weighing:read', 'tracking:read'] as const, expiresAt: 100 };
    expect(recordOfSession(record, session)).toEqual({ ...record, scopes: ['weighing:read'], expiresAt: 100 });
    expect(recordOfSession({ ...record, expiresAt: 99 }, session).expiresAt).toBe(99);
    expect(recordOfSession(record, { ...session, scopes: null }).scopes).toEqual(record.scopes);
  });

  test('differs from a key by its shape', () => {
    expect(tokens.isToken('pfs_s1.abcd.efgh')).toBe(true);
    for (const other of ['pf_test_x', 'pfs_', 'pfs_s1.abcd', 'pfs_s1.a.b c', `pfs_s1.a.${'x'.repeat(2001)}`])
      expect(tokens.isToken(other)).toBe(false);
  });
});
