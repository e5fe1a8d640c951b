import { MAX_NODES } from '../../watch/domain/node.ts';
import { isFields } from '../fields.ts';
import { isProvedBy, type ParsePush, type PushedTrace, parseJsonBody, type VerifyPush } from '../push.ts';
import { NO_LIMITS, type SourcePushes, type TrackingSource } from '../source.ts';
import { isSuccessful, refusalOf } from '../source-http.ts';
import { callsOfDhl } from './client.ts';
import { numberKey } from './shipment.ts';
import { translateDhl } from './translation.ts';

/** The header that our subscriptions name (`hook.authentication.header`), in lower case. DHL sends our token in it with every push. */
const DHL_PUSH_HEADER = 'x-parcelway-push-token';

/**
 * True when the header that we chose holds the token of the connection. DHL signs nothing: the token proves the sender and not the body.
 * A repeated header arrives as one text with a comma in it, or as an array. Neither is a token.
 */
const verifyDhlPush: VerifyPush = (_body, headers, secrets) => isProvedBy(headers[DHL_PUSH_HEADER], secrets, (secret) => secret);

/** The beginning of the `scope` of what a subscription sends: validate, ready, push, failure and others. */
const SCOPE = 'subscription.';

function pushedTraceOf(shipment: unknown): PushedTrace | undefined {
  if (!isFields(shipment)) return undefined;
  const trackingNumber = numberKey(shipment.id);
  const { events, status } = shipment;
  const hasRows = Array.isArray(events) || ((events ?? undefined) === undefined && isFields(status));
  if (trackingNumber === '' || !hasRows) return undefined;
  return { trackingNumber, raw: shipment };
}

/** @throws Error when none of the shipments can be read */
function pushedTracesOf(shipments: readonly unknown[]): readonly PushedTrace[] {
  if (shipments.length > MAX_NODES) throw new Error(`The push has more than ${MAX_NODES} shipments`);
  const traces = shipments.map(pushedTraceOf).filter((trace) => trace !== undefined);
  if (traces.length === 0 && shipments.length > 0) throw new Error('No shipment in the push has an id with a status or events');
  return traces;
}

/**
 * Reads a push of DHL: `{scope, self, shipments}`, `{shipments}` as in the response to a query, or one shipment alone. DHL promises no common structure
 * (Push API 101). A message about the subscription has no traces; {@link confirmationOfDhl} reads the one that waits for us.
 */
const parseDhlPush: ParsePush = (body) => {
  const message = parseJsonBody(body);
  if (!isFields(message)) throw new Error('The push is not an object');
  const { scope, shipments } = message;
  if (Array.isArray(shipments)) return pushedTracesOf(shipments);
  if (typeof scope === 'string' && scope.startsWith(SCOPE)) {
    if (scope === `${SCOPE}push`) throw new Error('The push has no shipments');
    return [];
  }
  const trace = pushedTraceOf(message);
  if (trace === undefined) throw new Error('The push is in no form that is known of DHL');
  return [trace];
};

/**
 * The call that activates a subscription of pushes, where its push asks for it (`subscription.validate`). Only the id is taken from its `self`: the call goes to
 * our base URL, whatever the push says.
 * @param body of a push that was verified: anyone can ask, and each call counts for the day
 * @returns undefined when the push asks for nothing; otherwise the call, which throws SourceRefusal when DHL refuses
 * @throws Error when the push asks, and names no subscription or no secret that can be sent
 */
function confirmationOfDhl(body: Uint8Array): ReturnType<NonNullable<SourcePushes['confirmation']>> {
  const message = parseJsonBody(body);
  if (!isFields(message) || message.scope !== `${SCOPE}validate`) return undefined;
  const { self, secret } = message;
  const subscriptionId = typeof self === 'string' ? /\/subscription\/([\w-]{1,100})\/?$/.exec(self.slice(0, 2000))?.[1] : undefined;
  if (subscriptionId === undefined) throw new Error('The activation names no subscription');
  if (typeof secret !== 'string' || !/^[!-~]{1,500}$/.test(secret)) throw new Error('The activation has no secret');
  return async (run) => {
    const headers = { 'DHL-API-Key': run.credentials['key'] ?? '', 'DHL-API-Hook-Secret': secret };
    const response = await run.call({ method: 'POST', path: `/tracking/push/v1/subscription/${subscriptionId}`, headers });
    if (!isSuccessful(response)) throw refusalOf(response, 'The activation of a DHL subscription');
  };
}

/** DHL Shipment Tracking - Unified and Push. The limits are those of a new key, and the key is the tenant's own. */
export const sourceDhl: TrackingSource = {
  ...callsOfDhl,
  name: 'dhl',
  baseUrl: 'https://api-eu.dhl.com',
  credentials: { required: ['key'], optional: ['push_token', 'previous_push_token'] },
  // One call in 5 seconds.
  limits: { ...NO_LIMITS, requestsPerSecond: 0.2, callsPerDay: 250, fetchesPerParcelPerDay: 10 },
  registersFor: null,
  pushes: {
    secret: ['push_token'],
    verify: verifyDhlPush,
    parse: parseDhlPush,
    confirmation: confirmationOfDhl,
  },
  translate: translateDhl,
};
