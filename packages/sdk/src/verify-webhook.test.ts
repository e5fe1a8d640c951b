import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { type RefusalReason, verifyWebhook, type WebhookHeaders, WebhookVerificationError } from './verify-webhook.ts';

/** The signed webhook of the documentation. */
const secret = 'whsec_YW4gZXhhbXBsZSBzZWNyZXQgb2YgMzIgYnl0ZXMgISE=';
const body =
  '{"type":"parcel.weighed","timestamp":"2026-11-24T01:15:03.000+00:00","data":{"event_id":"evt_01a20b1ee1d87a1b8c2d9e3f4a5b6c7d","event_seq":1,"environment":"sandbox","forecast_no":"FC261121K7Q0Z4M2XT","po_number":"PO-2026-1121-001","status":3,"weighed_at":"2026-11-24T09:15:02+08:00"}}';
const signature = 'v1,W8GfbTxoZSqqSpQLTvr9FsGAsxEABKFlM1sGHZ16FJ0=';
const headers = {
  'webhook-id': 'evt_01a20b1ee1d87a1b8c2d9e3f4a5b6c7d',
  'webhook-timestamp': '1795482903',
  'webhook-signature': signature,
};
const now = new Date(1_795_482_903_000);
const other = `whsec_${Buffer.from('another secret of 32 bytes, more').toString('base64')}`;

function reasonOf(verify: () => unknown): RefusalReason {
  try {
    verify();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  throw new Error('It was accepted');
}

describe('a good webhook', () => {
  test.each<[string, WebhookHeaders]>([
    ['of node:http', headers],
    ['in capitals', { 'Webhook-Id': headers['webhook-id'], 'WEBHOOK-TIMESTAMP': '1795482903', 'Webhook-Signature': signature }],
    ['of fetch', new Headers(headers)],
    ['with a header twice', { ...headers, 'webhook-signature': ['v1,AAAA', signature] }],
  ])('is read, with headers %s', (_what, given) => {
    const event = verifyWebhook(body, given, secret, { now });
    if (event.type !== 'parcel.weighed') throw new Error(`type ${event.type}`);
    // The type of the event is narrowed by now.
    expect([event.data.po_number, event.data.status, event.data.weighed_at]).toEqual(['PO-2026-1121-001', 3, '2026-11-24T09:15:02+08:00']);
  });

  test.each<[string, string | Uint8Array]>([
    ['text', body],
    ['a Buffer', Buffer.from(body)],
    ['bytes', new TextEncoder().encode(body)],
  ])('is read from %s', (_what, given) => {
    expect(verifyWebhook(given, headers, secret, { now }).type).toBe('parcel.weighed');
  });

  test('is one with several signatures of which one fits, or one that fits one of several secrets', () => {
    const rotated = { ...headers, 'webhook-signature': `v1,${Buffer.alloc(32).toString('base64')} v1a,xyz ${signature}` };
    expect(verifyWebhook(body, rotated, secret, { now }).type).toBe('parcel.weighed');
    expect(verifyWebhook(body, headers, [other, secret], { now }).type).toBe('parcel.weighed');
  });

  test('is what the reference library signs, in any script, and is read by the clock', () => {
    const text = JSON.stringify({ type: 'endpoint.test', timestamp: 'x', data: { event_id: 'evt_1', note: '纯棉T恤 \ufeff é' } });
    const at = new Date();
    const signed = {
      'webhook-id': 'evt_1',
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(other).sign('evt_1', at, text),
    };
    expect(verifyWebhook(Buffer.from(text), signed, other).type).toBe('endpoint.test');
  });

  test.each([-300, 300])('may be %i seconds off', (seconds) => {
    expect(verifyWebhook(body, headers, secret, { now: new Date(now.getTime() + seconds * 1000) }).type).toBe('parcel.weighed');
  });
});

describe('a webhook is refused', () => {
  test.each<[string, string | Uint8Array, WebhookHeaders, string | readonly string[], number, RefusalReason]>([
    ['with another body', body.replace('"status":3', '"status":4'), headers, secret, 0, 'signature_mismatch'],
    ['with a blank more', `${body} `, headers, secret, 0, 'signature_mismatch'],
    ['under another secret', body, headers, other, 0, 'signature_mismatch'],
    ['with another id', body, { ...headers, 'webhook-id': 'evt_2' }, secret, 0, 'signature_mismatch'],
    ['with another time', body, { ...headers, 'webhook-timestamp': '1795482904' }, secret, 0, 'signature_mismatch'],
    [
      'with a version that is not known',
      body,
      { ...headers, 'webhook-signature': signature.replace('v1', 'v2') },
      secret,
      0,
      'signature_mismatch',
    ],
    [
      'with the beginning of a signature',
      body,
      { ...headers, 'webhook-signature': signature.slice(0, 20) },
      secret,
      0,
      'signature_mismatch',
    ],
    ['that is old', body, headers, secret, 301, 'timestamp_too_old'],
    ['that is to come', body, headers, secret, -301, 'timestamp_too_new'],
    ['with no number for its time', body, { ...headers, 'webhook-timestamp': '1795482903 ' }, secret, 0, 'invalid_timestamp'],
    ['without id', body, { ...headers, 'webhook-id': undefined }, secret, 0, 'missing_header'],
    ['without time', body, new Headers({ 'webhook-id': 'a', 'webhook-signature': 'b' }), secret, 0, 'missing_header'],
    ['without signature', body, { ...headers, 'webhook-signature': '' }, secret, 0, 'missing_header'],
    ['that is not UTF-8', Buffer.from([0xff, 0xfe]), headers, secret, 0, 'invalid_body'],
  ])('%s', (_what, given, of, under, seconds, reason) => {
    expect(reasonOf(() => verifyWebhook(given, of, under, { now: new Date(now.getTime() + seconds * 1000) }))).toBe(reason);
  });

  test('that is signed well and no JSON', () => {
    const signed = { ...headers, 'webhook-signature': new Webhook(secret).sign(headers['webhook-id'], now, 'hello') };
    expect(reasonOf(() => verifyWebhook('hello', signed, secret, { now }))).toBe('invalid_body');
  });
});

describe('what the program does wrong is no fault of the webhook', () => {
  test.each<[string, unknown, unknown, string]>([
    ['a parsed body', { type: 'parcel.weighed' }, secret, 'before a framework parses it'],
    ['no secret', body, [], 'it is empty'],
    ['an empty secret', body, '', 'whsec_ and base64'],
    ['a secret that is none', body, 'whsec_?', 'whsec_ and base64'],
    ['a variable that is not set', body, undefined, 'secret is undefined; is the environment variable set?'],
    ['the secret in the place of the body', secret, body, 'the order is verifyWebhook(rawBody, headers, secret)'],
  ])('%s', (_what, given, under, message) => {
    expect(() => verifyWebhook(given as string, headers, under as string, { now })).toThrow(TypeError);
    expect(() => verifyWebhook(given as string, headers, under as string, { now })).toThrow(message);
  });
});
