import { createHmac } from 'node:crypto';
import { cleanText, fieldsOf } from '../fields.ts';
import { isProvedBy, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { NO_LIMITS, type TrackingSource } from '../source.ts';
import { callsOfAfterShip } from './client.ts';
import { translateAfterShip } from './translation.ts';

/** Events of the Tracking product. Each carries the tracking in `msg`. */
const TRACKING_EVENTS: ReadonlySet<string> = new Set(['tracking_update', 'edd_revise', 'tracking_pending_time']);

/**
 * Verifies `aftership-hmac-sha256`: base64 of HMAC-SHA256 over the body, keyed with the secret as UTF-8 (the vendor's page "Webhook
 * Signature").
 */
const verifyAfterShipPush: VerifyPush = (body, headers, secrets) =>
  isProvedBy(headers['aftership-hmac-sha256'], secrets, (secret) => createHmac('sha256', secret).update(body).digest('base64'));

/**
 * Reads a push of the Tracking product (the vendor's page "Webhook Specifications"). Events are open strings: an unknown one counts when it
 * carries a tracking, and is about something else when it carries none.
 */
const parseAfterShipPush: ParsePush = (body) => {
  const push = fieldsOf(parseJsonBody(body));
  const { event } = push;
  if (typeof event !== 'string') throw new Error('The push is none of AfterShip: it names no event');
  const msg = fieldsOf(push['msg']);
  const trackingNumber = cleanText(msg['tracking_number'], 100);
  if (trackingNumber === '' && TRACKING_EVENTS.has(event)) throw new Error('The push of AfterShip carries no tracking');
  return trackingNumber === '' ? [] : [{ trackingNumber, raw: msg }];
};

/** AfterShip Tracking API 2026-07. A parcel is registered, and then pushed and listed. The README has the limits of each call. */
export const sourceAfterShip: TrackingSource = {
  ...callsOfAfterShip,
  name: 'aftership',
  baseUrl: 'https://api.aftership.com/tracking/2026-07',
  credentials: { required: ['key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  // Each endpoint has a limit of its own; this is the lowest of those that are called.
  limits: { ...NO_LIMITS, requestsPerSecond: 5, numbersPerQuery: 50 },
  // As `tracking_number` of `CreateTrackingRequest`. A comma in one would cut the list of a query.
  takes: { pattern: /^[A-Za-z0-9._/-]{4,100}$/, words: '4 to 100 letters, digits, hyphens, points, slashes and underscores' },
  registersFor: 'queries',
  pushes: {
    secret: ['webhook_secret'],
    verify: verifyAfterShipPush,
    parse: parseAfterShipPush,
  },
  translate: translateAfterShip,
};
