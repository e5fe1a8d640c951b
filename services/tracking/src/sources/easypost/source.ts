import type { TrackingSource } from '../source.ts';
import { createEasyPostClient } from './client.ts';
import { parseEasyPostPush, verifyEasyPostPush } from './push.ts';
import { translateEasyPost } from './translation.ts';

/** EasyPost. The limit of 5 calls a second is that of lists; the others depend on EasyPost's load. */
export const sourceEasyPost: TrackingSource = {
  name: 'easypost',
  baseUrl: 'https://api.easypost.com/v2',
  credentials: { required: ['key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: {
    requestsPerSecond: 5,
    numbersPerQuery: 1,
    numbersPerRegistration: 1,
    callsPerDay: null,
    fetchesPerParcelPerDay: null,
  },
  needs: [],
  registersFor: 'queries',
  pushes: {
    secretsOf: ({ webhook_secret: present, previous_webhook_secret: previous }) =>
      [present, previous].filter((secret): secret is string => Boolean(secret)),
    verify: verifyEasyPostPush,
    parse: parseEasyPostPush,
  },
  connect: createEasyPostClient,
  translate: translateEasyPost,
};
