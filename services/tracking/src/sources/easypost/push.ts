import { createHmac } from 'node:crypto';
import { cleanText } from '../clean-text.ts';
import { digestOfBody, equalInConstantTime, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { isJsonObject } from './translation.ts';

const SIGNATURE = /^hmac-sha256-hex=[0-9a-f]{64}$/;

/** Events whose result is a Tracker. */
const trackerEvents: ReadonlySet<unknown> = new Set(['tracker.created', 'tracker.updated']);

/** The header that EasyPost sends with a body: HMAC-SHA256, keyed with the secret in Unicode form NFKD. */
function signatureOf(body: Uint8Array, secret: string): string {
  return `hmac-sha256-hex=${createHmac('sha256', Buffer.from(secret.normalize('NFKD'), 'utf8'))
    .update(body)
    .digest('hex')}`;
}

/**
 * Verifies `X-Hmac-Signature` over the bytes as they came (src/utils/util.js of easypost-node): a body that is serialised again has another
 * signature, as EasyPost writes a weight of 136 as `136.0`.
 */
export const verifyEasyPostPush: VerifyPush = (body, headers, secrets) => {
  const given: unknown = headers['x-hmac-signature'];
  if (typeof given !== 'string' || !SIGNATURE.test(given)) return false;
  const matches = secrets.filter((secret) => secret !== '').map((secret) => equalInConstantTime(given, signatureOf(body, secret)));
  return matches.includes(true);
};

/** Reads an Event of EasyPost. Its `id` is the same at every delivery; an Event about something other than a Tracker holds no trace. */
export const parseEasyPostPush: ParsePush = (body) => {
  const event = parseJsonBody(body);
  if (!isJsonObject(event) || typeof event.description !== 'string') throw new Error('The push is no Event of EasyPost');
  const id = typeof event.id === 'string' && /^[\w-]{1,100}$/.test(event.id) ? event.id : digestOfBody(body);
  if (!trackerEvents.has(event.description)) return { id, traces: [] };
  const raw = event.result;
  const code = isJsonObject(raw) ? raw.tracking_code : undefined;
  // A number that is cut would be another parcel's.
  const trackingNumber = typeof code === 'string' && code.length <= 100 ? cleanText(code, 100) : '';
  if (!isJsonObject(raw) || trackingNumber === '') throw new Error('The Event holds no Tracker with a tracking code');
  return { id, traces: [{ trackingNumber, carrier: cleanText(raw.carrier, 100) || undefined, raw }] };
};
