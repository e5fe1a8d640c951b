import { createCipheriv, createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { askedParcel, MockVendor } from '../../testing/mock-vendor.ts';
import type { SourcePushes } from '../source.ts';
import { signatureOfYunExpress, sourceYunExpress } from './source.ts';

const pushes = sourceYunExpress.pushes as SourcePushes;
const open = pushes.open as NonNullable<SourcePushes['open']>;
const [SECRET, NEXT_SECRET] = ['encrypt key', 'next key'];
const plain = readFileSync(new URL('./fixtures/push.json', import.meta.url));
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Encrypts as the vendor does. */
function sealed(text: Uint8Array, secret: string): Uint8Array {
  const iv = Buffer.from('0123456789abcdef');
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(secret).digest(), iv);
  return bytes({ encrypt: Buffer.concat([iv, cipher.update(text), cipher.final()]).toString('base64') });
}

describe('a call', () => {
  test('has the signature that another tool computed; a query is not signed', () => {
    const call = { method: 'GET', path: '/v1/track-service/info/get?order_number=YT1' } as const;
    expect(signatureOfYunExpress(call, 'app-secret', '1794873600000')).toBe('G9b5C0viIbfZdrBwTE28U/0ZhtvNjxdIl9rBOb7E1CI=');
  });

  test('signs its body as it is sent', async () => {
    const vendor = new MockVendor(sourceYunExpress, [[200, { success: true }]]);
    await sourceYunExpress.register(vendor.run, [askedParcel('YT1')]);
    const [{ text, headers } = { text: '', headers: {} as Record<string, string> }] = vendor.sent;
    const content = `body=${text}&date=${headers['date']}&method=POST&uri=/v1/track-service/subscribe-by-order`;
    expect(headers['sign']).toBe(createHmac('sha256', 'SECRET-app_secret').update(content).digest('base64'));
    expect(Math.abs(Number(headers['date']) - Date.now())).toBeLessThan(60_000);
    await vendor.close();
  });
});

describe('the encryption', () => {
  test('an own vector: openssl encrypted it behind the first block own-vector-16-by', () => {
    const text = open(bytes({ encrypt: 'b3duLXZlY3Rvci0xNi1ieZ+ZsJS6/vNwOP/SQy3/+NA=' }), ['own key of these tests']);
    expect(Buffer.from(text).toString()).toBe('{"own":"text"}');
  });

  test('a body that is not encrypted stays as it is', () => expect(open(plain, [])).toBe(plain));

  test('either secret opens it', () => {
    const body = sealed(plain.subarray(0, plain.lastIndexOf('}') + 1), NEXT_SECRET);
    expect(JSON.parse(Buffer.from(open(body, [SECRET, NEXT_SECRET])).toString())).toEqual(JSON.parse(plain.toString()));
    for (const secrets of [[], [''], [SECRET]]) expect(() => open(body, secrets)).toThrow('No secret opens');
  });

  test.each([[''], ['AAAA'], ['A'.repeat(66)], [5], [null], [{}], ['*'.repeat(44)]])('%j is none', (encrypt) =>
    expect(() => open(bytes({ encrypt }), [SECRET])).toThrow('not encrypted as agreed'),
  );
});

test('the registration of our address is acknowledged with its ack, and every other push with a word', () => {
  const acknowledge = (push: unknown) => pushes.acknowledge?.(bytes(push));
  expect(acknowledge({ ack: 'f416227d' })).toBe('{"ack":"f416227d"}');
  for (const push of [{}, { ack: 5 }, { ack: '' }, { ack: 'a\nb' }, { ack: 'a'.repeat(201) }, [], null])
    expect(acknowledge(push)).toBe('success');
});

test('a push that is nested too deeply is refused with a reason', () => {
  const nested = (depth: number) => Buffer.from(`{"waybill_number":"YT1","track_events":${'['.repeat(depth)}${']'.repeat(depth)}}`);
  expect(pushes.parse(nested(19))).toHaveLength(1);
  for (const depth of [20, 200_000]) expect(() => pushes.parse(nested(depth))).toThrow('nested too deeply');
});
