import type { TrackingSource } from '../source.ts';
import { create17TrackClient } from './client.ts';
import { parse17TrackPush, verify17TrackPush } from './push.ts';
import { translate17Track } from './translation.ts';

/** 17TRACK. Its pushes are signed with the key of the API. */
export const source17Track: TrackingSource = {
  name: '17track',
  baseUrl: 'https://api.17track.net/track/v2.4',
  credentials: { required: ['key'], optional: ['previous_key'] },
  limits: {
    requestsPerSecond: 3,
    numbersPerQuery: 40,
    numbersPerRegistration: 40,
    callsPerDay: null,
    fetchesPerParcelPerDay: null,
  },
  needs: ['destination_country', 'destination_postcode', 'phone_last4', 'ship_date'],
  registersFor: 'queries',
  quotaFor: 'registrations',
  pushes: {
    secretsOf: ({ key, previous_key: previous }) => [key, previous].filter((secret): secret is string => Boolean(secret)),
    verify: verify17TrackPush,
    parse: parse17TrackPush,
    // The reference is 17TRACK's number of the carrier.
    isOf: ({ carrier }, reference) => carrier === undefined || reference === null || carrier === reference,
  },
  connect: create17TrackClient,
  translate: translate17Track,
};
