import { secretsIn } from '../push.ts';
import type { ClientOptions, TrackingSource } from '../source.ts';
import { callSource, refusalOf } from '../source-http.ts';
import { createDhlClient } from './client.ts';
import { activationInDhlPush, parseDhlPush, verifyDhlPush } from './push.ts';
import { translateDhl } from './translation.ts';

/**
 * The call that activates a subscription of pushes, where its push asks for it (`subscription.validate`). It goes to our base URL, whatever the push says.
 * @param body of a push that was verified: anyone can ask, and each call counts for the day
 * @returns undefined when the push asks for nothing; otherwise the call, which throws SourceRefusal when DHL refuses
 * @throws Error when the push asks and names no subscription or no secret
 */
function confirmationOfDhl(body: Uint8Array): ((options: ClientOptions, signal: AbortSignal) => Promise<void>) | undefined {
  const activation = activationInDhlPush(body);
  if (activation === undefined) return undefined;
  return async ({ baseUrl, credentials, dispatcher }, signal) => {
    const response = await callSource(dispatcher, {
      method: 'POST',
      url: `${baseUrl}/tracking/push/v1/subscription/${activation.subscriptionId}`,
      headers: { 'DHL-API-Key': credentials['key'] ?? '', 'DHL-API-Hook-Secret': activation.secret },
      signal,
    });
    if (response.status < 200 || response.status > 299) throw refusalOf(response, 'The activation of a DHL subscription');
  };
}

/** DHL Shipment Tracking - Unified and Push. The limits are those of a new key, and the key is the tenant's own. */
export const sourceDhl: TrackingSource = {
  name: 'dhl',
  baseUrl: 'https://api-eu.dhl.com',
  credentials: { required: ['key'], optional: ['push_token', 'previous_push_token'] },
  // One call in 5 seconds.
  limits: { requestsPerSecond: 0.2, numbersPerQuery: 1, numbersPerRegistration: 1, callsPerDay: 250, fetchesPerParcelPerDay: 10 },
  registersFor: null,
  pushes: {
    secretsOf: ({ push_token, previous_push_token }) => secretsIn(push_token, previous_push_token),
    verify: verifyDhlPush,
    parse: parseDhlPush,
    confirmation: confirmationOfDhl,
  },
  connect: createDhlClient,
  translate: translateDhl,
};
