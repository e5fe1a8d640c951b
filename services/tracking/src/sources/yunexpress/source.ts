import { secretsIn } from '../push.ts';
import type { Credentials, TrackingSource } from '../source.ts';
import { createYunExpressClient } from './client.ts';
import { ackOfYunExpressPush, openYunExpressPush, parseYunExpressPush, verifyYunExpressPush } from './push.ts';
import { translateYunExpress } from './translation.ts';

/** The encrypt key of the application, and the one before it: it signs and encrypts. A connection without one takes the secret of the application. */
function secretsOf({ webhook_secret, previous_webhook_secret, app_secret }: Credentials): readonly string[] {
  return secretsIn(webhook_secret ?? app_secret, previous_webhook_secret);
}

/**
 * YunExpress (云途). `webhook_secret` is the encrypt key of the application. A registration is a subscription of pushes; queries need none, so they go
 * on where an account has no pushes. YunExpress names no limit of its calls.
 */
export const sourceYunExpress: TrackingSource = {
  name: 'yunexpress',
  baseUrl: 'https://openapi.yunexpress.cn',
  credentials: { required: ['app_id', 'app_secret', 'source_key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: { requestsPerSecond: null, numbersPerQuery: 1, numbersPerRegistration: 50, callsPerDay: null, fetchesPerParcelPerDay: null },
  registersFor: 'pushes',
  pushes: {
    secretsOf,
    verify: verifyYunExpressPush,
    open: (body, _headers, credentials) => openYunExpressPush(body, secretsOf(credentials)),
    parse: parseYunExpressPush,
    /** The registration of our address waits for its `ack`, and every other push for the text `success`. */
    acknowledge(body) {
      const ack = ackOfYunExpressPush(body);
      return ack === undefined ? 'success' : JSON.stringify({ ack });
    },
  },
  connect: createYunExpressClient,
  translate: translateYunExpress,
};
