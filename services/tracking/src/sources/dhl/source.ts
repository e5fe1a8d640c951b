import { MAX_NODES } from '../../watch/domain/node.ts';
import { cleanText, type Fields, fieldsOf, isFields, listOf } from '../fields.ts';
import { type ParsePush, type PushedTrace, parseJsonBody } from '../push.ts';
import {
  type AskedParcel,
  NO_LIMITS,
  NO_REGISTRATION,
  type QueryResult,
  type SourcePushes,
  type SourceResponse,
  type SourceRun,
  type TrackingSource,
} from '../source.ts';
import { isSuccessful, oneByOne, refusalOf } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { hasNumber, numberKey, timeOfRow, translateDhl } from './translation.ts';

/** The reason in a problem (RFC 9457) that DHL responds with. Empty when it says nothing. */
function problemOf(response: Fields): string {
  const parts = [
    Number.isSafeInteger(response.status) ? String(response.status) : '',
    cleanText(response.title, 100),
    cleanText(response.detail, 300),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/**
 * The shipment of a number in a response of DHL (`GET /track/shipments`). Without `service`, DHL may respond with another shipment, and some
 * divisions respond with every shipment of an order (support-developer.dhl.com 47001248615). Only one whose id or piece is the number counts:
 * the newest when there are several, because numbers are used again (trap 9 in sources/README.md).
 * @returns undefined when DHL does not know the number yet
 */
function shipmentOf(shipments: readonly unknown[], parcel: AskedParcel): unknown {
  const key = numberKey(parcel.trackingNumber);
  const candidates = shipments
    .slice(0, MAX_NODES)
    .filter((shipment: unknown): shipment is Fields => isFields(shipment) && hasNumber(shipment, key));
  const exact = candidates.filter((shipment) => numberKey(shipment.id) === key);
  return newestOf(exact.length > 0 ? exact : candidates, (shipment) =>
    [shipment.status, ...listOf(shipment.events).slice(0, MAX_NODES)].map((row) =>
      timeOfRow(fieldsOf(row), shipment, parcel.destinationCountry),
    ),
  );
}

/** A number that DHL's customers test with. DHL may know it or not: either response proves the key. */
const TEST_NUMBER = '7777777770';
const CALL = 'Shipments of DHL';
/** DHL's own names of its divisions. Any other word of a warehouse is not passed on: a wrong division hides the parcel. */
const SERVICES: ReadonlySet<string> = new Set(
  'express parcel-de ecommerce dgf parcel-uk post-de sameday freight parcel-nl parcel-pl dsc ecommerce-europe svb post-international'.split(
    ' ',
  ),
);

function pathOf({ trackingNumber, destinationPostcode, carrierService = '' }: AskedParcel): string {
  const query = new URLSearchParams({ trackingNumber, language: 'en' });
  if (destinationPostcode !== undefined && destinationPostcode !== '') query.set('recipientPostalCode', destinationPostcode);
  if (SERVICES.has(carrierService)) query.set('service', carrierService);
  return `/track/shipments?${query}`;
}

/** The status that a response stands for: that of a problem in a response that succeeded, otherwise its own. */
function statusOf({ status, json }: SourceResponse): number {
  const isProblem = status < 300 && isFields(json) && !Array.isArray(json.shipments);
  return isProblem && Number.isSafeInteger(json.status) ? Number(json.status) : status;
}

/** @throws SourceRefusal when the response is about the call and not about the number */
function resultOf(response: SourceResponse, parcel: AskedParcel): QueryResult {
  const status = statusOf(response);
  const { json } = response;
  const problem = isFields(json) ? problemOf(json) : '';
  // Without a problem in it, a 404 is of a wrong address, and a 400 of a server between DHL and us.
  if (status === 404 && problem !== '') return { kind: 'no news' };
  if (status === 400 && problem !== '') return { kind: 'rejected', reason: problem };
  if (status !== 200) throw refusalOf({ ...response, status }, CALL);
  if (!isFields(json) || !Array.isArray(json.shipments)) throw new SourceRefusal('wrong response', `${CALL}: the response has none`);
  const raw = shipmentOf(json.shipments, parcel);
  return raw === undefined ? { kind: 'no news' } : { kind: 'trace', raw };
}

async function queryOne(run: SourceRun, parcel: AskedParcel): Promise<QueryResult> {
  const headers = { 'DHL-API-Key': run.credentials['key'] ?? '' };
  return resultOf(await run.call({ method: 'GET', path: pathOf(parcel), headers }), parcel);
}

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

/**
 * DHL Shipment Tracking - Unified and Push. The limits are those of a new key, and the key is the tenant's own.
 * DHL takes one number a call. The division is
 * left to DHL, unless the dispatch names it in DHL's own words. DHL's 429 says neither which limit was met nor when to call again.
 * DHL has no registration: its pushes follow an account, once its subscription is there.
 */
export const sourceDhl: TrackingSource = {
  name: 'dhl',
  baseUrl: 'https://api-eu.dhl.com',
  credentials: { required: ['key'], optional: ['push_token', 'previous_push_token'] },
  // One call in 5 seconds.
  limits: { ...NO_LIMITS, requestsPerSecond: 0.2, callsPerDay: 250, fetchesPerParcelPerDay: 10 },
  registersFor: null,
  pushes: {
    secret: ['push_token'],
    // The header that our subscriptions name (`hook.authentication.header`). DHL signs nothing: the token in it proves the sender and not the body.
    proof: { headers: ['x-parcelway-push-token'], of: (token) => token },
    parse: parseDhlPush,
    confirmation: confirmationOfDhl,
  },
  translate: translateDhl,
  ...NO_REGISTRATION,
  query: (run, parcels) => oneByOne(parcels, (parcel) => queryOne(run, parcel)),
  async test(run) {
    await queryOne(run, { trackingNumber: TEST_NUMBER, dispatchedAt: 0, carrierCode: 'dhl', reference: null });
  },
};
