import { MAX_NODES } from '../../watch/domain/node.ts';
import { cleanText, type Fields, isFields } from '../fields.ts';
import type { AskedParcel, ClientOptions, QueryResult, SourceClient } from '../source.ts';
import { callSource, oneByOne, refusalOf, type SourceResponse } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { hasNumber, newestInstantOf, numberKey } from './shipment.ts';

/** The reason in a problem (RFC 9457) that DHL responds with. Empty when it says nothing. */
function problemOf(response: Fields): string {
  const parts = [
    Number.isSafeInteger(response.status) ? String(response.status) : '',
    cleanText(response.title, 100),
    cleanText(response.detail, 300),
  ];
  return parts.filter((part) => part !== '').join(', ');
}

/** Most shipments under one number whose times are compared. */
const MAX_CANDIDATES = 100;

/**
 * The shipment of a number in a response of DHL (`GET /track/shipments`). Without `service`, DHL may respond with another shipment, and some
 * divisions respond with every shipment of an order (support-developer.dhl.com 47001248615). Only one whose id or piece is the number counts:
 * the newest when there are several, because numbers are used again (trap 9 in sources/README.md).
 * @returns undefined when DHL does not know the number yet
 */
function shipmentOf(shipments: readonly unknown[], trackingNumber: string): unknown {
  const key = numberKey(trackingNumber);
  const candidates = shipments
    .slice(0, MAX_NODES)
    .filter((shipment: unknown): shipment is Fields => isFields(shipment) && hasNumber(shipment, key));
  const exact = candidates.filter((shipment) => numberKey(shipment.id) === key);
  const compared = (exact.length > 0 ? exact : candidates).slice(0, MAX_CANDIDATES);
  return newestOf(compared, newestInstantOf);
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

function addressOf(
  baseUrl: string,
  {
    trackingNumber,
    destinationPostcode,
    carrierService = '',
  }: Pick<AskedParcel, 'trackingNumber' | 'destinationPostcode' | 'carrierService'>,
): string {
  const query = new URLSearchParams({ trackingNumber, language: 'en' });
  if (destinationPostcode !== undefined && destinationPostcode !== '') query.set('recipientPostalCode', destinationPostcode);
  if (SERVICES.has(carrierService)) query.set('service', carrierService);
  return `${baseUrl}/track/shipments?${query}`;
}

/** The status that a response stands for: that of a problem in a response that succeeded, otherwise its own. */
function statusOf({ status, json }: SourceResponse): number {
  const isProblem = status < 300 && isFields(json) && !Array.isArray(json.shipments);
  return isProblem && Number.isSafeInteger(json.status) ? Number(json.status) : status;
}

/** @throws SourceRefusal when the response is about the call and not about the number */
function resultOf(response: SourceResponse, trackingNumber: string): QueryResult {
  const status = statusOf(response);
  const { json } = response;
  const problem = isFields(json) ? problemOf(json) : '';
  // Without a problem in it, a 404 is of a wrong address, and a 400 of a server between DHL and us.
  if (status === 404 && problem !== '') return { kind: 'no news' };
  if (status === 400 && problem !== '') return { kind: 'rejected', reason: problem };
  if (status !== 200) throw refusalOf({ ...response, status }, CALL);
  if (!isFields(json) || !Array.isArray(json.shipments)) throw new SourceRefusal('wrong response', `${CALL}: the response has none`);
  const raw = shipmentOf(json.shipments, trackingNumber);
  return raw === undefined ? { kind: 'no news' } : { kind: 'trace', raw };
}

/**
 * The calls of DHL Shipment Tracking - Unified, with the key of one tenant. DHL takes one number a call. The division is
 * left to DHL, unless the dispatch names it in DHL's own words. DHL's 429 says neither which limit was met nor when to call again.
 */
export function createDhlClient({ baseUrl, credentials, dispatcher }: ClientOptions): SourceClient {
  const query = async (parcel: Parameters<typeof addressOf>[1], signal: AbortSignal): Promise<QueryResult> => {
    const url = addressOf(baseUrl, parcel);
    const response = await callSource(dispatcher, { method: 'GET', url, headers: { 'DHL-API-Key': credentials['key'] ?? '' }, signal });
    return resultOf(response, parcel.trackingNumber);
  };
  return {
    /** DHL has no registration: its pushes follow an account, once its subscription is there. Nothing is called. */
    async register(parcels) {
      return parcels.map(() => ({ kind: 'registered', reference: null }));
    },
    async unregister() {},
    query: (parcels, signal) => oneByOne(parcels, (parcel) => query(parcel, signal)),
    async test(signal) {
      await query({ trackingNumber: TEST_NUMBER }, signal);
    },
  };
}
