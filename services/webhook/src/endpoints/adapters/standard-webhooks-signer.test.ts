import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { secretOf } from '../domain/signing-secrets.ts';
import { createSigner } from './standard-webhooks-signer.ts';

describe('a signature', () => {
  test('is the one of the reference library, for every secret, time and body', () => {
    const sign = createSigner();
    const secret = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => secretOf(bytes));
    const body = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.json());
    fc.assert(
      fc.property(secret, fc.string(), fc.nat(4_000_000_000), body, (whsec, id, seconds, text) => {
        expect(sign(whsec, id, seconds, text)).toBe(new Webhook(whsec).sign(id, new Date(seconds * 1000), text));
      }),
      { numRuns: 30 },
    );
  });

  test('is the same again with a key that was kept, and with the prefix left out', () => {
    const sign = createSigner();
    const secret = secretOf(new Uint8Array(24).fill(7));
    const first = sign(secret, 'evt_1', 1_700_000_000, '{}');
    expect(first).toMatch(/^v1,[A-Za-z0-9+/]{43}=$/);
    expect(sign(secret, 'evt_1', 1_700_000_000, '{}')).toBe(first);
    expect(sign(secret.slice('whsec_'.length), 'evt_1', 1_700_000_000, '{}')).toBe(first);
    expect(sign(secret, 'evt_2', 1_700_000_000, '{}')).not.toBe(first);
  });

  test('is not made without a secret', () => {
    expect(() => createSigner()('whsec_', 'evt_1', 1_700_000_000, '{}')).toThrow('at least one byte');
  });
});
