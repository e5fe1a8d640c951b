import { createHash, createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { digestOfBody } from '../push.ts';
import { parseEasyPostPush, verifyEasyPostPush } from './push.ts';
import { translateEasyPost } from './translation.ts';

const read = (name: string): Buffer => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
const SECRET = 'the-secret-of-the-connection';
const body = read('event.json');
const hexOf = (content: Uint8Array, secret = SECRET): string => createHmac('sha256', secret).update(content).digest('hex');
const signed = (value: unknown): Record<string, string | undefined> => ({ 'x-hmac-signature': value as string | undefined });
const right = signed(`hmac-sha256-hex=${hexOf(body)}`);

describe('the signature', () => {
  test('is right with the secret of the connection, the first or the second', () => {
    expect(verifyEasyPostPush(body, right, [SECRET])).toBe(true);
    expect(verifyEasyPostPush(new Uint8Array(body), right, ['the-next-secret', SECRET])).toBe(true);
    expect(verifyEasyPostPush(body, right, [SECRET, 'the-next-secret'])).toBe(true);
  });

  test('is wrong with another secret, or none', () => {
    for (const secrets of [['another'], [], ['']]) expect(verifyEasyPostPush(body, right, secrets)).toBe(false);
    expect(verifyEasyPostPush(body, signed(`hmac-sha256-hex=${hexOf(body, '')}`), [''])).toBe(false);
  });

  test('is wrong for a changed body', () => {
    const changed = Buffer.from(body);
    changed[changed.length - 3] = 0x20;
    for (const other of [changed, Buffer.from(JSON.stringify(JSON.parse(body.toString()))), body.subarray(1), Buffer.alloc(0)])
      expect(verifyEasyPostPush(other, right, [SECRET])).toBe(false);
  });

  const hex = hexOf(body);
  test.each([
    undefined,
    '',
    hex,
    `sha256=${hex}`,
    `hmac-sha256-hex=${hex.slice(1)}`,
    `hmac-sha256-hex=${hex}0`,
    `hmac-sha256-hex=${hex.toUpperCase()}`,
    `hmac-sha256-hex=${'0'.repeat(64)}`,
    `hmac-sha256-hex=${hex}, hmac-sha256-hex=${hex}`,
    [`hmac-sha256-hex=${hex}`],
    5,
  ])('the header %p is wrong', (value) => {
    expect(verifyEasyPostPush(body, signed(value), [SECRET])).toBe(false);
  });

  test('is looked for in its own header alone', () => {
    for (const name of ['x-hmac-signature-v2', 'X-Hmac-Signature', 'signature'])
      expect(verifyEasyPostPush(body, { [name]: `hmac-sha256-hex=${hexOf(body)}` }, [SECRET])).toBe(false);
  });
});

describe('the vector that EasyPost publishes', () => {
  // The file ends with a line feed that is not signed.
  const published = read('published-event-body.txt').subarray(0, 3550);
  const header = signed('hmac-sha256-hex=38f3f53c103713df81616a0a186d77141957323ec21d5fe9363db93840f527db');
  const secret = 's\u00e9cret';

  test('is the file as it was published', () => {
    expect(createHash('sha256').update(published).digest('hex')).toBe('c312298bbffb5cf2fc1dd9d310b59e687179d65deca3a630671a0a83dbb531b1');
  });

  test('is right with the secret in any Unicode form', () => {
    for (const form of ['NFC', 'NFD', 'NFKD']) expect(verifyEasyPostPush(published, header, [secret.normalize(form)])).toBe(true);
    expect(verifyEasyPostPush(published, header, ['secret'])).toBe(false);
  });

  test('is wrong for another weight or another end of the file', () => {
    const text = published.toString();
    expect(text).toContain('"weight":614.4,');
    for (const other of [text.replace('614.4', '614.40'), `${text}\n`])
      expect(verifyEasyPostPush(Buffer.from(other), header, [secret])).toBe(false);
  });

  test('is read and translated', () => {
    const { id, traces } = parseEasyPostPush(published);
    expect([id, traces[0]?.trackingNumber, traces[0]?.carrier]).toEqual(['evt_1', '1', 'FedEx']);
    const { nodes, ...rest } = translateEasyPost(traces[0]?.raw, { trackingNumber: '1', dispatchedAt: Date.parse('2024-07-31T00:00:00Z') });
    expect(nodes.map(({ adminStatus }) => adminStatus)).toEqual(['Info Received', ...Array.from({ length: 6 }, () => 'In Transit')]);
    expect(rest).toEqual({ undated: [], unknownCodes: [], leftOut: [] });
  });
});

test('a weight that JavaScript would write without its fraction is verified as it came', () => {
  const heavy = Buffer.from('{"description":"tracker.updated","result":{"weight":136.0}}');
  expect(verifyEasyPostPush(heavy, signed(`hmac-sha256-hex=${hexOf(heavy)}`), [SECRET])).toBe(true);
});

describe('the body', () => {
  test('names the parcel, its carrier and the event; a replay has the same id', () => {
    const push = parseEasyPostPush(body);
    expect(push.id).toBe('evt_88888888888888888888888888888888');
    expect(push.traces).toHaveLength(1);
    expect(push.traces[0]).toMatchObject({ trackingNumber: '700000000088', carrier: 'FedEx' });
    const later = Buffer.from(body.toString().replace('"completed_urls": []', '"completed_urls": ["https://hooks.example/easypost"]'));
    expect([parseEasyPostPush(body).id, parseEasyPostPush(later).id]).toEqual([push.id, push.id]);
  });

  test('without an id has its digest', () => {
    for (const id of ['null', '5', '""', '"a b"', `"${'e'.repeat(101)}"`]) {
      const content = Buffer.from(`{"id":${id},"description":"tracker.created","result":{"tracking_code":" N1 "}}`);
      const { id: digest, traces } = parseEasyPostPush(content);
      expect(digest).toBe(digestOfBody(content));
      expect(traces).toEqual([{ trackingNumber: 'N1', carrier: undefined, raw: { tracking_code: ' N1 ' } }]);
    }
  });

  test.each([
    ['N\u00001', 'N 1'],
    ['\u0000N1\n', 'N1'],
    ['N\ud8001', 'N\ufffd1'],
    ['N1\udc00', 'N1\ufffd'],
  ])('with the tracking code %j names the clean one', (tracking_code, trackingNumber) => {
    const { traces } = parseEasyPostPush(Buffer.from(JSON.stringify({ description: 'tracker.updated', result: { tracking_code } })));
    expect(traces.map((trace) => trace.trackingNumber)).toEqual([trackingNumber]);
  });

  test('about something else holds no trace', () => {
    for (const description of ['batch.updated', 'tracker.deleted', 'payment.completed', '__proto__', ''])
      expect(parseEasyPostPush(Buffer.from(JSON.stringify({ id: 'evt_9', description, result: null })))).toEqual({
        id: 'evt_9',
        traces: [],
      });
  });

  test.each(['', '[]', 'null', '"tracker.updated"', '{}', '{"description":5}', '{"id":"evt_1"}'])('%p is no Event', (text) => {
    expect(() => parseEasyPostPush(Buffer.from(text))).toThrow(/no Event|not JSON/);
  });

  test.each([
    undefined,
    null,
    [],
    'x',
    {},
    { tracking_code: 5 },
    { tracking_code: ' ' },
    { tracking_code: '\u0000' },
    { tracking_code: '1'.repeat(101) },
  ])('a result %j is refused', (result) => {
    expect(() => parseEasyPostPush(Buffer.from(JSON.stringify({ description: 'tracker.updated', result })))).toThrow('no Tracker');
  });
});
