import { expect, test } from '@jest/globals';
import { parseAfterShipPush, verifyAfterShipPush } from './source.ts';

const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

test('the signature is that of openssl, with the secret as UTF-8', () => {
  const text =
    '{"event":"tracking_update","event_id":"7d2f3a10-52c4-4e1b-9a37-0c6be1f4a9d2","is_tracking_first_tag":false,' +
    '"msg":{"tracking_number":"TEST0001"},"ts":1764057600}';
  const headers = { 'aftership-hmac-sha256': '/ceMZtZkLl+4aZ4voFy2r7535EEIhExfCy7wq2ZFg5c=' };
  expect(verifyAfterShipPush(Buffer.from(text), headers, ['sécret-für-Tests'])).toBe(true);
});

test.each([undefined, null, [], 'text', {}, { tracking_number: 5 }])('of a tracking with the msg %j is refused', (msg) => {
  expect(() => parseAfterShipPush(bytes({ event: 'tracking_update', event_id: 'e-1', msg }))).toThrow('carries no tracking');
});
