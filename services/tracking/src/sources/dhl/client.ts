import { MAX_NODES } from '../../watch/domain/node.ts';
import { cleanText, type Fields, isFields } from '../fields.ts';
import { type AskedParcel, NO_REGISTRATION, type QueryResult, type SourceCalls, type SourceResponse, type SourceRun } from '../source.ts';
import { oneByOne, refusalOf } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { hasNumber, numberKey } from './shipment.ts';
import { translateDhl } from './translation.ts';

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
  return newestOf(exact.length > 0 ? exact : candidates, (shipment) => translateDhl(shipment, parcel));
}

/** A number that DHL's customers test with. DHL may know it or not: either response proves the key. */
const TEST_NUMBER = '7777777770';
const CALL = 'Shipments of DHL';
/** DHL's own names of its divisions. Any other word of a warehouse is not passed on: a wrong division hides the parcel. */
const SERVICES: ReadonlySet<string> = new Set([
  'express',
  'parcel-de',
  'ecommerce',
  'dgf',
  'parcel-uk',
  'post-de',
  'sameday',
  'freight',
  'parcel-nl',
  'parcel-pl',
  'dsc',
  'ecommerce-europe',
  'svb',
  'post-international',
]);

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

/**
 * The calls of DHL Shipment Tracking - Unified, with the key of one tenant. DHL takes one number a call. The division is
 * left to DHL, unless the dispatch names it in DHL's own words. DHL's 429 says neither which limit was met nor when to call again.
 * DHL has no registration: its pushes follow an account, once its subscription is there.
 */
export const callsOfDhl: SourceCalls = {
  ...NO_REGISTRATION,
  query: (run, parcels) => oneByOne(parcels, (parcel) => queryOne(run, parcel)),
  async test(run) {
    await queryOne(run, { trackingNumber: TEST_NUMBER, dispatchedAt: 0, carrierCode: 'dhl', reference: null });
  },
};
