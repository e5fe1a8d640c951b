import { createHash } from 'node:crypto';
import { digestOfBody, equalInConstantTime, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { carrierOf, isFields, numberOf } from './wire.ts';

/**
 * Verifies header `sign`: SHA-256 over the body as it came, a slash and the key of the API, in lower-case hex.
 * It signs no time, so an old push stays valid: {@link parse17TrackPush} gives it the id that it had before.
 */
export const verify17TrackPush: VerifyPush = (body, headers, secrets) => {
  const signed = createHash('sha256').update(body).update('/');
  let isRight = false;
  for (const secret of secrets) {
    const isThis = equalInConstantTime(headers['sign'], signed.copy().update(secret).digest('hex'));
    // Without a key anybody could sign.
    isRight ||= isThis && secret !== '';
  }
  return isRight;
};

/**
 * Reads a push. TRACKING_UPDATED carries the whole `track_info` of one number; every other event, such as TRACKING_STOPPED, carries no trace.
 * 17TRACK numbers no push, so its id is the digest of its body.
 */
export const parse17TrackPush: ParsePush = (body) => {
  const push = parseJsonBody(body);
  if (!isFields(push) || typeof push['event'] !== 'string') throw new Error('17TRACK: the push names no event');
  const id = digestOfBody(body);
  if (push['event'] !== 'TRACKING_UPDATED') return { id, traces: [] };
  const { data } = push;
  if (!isFields(data) || numberOf(data) === '') throw new Error('17TRACK: the push names no tracking number');
  if (data['track_info'] === undefined) throw new Error('17TRACK: the push has no track_info');
  return { id, traces: [{ trackingNumber: numberOf(data), carrier: carrierOf(data), raw: data['track_info'] }] };
};
