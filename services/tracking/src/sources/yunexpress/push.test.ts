import { createCipheriv, createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { ackOfYunExpressPush, decryptYunExpressText, openYunExpressPush, parseYunExpressPush, verifyYunExpressPush } from './push.ts';
import { sourceYunExpress } from './source.ts';

const [SECRET, NEXT_SECRET] = ['encrypt key', 'next key'];
const plain = readFileSync(new URL('./fixtures/push.json', import.meta.url));
const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value));

/** Encrypts as the vendor does. */
function sealed(text: Uint8Array, secret: string, iv: string): Uint8Array {
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(secret).digest(), Buffer.from(iv));
  return bytes({ encrypt: Buffer.concat([Buffer.from(iv), cipher.update(text), cipher.final()]).toString('base64') });
}

describe('the signature', () => {
  test('an own vector: openssl computed it of the three parts', () => {
    const headers = {
      'x-openapi-request-timestamp': '1794873600417',
      'x-openapi-signature': '4659fe90e33357846aff24ff4931c32921dc27da449bbe6f45e86fa428607f8a',
    };
    expect(verifyYunExpressPush(Buffer.from('{"data_code":"tisPushData","data":{}}'), headers, ['own key of these tests'])).toBe(true);
  });
});

describe('the encryption', () => {
  test('an own vector: openssl encrypted it behind the first block own-vector-16-by', () => {
    const text = decryptYunExpressText('b3duLXZlY3Rvci0xNi1ieZ+ZsJS6/vNwOP/SQy3/+NA=', 'own key of these tests');
    expect(Buffer.from(text).toString()).toBe('{"own":"text"}');
  });

  test('a body that is not encrypted stays as it is', () => expect(openYunExpressPush(plain, [])).toBe(plain));

  test('either secret opens it', () => {
    const body = sealed(plain.subarray(0, plain.lastIndexOf('}') + 1), NEXT_SECRET, '0123456789abcdef');
    const opened = openYunExpressPush(body, [SECRET, NEXT_SECRET]);
    expect(JSON.parse(Buffer.from(opened).toString())).toEqual(JSON.parse(plain.toString()));
    for (const secrets of [[], [''], [SECRET]]) expect(() => openYunExpressPush(body, secrets)).toThrow('No secret opens');
  });

  test.each([[''], ['AAAA'], ['A'.repeat(66)], [5], [null], [{}], ['*'.repeat(44)]])(
    '{"encrypt":%j} is not encrypted as agreed',
    (encrypt) => expect(() => openYunExpressPush(bytes({ encrypt }), [SECRET])).toThrow('not encrypted as agreed'),
  );
});

describe('what a push says', () => {
  test('a bare trace, and one in the form of the query', () => {
    const numbersOf = (push: unknown) => parseYunExpressPush(bytes(push)).map(({ trackingNumber }) => trackingNumber);
    expect(numbersOf({ waybill_number: 'YT1', track_events: [] })).toEqual(['YT1']);
    expect(numbersOf({ order_number: 'YT2', track_Info: { track_events: [] } })).toEqual(['YT2']);
    expect(numbersOf({ data: { tracking_number: 'JD3', track_events: [] } })).toEqual(['JD3']);
  });

  test('a registration returns its ack and no trace; a push of another type has no trace either', () => {
    expect(ackOfYunExpressPush(openYunExpressPush(sealed(bytes({ ack: 'f416227d' }), SECRET, '0123456789abcdef'), [SECRET]))).toBe(
      'f416227d',
    );
    for (const other of [{ ack: 'f416227d' }, { data_code: 'anotherPushData', data: { waybill_number: 'YT1' } }])
      expect(parseYunExpressPush(bytes(other))).toEqual([]);
    for (const push of [{}, { ack: 5 }, { ack: '' }, { ack: 'a\nb' }, { ack: 'a'.repeat(201) }, [], null])
      expect(ackOfYunExpressPush(bytes(push))).toBeUndefined();
    expect(sourceYunExpress.pushes?.acknowledge?.(plain)).toBe('success');
    expect(sourceYunExpress.pushes?.acknowledge?.(bytes({ ack: 'f416' }))).toBe('{"ack":"f416"}');
  });

  test.each([{ encrypt: 'x' }, { body: 5 }, { body: [] }, { data: 'x' }, { data_code: 'tisPushData', data: {} }, { waybill_number: 5 }])(
    '%j is no push of this source',
    (push) => expect(() => parseYunExpressPush(bytes(push))).toThrow('The push of YunExpress'),
  );

  test('a push that is nested too deeply is refused with a reason', () => {
    const nested = (depth: number) => Buffer.from(`{"waybill_number":"YT1","track_events":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(parseYunExpressPush(nested(19))).toHaveLength(1);
    for (const depth of [20, 200_000]) expect(() => parseYunExpressPush(nested(depth))).toThrow('nested too deeply');
  });
});
