import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { secretOf } from '../domain/signing-secrets.ts';
import { sign } from './standard-webhooks-signer.ts';

test('a signature is the one of the reference library, for every secret, with and without its prefix, time and body', () => {
  const secret = fc.uint8Array({ minLength: 1, maxLength: 80 }).map((bytes) => secretOf(bytes));
  const body = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.json());
  fc.assert(
    fc.property(secret, fc.string(), fc.nat(4_000_000_000), body, (whsec, id, seconds, text) => {
      const expected = new Webhook(whsec).sign(id, new Date(seconds * 1000), text);
      expect([sign(whsec, id, seconds, text), sign(whsec.slice('whsec_'.length), id, seconds, text)]).toEqual([expected, expected]);
    }),
    { numRuns: 30 },
  );
});

test('a signature is not made without a secret', () => {
  expect(() => sign('whsec_', 'evt_1', 1_700_000_000, '{}')).toThrow('at least one byte');
});
