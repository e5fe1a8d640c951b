import { createDecipheriv, createHash } from 'node:crypto';
import { cleanText, isFields } from '../fields.ts';
import { isProvedBy, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { NO_LIMITS, type TrackingSource } from '../source.ts';
import { callsOfYunExpress } from './client.ts';
import { translateYunExpress } from './translation.ts';

/** The name in `data_code` of a push about a parcel's trace. */
const TRACE_DATA = 'tisPushData';

const BLOCK_BYTES = 16;

/**
 * Verifies a push: `X-Openapi-Signature` is the hex SHA-256 of `X-Openapi-Request-Timestamp`, the encrypt key and the raw body, joined.
 * The timestamp is signed, but its age is not checked: the nodes of an old push are known already.
 */
const verifyYunExpressPush: VerifyPush = (body, headers, secrets) => {
  const timestamp = headers['x-openapi-request-timestamp'] ?? '';
  if (!/^\d{1,20}$/.test(timestamp)) return false;
  const proofOf = (secret: string): string => createHash('sha256').update(`${timestamp}${secret}`).update(body).digest('hex');
  return isProvedBy(headers['x-openapi-signature'], secrets, proofOf);
};

/**
 * The text of an encrypted push: AES-256-CBC with the SHA-256 of the encrypt key; the first 16 bytes are the vector.
 * With another key the text is noise.
 * @throws Error when it is not encrypted that way
 */
function decryptYunExpressText(encrypted: string, secret: string): Uint8Array {
  const sealed = Buffer.from(encrypted, 'base64');
  if (sealed.length < 2 * BLOCK_BYTES || sealed.length % BLOCK_BYTES !== 0)
    throw new Error('The push of YunExpress is not encrypted as agreed');
  const key = createHash('sha256').update(secret).digest();
  const decipher = createDecipheriv('aes-256-cbc', key, sealed.subarray(0, BLOCK_BYTES)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(sealed.subarray(BLOCK_BYTES)), decipher.final()]);
  // The padding is not always that of PKCS #7, but its bytes are at most 16, and JSON ends with none of those.
  return padded.subarray(0, padded.findLastIndex((byte) => byte > BLOCK_BYTES) + 1);
}

/** Deepest nesting of a push that is read; a trace has four levels, or five in the form of the query. */
const MAX_DEPTH = 20;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeperThan(part, depth - 1));
}

function isObject(text: Uint8Array): boolean {
  try {
    return isFields(parseJsonBody(text));
  } catch {
    return false;
  }
}

/**
 * The body of a push in plain text. YunExpress encrypts it, `{ "encrypt": "…" }`, where the application has an encrypt key; any other body stays as it is.
 * Call it after {@link verifyYunExpressPush}, which protects the ciphertext.
 * @throws Error when none of the secrets opens it
 */
function openYunExpressPush(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const envelope = parseJsonBody(body);
  const encrypted = isFields(envelope) ? envelope['encrypt'] : undefined;
  if (encrypted === undefined) return body;
  for (const secret of secrets.filter((value) => value !== '')) {
    const text = decryptYunExpressText(typeof encrypted === 'string' ? encrypted : '', secret);
    if (isObject(text)) return text;
  }
  throw new Error('No secret opens the push of YunExpress');
}

/**
 * The value that YunExpress expects in the response when the address of the push is registered; undefined for any other push.
 * @param body opened with {@link openYunExpressPush}
 */
function ackOfYunExpressPush(body: Uint8Array): string | undefined {
  const push = parseJsonBody(body);
  const ack = isFields(push) ? push['ack'] : undefined;
  return typeof ack === 'string' && /^[\x21-\x7e]{1,200}$/.test(ack) ? ack : undefined;
}

/**
 * Reads a push, opened with {@link openYunExpressPush}: `{ data_code, data }`, the same in `body` of an envelope, or the bare `data`.
 * @throws Error with the reason when it is no such push, or is nested too deeply
 */
const parseYunExpressPush: ParsePush = (body) => {
  const outer = parseJsonBody(body);
  if (!isFields(outer)) throw new Error('The push of YunExpress is no object');
  if (outer['encrypt'] !== undefined) throw new Error('The push of YunExpress is encrypted');
  const push = outer['body'] ?? outer;
  if (!isFields(push)) throw new Error('The push of YunExpress has no readable body');
  if (isDeeperThan(push, MAX_DEPTH)) throw new Error('The push of YunExpress is nested too deeply');
  const dataCode = push['data_code'];
  if (ackOfYunExpressPush(body) !== undefined || (dataCode !== undefined && dataCode !== TRACE_DATA)) return [];
  const raw = push['data'] ?? push;
  if (!isFields(raw)) throw new Error('The push of YunExpress has no readable data');
  const info = isFields(raw['track_Info']) ? raw['track_Info'] : raw;
  const trackingNumber =
    cleanText(info['waybill_number'], 100) || cleanText(raw['order_number'], 100) || cleanText(info['tracking_number'], 100);
  if (trackingNumber === '') throw new Error('The push of YunExpress names no parcel');
  return [{ trackingNumber, raw }];
};

/**
 * YunExpress (云途). `webhook_secret` is the encrypt key of the application. A registration is a subscription of pushes; queries need none, so they go
 * on where an account has no pushes. YunExpress names no limit of its calls.
 */
export const sourceYunExpress: TrackingSource = {
  ...callsOfYunExpress,
  name: 'yunexpress',
  baseUrl: 'https://openapi.yunexpress.cn',
  credentials: { required: ['app_id', 'app_secret', 'source_key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: { ...NO_LIMITS, numbersPerRegistration: 50 },
  registersFor: 'pushes',
  pushes: {
    // The encrypt key of the application signs and encrypts. A connection without one takes the secret of the application.
    secret: ['webhook_secret', 'app_secret'],
    verify: verifyYunExpressPush,
    open: openYunExpressPush,
    parse: parseYunExpressPush,
    /** The registration of our address waits for its `ack`, and every other push for the text `success`. */
    acknowledge(body) {
      const ack = ackOfYunExpressPush(body);
      return ack === undefined ? 'success' : JSON.stringify({ ack });
    },
  },
  translate: translateYunExpress,
};
