import { expect, test } from '@jest/globals';
import { signedHeaders } from './signed-headers.ts';

test('headers carry a signature for each secret, made for the second, beside those of the tenant', () => {
  const sign = (...given: readonly unknown[]): string => `v1,${given.join('|')}`;
  const source = { eventId: 'evt_1', body: '{}', secrets: ['whsec_b', 'whsec_a'], extra: { 'X-Key': 'k' } };
  expect(signedHeaders(source, sign, 1_999)).toEqual({
    'X-Key': 'k',
    'content-type': 'application/json',
    'user-agent': expect.stringMatching(/^Parcelway-Webhooks\/1 /),
    'webhook-id': 'evt_1',
    'webhook-timestamp': '1',
    'webhook-signature': 'v1,whsec_b|evt_1|1|{} v1,whsec_a|evt_1|1|{}',
  });
});
