import type { AskedParcel, ClientOptions, QueryResult, SourceClient } from '../source.ts';
import { callSource, refusalOf, type SourceResponse } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { problemOf, shipmentInResponse } from './response.ts';
import { isDhlObject } from './shipment.ts';

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
  const isProblem = status < 300 && isDhlObject(json) && !Array.isArray(json.shipments);
  return isProblem && Number.isSafeInteger(json.status) ? Number(json.status) : status;
}

/** @throws SourceRefusal when the response is about the call and not about the number */
function resultOf(response: SourceResponse, trackingNumber: string, key: string): QueryResult {
  const status = statusOf(response);
  const { json, headers } = response;
  const withoutKey = (text: string): string => (key === '' ? text : text.replaceAll(key, '…'));
  const problem = isDhlObject(json) ? withoutKey(problemOf(json)) : '';
  // Without a problem in it, a 404 is of a wrong address, and a 400 of a server between DHL and us.
  if (status === 404 && problem !== '') return { kind: 'no news' };
  if (status === 400 && problem !== '') return { kind: 'rejected', reason: problem };
  if (status !== 200) throw refusalOf({ status, headers, json }, CALL);
  try {
    const raw = shipmentInResponse(json, trackingNumber);
    return raw === undefined ? { kind: 'no news' } : { kind: 'trace', raw };
  } catch (cause) {
    // Without the cause, whose message may repeat the key.
    throw new SourceRefusal('wrong response', `${CALL}: ${withoutKey((cause as Error).message)}`);
  }
}

/**
 * The calls of DHL Shipment Tracking - Unified, with the key of one tenant. DHL takes one number a call. The division is
 * left to DHL, unless the dispatch names it in DHL's own words. DHL's 429 says neither which limit was met nor when to call again.
 */
export function createDhlClient({ baseUrl, credentials, dispatcher }: ClientOptions): SourceClient {
  const key = credentials['key'] ?? '';
  const query = async (parcel: Parameters<typeof addressOf>[1], signal: AbortSignal): Promise<QueryResult> => {
    const url = addressOf(baseUrl, parcel);
    const response = await callSource(dispatcher, { method: 'GET', url, headers: { 'DHL-API-Key': key }, signal });
    return resultOf(response, parcel.trackingNumber, key);
  };
  return {
    /** DHL has no registration: its pushes follow an account, once its subscription is there. Nothing is called. */
    async register(parcels) {
      return parcels.map(() => ({ kind: 'registered', reference: null }));
    },
    async unregister() {},
    async query(parcels, signal) {
      const results: QueryResult[] = [];
      for (const parcel of parcels) results.push(await query(parcel, signal));
      return results;
    },
    async test(signal) {
      await query({ trackingNumber: TEST_NUMBER }, signal);
    },
  };
}
