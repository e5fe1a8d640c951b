import { createHmac } from 'node:crypto';
import { cleanText, isFields } from '../fields.ts';
import { isProvedBy, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { NO_LIMITS, type TrackingSource } from '../source.ts';
import { callsOfEasyPost } from './client.ts';
import { translateEasyPost } from './translation.ts';

/** Events whose result is a Tracker. */
const trackerEvents: ReadonlySet<unknown> = new Set(['tracker.created', 'tracker.updated']);

/**
 * Verifies `X-Hmac-Signature` over the bytes as they came (src/utils/util.js of easypost-node): HMAC-SHA256, keyed with the secret in Unicode form NFKD. A
 * body that is serialised again has another signature, as EasyPost writes a weight of 136 as `136.0`.
 */
const verifyEasyPostPush: VerifyPush = (body, headers, secrets) =>
  isProvedBy(headers['x-hmac-signature'], secrets, (secret) => {
    const hmac = createHmac('sha256', secret.normalize('NFKD')).update(body);
    return `hmac-sha256-hex=${hmac.digest('hex')}`;
  });

/** Reads an Event of EasyPost. One about something other than a Tracker holds no trace. */
const parseEasyPostPush: ParsePush = (body) => {
  const event = parseJsonBody(body);
  if (!isFields(event) || typeof event.description !== 'string') throw new Error('The push is no Event of EasyPost');
  if (!trackerEvents.has(event.description)) return [];
  const raw = event.result;
  const code = isFields(raw) ? raw.tracking_code : undefined;
  // A number that is cut would be another parcel's.
  const trackingNumber = typeof code === 'string' && code.length <= 100 ? cleanText(code, 100) : '';
  if (!isFields(raw) || trackingNumber === '') throw new Error('The Event holds no Tracker with a tracking code');
  return [{ trackingNumber, raw }];
};

/** EasyPost. The limit of 5 calls a second is that of lists; the others depend on EasyPost's load. */
export const sourceEasyPost: TrackingSource = {
  ...callsOfEasyPost,
  name: 'easypost',
  baseUrl: 'https://api.easypost.com/v2',
  credentials: { required: ['key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: { ...NO_LIMITS, requestsPerSecond: 5 },
  registersFor: 'queries',
  pushes: {
    secret: ['webhook_secret'],
    verify: verifyEasyPostPush,
    parse: parseEasyPostPush,
  },
  translate: translateEasyPost,
};
