import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { digestOfBody } from '../push.ts';
import { parseAfterShipPush, verifyAfterShipPush } from './push.ts';
import { translateAfterShip } from './translation.ts';

const body = (name: string) => readFileSync(new URL(`./fixtures/${name}.json`, import.meta.url));
const bytes = (value: unknown) => Buffer.from(JSON.stringify(value));

const SECRET = 'secret-of-a-test';
const sign = (of: Uint8Array, secret = SECRET) => createHmac('sha256', secret).update(of).digest('base64');
const signed = (signature: string | undefined) => ({ 'aftership-hmac-sha256': signature });

describe('a signature', () => {
  const push = body('push-tracking-update');

  test('is right with the secret', () => {
    expect(verifyAfterShipPush(push, signed(sign(push)), [SECRET])).toBe(true);
  });

  test('is that of openssl, with the secret as UTF-8', () => {
    const text =
      '{"event":"tracking_update","event_id":"7d2f3a10-52c4-4e1b-9a37-0c6be1f4a9d2","is_tracking_first_tag":false,' +
      '"msg":{"tracking_number":"TEST0001"},"ts":1764057600}';
    const signature = '/ceMZtZkLl+4aZ4voFy2r7535EEIhExfCy7wq2ZFg5c=';
    expect(verifyAfterShipPush(Buffer.from(text), signed(signature), ['sécret-für-Tests'])).toBe(true);
  });

  test('is right with either secret during a rotation', () => {
    for (const secrets of [
      ['other', SECRET],
      [SECRET, 'other'],
    ])
      expect(verifyAfterShipPush(push, signed(sign(push)), secrets)).toBe(true);
  });

  test('is wrong with another secret, and with none', () => {
    for (const secrets of [['other'], ['other', 'another'], [], ['']])
      expect(verifyAfterShipPush(push, signed(sign(push)), secrets)).toBe(false);
    expect(verifyAfterShipPush(push, signed(sign(push, '')), [''])).toBe(false);
  });

  test('is wrong for a changed body', () => {
    const changed = Buffer.from(push.toString().replace('"Exception_018"', '"Delivered_001"'));
    expect(changed.equals(push)).toBe(false);
    for (const other of [changed, Buffer.concat([push, Buffer.from(' ')]), Buffer.alloc(0)])
      expect(verifyAfterShipPush(other, signed(sign(push)), [SECRET])).toBe(false);
  });

  test('is wrong when it is missing, malformed or repeated', () => {
    const right = sign(push);
    const hex = createHmac('sha256', SECRET).update(push).digest('hex');
    const [prefixed, url] = [`hmac-sha256=${right}`, right.replaceAll('+', '-').replaceAll('/', '_').replace('=', '')];
    for (const wrong of [undefined, '', hex, prefixed, url, ` ${right}`, `${right}, ${right}`, right.slice(1), 'a'.repeat(1_000_000)])
      expect(verifyAfterShipPush(push, signed(wrong), [SECRET])).toBe(false);
    expect(verifyAfterShipPush(push, { 'aftership-hmac-sha256': [right] as never }, [SECRET])).toBe(false);
    expect(verifyAfterShipPush(push, { 'as-signature-hmac-sha256': right }, [SECRET])).toBe(false);
  });
});

describe('a push', () => {
  test('names its parcel, its carrier and its event', () => {
    const push = parseAfterShipPush(body('push-tracking-update'));
    expect(push).toMatchObject({
      id: '7d2f3a10-52c4-4e1b-9a37-0c6be1f4a9d2',
      traces: [{ trackingNumber: '9261290100990000099999', carrier: 'usps' }],
    });
    const [trace] = push.traces;
    expect(translateAfterShip(trace?.raw, { trackingNumber: trace?.trackingNumber ?? '', dispatchedAt: 0 }).nodes).toEqual([
      {
        orderNo: '9261290100990000099999',
        address: 'CHICAGO, IL, US',
        content: 'Held: invoice missing',
        status: 'Exception_018',
        adminStatus: 'Customs Clearance',
        createTime: '2026-11-19 06:00:00',
        times: '(GMT-06:00)',
        zoneBasis: 'derived',
        provider: 'usps',
      },
    ]);
  });

  test('that comes again has the same id', () => {
    const first = body('push-tracking-update');
    const again = bytes({ ...(JSON.parse(first.toString()) as object), ts: 1_795_000_000 });
    expect(digestOfBody(again)).not.toBe(digestOfBody(bytes(JSON.parse(first.toString()))));
    expect(parseAfterShipPush(again)).toEqual(parseAfterShipPush(first));
  });

  test.each([undefined, null, 5, '', 'a b', 'a'.repeat(101), {}])('with the event_id %j has the digest of its body as id', (event_id) => {
    const push = bytes({ event: 'tracking_update', event_id, msg: { tracking_number: 'X' } });
    expect(parseAfterShipPush(push).id).toBe(digestOfBody(push));
  });

  test('about the date of delivery, or about a parcel that is pending, has no rows', () => {
    for (const name of ['push-edd-revise', 'push-pending-time']) {
      const [trace] = parseAfterShipPush(body(name)).traces;
      expect(translateAfterShip(trace?.raw, { trackingNumber: trace?.trackingNumber ?? '', dispatchedAt: 0 }).nodes).toEqual([]);
    }
    expect(parseAfterShipPush(body('push-pending-time')).traces[0]?.carrier).toBeUndefined();
  });

  test('with an unknown event counts when it carries a tracking', () => {
    const id = 'e-1';
    expect(parseAfterShipPush(bytes({ event: 'some_future_event', event_id: id, msg: {} }))).toEqual({ id, traces: [] });
    expect(parseAfterShipPush(bytes({ event: 'constructor', event_id: id, msg: { tracking_number: 'X' } })).traces).toHaveLength(1);
  });

  test.each([null, [], 'text', {}, { event: 5 }, { event_type: 'create_a_label', data: {} }])('%j is none of AfterShip', (value) => {
    expect(() => parseAfterShipPush(bytes(value))).toThrow('names no event');
  });

  test.each([undefined, null, [], 'text', {}, { tracking_number: 5 }])('of a tracking with the msg %j is refused', (msg) => {
    expect(() => parseAfterShipPush(bytes({ event: 'tracking_update', event_id: 'e-1', msg }))).toThrow('carries no tracking');
  });

  test('that is no JSON is refused', () => {
    expect(() => parseAfterShipPush(Buffer.from('{'))).toThrow('not JSON');
  });
});
