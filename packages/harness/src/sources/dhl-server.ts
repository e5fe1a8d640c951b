import type { PushOptions, ServerRow, ServerStage, SignedPush, SourceServer } from './source-server.ts';
import { startVendorServer, type VendorParcel, type VendorRequest, type VendorResponse } from './vendor-server.ts';

const KEY = 'dhl-key-5b1f';
const PUSH_TOKEN = 'dhl-push-token-91c2';
const TRACK_PATH = '/track/shipments';
const SUBSCRIPTION = 'https://api-eu.dhl.com/tracking/push/v1/subscription/5d9f6a1e-2c0b-4a59-9f53-2f6a7f0c1d77';

/** DHL has five codes. The way back is a `failure` in a shipment with `returnFlag`. */
const codes: Readonly<Record<ServerStage, string>> = {
  'info received': 'pre-transit',
  'picked up': 'transit',
  'in transit': 'transit',
  customs: 'transit',
  'out for delivery': 'transit',
  'attempt failed': 'failure',
  exception: 'failure',
  returning: 'failure',
  delivered: 'delivered',
};

/** A problem as DHL writes one (RFC 9457). */
function problem(status: number, title: string, detail: string, more: object = {}): VendorResponse {
  return { status, json: { title, detail, status, ...more }, headers: { 'content-type': 'application/problem+json' } };
}

const unauthorized = problem(401, 'Unauthorized', 'Unauthorized for given resource.');
const tooMany = problem(429, 'Too Many Requests', 'Too many requests within defined time period, please try again later.');

function event({ stage, at, hasZone = true, text = stage, city, country, code }: ServerRow): object {
  return {
    ...(at !== null && { timestamp: hasZone ? at : at.replace(/(Z|[+-]\d\d:\d\d)$/, '') }),
    ...((city !== undefined || country !== undefined) && {
      location: {
        address: { ...(country !== undefined && { countryCode: country }), ...(city !== undefined && { addressLocality: city }) },
      },
    }),
    statusCode: code ?? codes[stage],
    status: text,
    description: text,
  };
}

/** A shipment, its newest event first. DHL names one division of a shipment, so both legs of a parcel are in one list. */
function shipment(number: string, rows: readonly ServerRow[]): object {
  const events = rows.map(event).reverse();
  return {
    id: number,
    service: 'ecommerce-europe',
    ...(rows.some(({ stage }) => stage === 'returning') && { returnFlag: true }),
    status: events[0],
    details: { totalNumberOfPieces: 1 },
    events,
  };
}

function numberIn({ method, url }: VendorRequest): string | undefined {
  return method === 'GET' && url.pathname === TRACK_PATH ? (url.searchParams.get('trackingNumber') ?? undefined) : undefined;
}

function respond(request: VendorRequest, parcels: (number: string) => VendorParcel): VendorResponse {
  if (request.headers['dhl-api-key'] !== KEY) return unauthorized;
  if (request.url.pathname !== TRACK_PATH) return problem(404, 'Not Found', 'The requested resource does not exist.');
  const number = numberIn(request);
  if (number === undefined) return problem(400, 'Bad Request', 'The parameter trackingNumber is missing.');
  const { rows, former, isRefused } = parcels(number);
  if (isRefused) return problem(400, 'Bad Request', 'The parameter trackingNumber is invalid.');
  const shipments = [former, rows].filter((list) => list.length > 0).map((list) => shipment(number, list));
  if (shipments.length === 0) {
    return problem(404, 'No result found', 'No shipment with given tracking number found.', { instance: `/shipment/${number}` });
  }
  return { status: 200, json: { url: `/shipments?trackingNumber=${number}?offset=0&limit=5`, shipments } };
}

/** DHL signs nothing: it sends the token in the header that the subscription names. So `signs` changes nothing. */
function signPush(number: string, { rows }: VendorParcel, { secret = PUSH_TOKEN, isUnsigned = false }: PushOptions): SignedPush {
  return {
    body: JSON.stringify({ scope: 'subscription.push', self: SUBSCRIPTION, shipments: [shipment(number, rows)] }),
    headers: isUnsigned ? {} : { 'X-Parcelway-Push-Token': secret },
  };
}

/**
 * DHL Shipment Tracking - Unified (v1.5.8) and the pushes of v1.2.5. DHL responds to each broken limit, and to a quota that is used up, with the
 * same 429; it has no registration.
 */
export function startDhlServer(): Promise<SourceServer> {
  return startVendorServer({
    name: 'dhl',
    credentials: { key: KEY, push_token: PUSH_TOKEN },
    // The first service level: 250 calls a day, one in 5 seconds, 10 of one shipment.
    limits: { requestsPerSecond: 0.2, callsPerDay: 250, fetchesPerParcelPerDay: 10 },
    read(request) {
      const number = numberIn(request);
      return number === undefined ? { kind: 'other', numbers: [] } : { kind: 'query', numbers: [number] };
    },
    respond,
    refusal: (reason) => (reason === 'key revoked' ? unauthorized : tooMany),
    signPush,
  });
}
