import { createHmac } from 'node:crypto';
import { cleanText } from '../clean-text.ts';
import { digestOfBody, equalInConstantTime, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { carrierOf } from './translation.ts';

/** Base64 of 32 bytes. A header that came twice reaches us joined by a comma, and is none. */
const SIGNATURE = /^[A-Za-z0-9+/]{43}=$/;

/** Events of the Tracking product. Each carries the tracking in `msg`. */
const TRACKING_EVENTS: ReadonlySet<string> = new Set(['tracking_update', 'edd_revise', 'tracking_pending_time']);

/**
 * Verifies `aftership-hmac-sha256`: base64 of HMAC-SHA256 over the body, keyed with the secret as UTF-8 (the vendor's page "Webhook
 * Signature"). No time is signed; a push that comes again is known by its `event_id`.
 */
export const verifyAfterShipPush: VerifyPush = (body, headers, secrets) => {
  const given: unknown = headers['aftership-hmac-sha256'];
  if (typeof given !== 'string' || !SIGNATURE.test(given)) return false;
  let isRight = false;
  for (const secret of secrets) {
    if (secret === '') continue;
    const expected = createHmac('sha256', secret).update(body).digest('base64');
    isRight = equalInConstantTime(given, expected) || isRight;
  }
  return isRight;
};

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}

/**
 * Reads a push of the Tracking product (the vendor's page "Webhook Specifications"). Events are open strings: an unknown one counts when it
 * carries a tracking, and is about something else when it carries none.
 */
export const parseAfterShipPush: ParsePush = (body) => {
  const push = fieldsOf(parseJsonBody(body));
  const event = push?.['event'];
  if (push === undefined || typeof event !== 'string') throw new Error('The push is none of AfterShip: it names no event');
  const msg = fieldsOf(push['msg']);
  const trackingNumber = cleanText(msg?.['tracking_number'], 100);
  if (trackingNumber === '' && TRACKING_EVENTS.has(event)) throw new Error('The push of AfterShip carries no tracking');
  const eventId = push['event_id'];
  return {
    id: typeof eventId === 'string' && /^[\w-]{1,100}$/.test(eventId) ? eventId : digestOfBody(body),
    traces: trackingNumber === '' ? [] : [{ trackingNumber, carrier: carrierOf(msg?.['slug']), raw: msg }],
  };
};
