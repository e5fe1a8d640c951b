import { createHash } from 'node:crypto';
import { isFields } from '../fields.ts';
import { isProvedBy, type ParsePush, parseJsonBody, type VerifyPush } from '../push.ts';
import { NO_LIMITS, type TrackingSource } from '../source.ts';
import { callsOf17Track } from './client.ts';
import { translate17Track } from './translation.ts';
import { carrierOf, numberOf } from './wire.ts';

/**
 * Verifies header `sign`: SHA-256 over the body as it came, a slash and the key of the API, in lower-case hex.
 * It signs no time, so an old push stays valid; its nodes are known already.
 */
const verify17TrackPush: VerifyPush = (body, headers, secrets) => {
  const signed = createHash('sha256').update(body).update('/');
  return isProvedBy(headers['sign'], secrets, (secret) => signed.copy().update(secret).digest('hex'));
};

/**
 * Reads a push. TRACKING_UPDATED carries the whole `track_info` of one number; every other event, such as TRACKING_STOPPED, carries no trace.
 */
const parse17TrackPush: ParsePush = (body) => {
  const push = parseJsonBody(body);
  if (!isFields(push) || typeof push['event'] !== 'string') throw new Error('17TRACK: the push names no event');
  if (push['event'] !== 'TRACKING_UPDATED') return [];
  const { data } = push;
  if (!isFields(data) || numberOf(data) === '') throw new Error('17TRACK: the push names no tracking number');
  if (data['track_info'] === undefined) throw new Error('17TRACK: the push has no track_info');
  return [{ trackingNumber: numberOf(data), carrier: carrierOf(data), raw: data['track_info'] }];
};

/** 17TRACK. Its pushes are signed with the key of the API. */
export const source17Track: TrackingSource = {
  ...callsOf17Track,
  name: '17track',
  baseUrl: 'https://api.17track.net/track/v2.4',
  credentials: { required: ['key'], optional: ['previous_key'] },
  limits: { ...NO_LIMITS, requestsPerSecond: 3, numbersPerQuery: 40, numbersPerRegistration: 40 },
  takes: { pattern: /^[A-Za-z0-9-]{5,50}$/, words: '5 to 50 letters, digits and hyphens' },
  registersFor: 'queries',
  quotaFor: 'registrations',
  pushes: {
    secret: ['key'],
    verify: verify17TrackPush,
    parse: parse17TrackPush,
    // The reference is 17TRACK's number of the carrier.
    isOf: ({ carrier }, reference) => carrier === undefined || reference === null || carrier === reference,
  },
  translate: translate17Track,
};
