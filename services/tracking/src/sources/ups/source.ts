import type { TrackingSource } from '../source.ts';
import { createUpsClient } from './client.ts';
import { parseUpsPush, verifyUpsPush } from './push.ts';
import { translateUps } from './translation.ts';

/**
 * UPS: Track v1 for queries, Track Alert v2 for pushes. A registration subscribes to pushes, for 14 days; queries need none. An account without Track
 * Alert refuses it ('access denied'), and Track Alert rejects numbers that Track v1 takes: neither may stop the queries.
 */
export const sourceUps: TrackingSource = {
  name: 'ups',
  baseUrl: 'https://onlinetools.ups.com',
  credentials: { required: ['client_id', 'client_secret'], optional: ['push_token', 'previous_push_token'] },
  // UPS publishes no limit of calls: it sets one for each account.
  limits: {
    requestsPerSecond: null,
    numbersPerQuery: 1,
    numbersPerRegistration: 100,
    callsPerDay: null,
    fetchesPerParcelPerDay: null,
  },
  needs: [],
  registersFor: 'pushes',
  registrationLastsMs: 14 * 86_400_000,
  pushes: {
    secretsOf: ({ push_token, previous_push_token }) =>
      [push_token, previous_push_token].flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret])),
    verify: verifyUpsPush,
    holdsPart: true,
    parse: parseUpsPush,
  },
  connect: createUpsClient,
  translate: translateUps,
};
