import type { TrackingSource } from '../source.ts';
import { confirmationOfDhl } from './activation.ts';
import { createDhlClient } from './client.ts';
import { parseDhlPush, verifyDhlPush } from './push.ts';
import { translateDhl } from './translation.ts';

/** DHL Shipment Tracking - Unified and Push. The limits are those of a new key, and the key is the tenant's own. */
export const sourceDhl: TrackingSource = {
  name: 'dhl',
  baseUrl: 'https://api-eu.dhl.com',
  credentials: { required: ['key'], optional: ['push_token', 'previous_push_token'] },
  // One call in 5 seconds.
  limits: { requestsPerSecond: 0.2, numbersPerQuery: 1, numbersPerRegistration: 1, callsPerDay: 250, fetchesPerParcelPerDay: 10 },
  needs: ['destination_postcode'],
  registersFor: null,
  pushes: {
    secretsOf: ({ push_token, previous_push_token }) =>
      [push_token, previous_push_token].filter((token) => token !== undefined).filter((token) => token !== ''),
    verify: verifyDhlPush,
    // Often the status alone.
    holdsPart: true,
    parse: parseDhlPush,
    confirmation: confirmationOfDhl,
  },
  connect: createDhlClient,
  translate: translateDhl,
};
