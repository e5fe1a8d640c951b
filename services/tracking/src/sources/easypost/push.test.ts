import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { parseEasyPostPush, verifyEasyPostPush } from './source.ts';
import { translateEasyPost } from './translation.ts';

const read = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));
const signed = (value: string) => ({ 'x-hmac-signature': value });

describe('the vector that EasyPost publishes', () => {
  // The file ends with a line feed that is not signed.
  const published = read('published-event-body.txt').subarray(0, 3550);
  const header = signed('hmac-sha256-hex=38f3f53c103713df81616a0a186d77141957323ec21d5fe9363db93840f527db');
  const secret = 's\u00e9cret';

  test('is right with the secret in any Unicode form', () => {
    for (const form of ['NFC', 'NFD', 'NFKD']) expect(verifyEasyPostPush(published, header, [secret.normalize(form)])).toBe(true);
    expect(verifyEasyPostPush(published, header, ['secret'])).toBe(false);
  });

  test('is read and translated', () => {
    const [trace] = parseEasyPostPush(published);
    expect(trace?.trackingNumber).toBe('1');
    const { nodes, ...rest } = translateEasyPost(trace?.raw, { trackingNumber: '1', dispatchedAt: Date.parse('2024-07-31T00:00:00Z') });
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual(['Info Received', ...Array.from({ length: 6 }, () => 'In Transit')]);
    expect(rest).toEqual({ unknownCodes: [], leftOut: 0 });
  });
});

describe('the body', () => {
  test.each([undefined, null, [], 'x', {}, { tracking_code: 5 }, { tracking_code: '\u0000' }, { tracking_code: '1'.repeat(101) }])(
    'with the result %j is refused',
    (result) => {
      expect(() => parseEasyPostPush(bytes({ description: 'tracker.updated', result }))).toThrow('no Tracker');
    },
  );
});
