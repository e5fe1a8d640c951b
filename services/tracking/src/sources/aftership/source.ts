import type { TrackingSource } from '../source.ts';
import { createAfterShipClient } from './client.ts';
import { parseAfterShipPush, verifyAfterShipPush } from './push.ts';
import { translateAfterShip } from './translation.ts';

/** AfterShip Tracking API 2026-07. A parcel is registered, and then pushed and listed. The README has the limits of each call. */
export const sourceAfterShip: TrackingSource = {
  name: 'aftership',
  baseUrl: 'https://api.aftership.com/tracking/2026-07',
  credentials: { required: ['key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: {
    // Each endpoint has a limit of its own; this is the lowest of those that are called.
    requestsPerSecond: 5,
    numbersPerQuery: 50,
    numbersPerRegistration: 1,
    callsPerDay: null,
    fetchesPerParcelPerDay: null,
  },
  needs: ['destination_country', 'destination_postcode', 'ship_date'],
  registersFor: 'queries',
  pushes: {
    secretsOf: ({ webhook_secret, previous_webhook_secret }) =>
      [webhook_secret, previous_webhook_secret].flatMap((secret) => (secret === undefined || secret === '' ? [] : [secret])),
    verify: verifyAfterShipPush,
    parse: parseAfterShipPush,
  },
  connect: createAfterShipClient,
  translate: translateAfterShip,
};
