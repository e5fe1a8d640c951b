import { expect, test } from '@jest/globals';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { secretOf, sign, signedHeaders } from './signed-headers.ts';

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
  expect(() => sign('whsec_', 'evt_1', 1_700_000_000, '{}')).toThrow('at least one byte');
});

test('headers carry a signature for each secret, made for the second, beside those of the tenant', () => {
  const secrets = ['whsec_bbbb', 'whsec_aaaa'];
  expect(signedHeaders({ eventId: 'evt_1', body: '{}', secrets, extra: { 'X-Key': 'k' } }, 1_999)).toEqual({
    'X-Key': 'k',
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Parcelway-Webhooks\/1 /),
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1',
    'webhook-signature': secrets.map((secret) => sign(secret, 'evt_1', 1, '{}')).join(' '),
  });
});
