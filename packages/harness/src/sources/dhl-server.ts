import {
  type ServerRow,
  type ServerStage,
  type SourceServer,
  startVendorServer,
  type VendorRequest,
  type VendorResponse,
} from './source-server.ts';

const KEY = 'dhl-key-5b1f';
const PUSH_TOKEN = 'dhl-push-token-91c2';
const SUBSCRIPTION = 'https://api-eu.dhl.com/tracking/push/v1/subscription/5d9f6a1e-2c0b-4a59-9f53-2f6a7f0c1d77';

/** DHL has five codes. */
const codes: Readonly<Record<ServerStage, string>> = { 'in transit': 'transit', 'out for delivery': 'transit', delivered: 'delivered' };

/** A problem as DHL writes one (RFC 9457). */
const problem = (status: number, title: string, detail: string): VendorResponse => ({
  status,
  json: { title, detail, status },
  headers: { 'content-type': 'application/problem+json' },
});

const unauthorized = problem(401, 'Unauthorized', 'Unauthorized for given resource.');

function event({ stage, at, city, country }: ServerRow): object {
  const address = { ...(country !== undefined && { countryCode: country }), ...(city !== undefined && { addressLocality: city }) };
  return {
    timestamp: at,
    ...(Object.keys(address).length > 0 && { location: { address } }),
    statusCode: codes[stage],
    status: stage,
    description: stage,
  };
}

/** A shipment, its newest event first. */
function shipment(id: string, rows: readonly ServerRow[]): object {
  const events = rows.map(event).reverse();
  return { id, service: 'ecommerce-europe', status: events[0], events };
}

const numbersOf = ({ url }: VendorRequest): string[] => url.searchParams.getAll('trackingNumber').slice(0, 1);

/**
 * DHL Shipment Tracking - Unified (v1.5.8) and the pushes of v1.2.5. DHL has no registration. It signs nothing: it sends the token in the header
 * that the subscription names, so `signs` changes nothing.
 */
export function startDhlServer(): Promise<SourceServer> {
  return startVendorServer({
    name: 'dhl',
    credentials: { key: KEY, push_token: PUSH_TOKEN },
    calls: {
      'GET /track/shipments': {
        kind: 'query',
        numbers: numbersOf,
        respond(_request, parcels, [number]) {
          if (number === undefined || parcels(number).isRefused)
            return problem(400, 'Bad Request', 'The parameter trackingNumber is invalid.');
          const { rows } = parcels(number);
          if (rows.length === 0) return problem(404, 'No result found', 'No shipment with given tracking number found.');
          return { status: 200, json: { shipments: [shipment(number, rows)] } };
        },
      },
    },
    isAuthorized: ({ headers }) => headers['dhl-api-key'] === KEY,
    unauthorized,
    notFound: problem(404, 'Not Found', 'The requested resource does not exist.'),
    signPush: (number, { rows }, { secret = PUSH_TOKEN }) => ({
      body: JSON.stringify({ scope: 'subscription.push', self: SUBSCRIPTION, shipments: [shipment(number, rows)] }),
      headers: {},
      proof: { 'X-Parcelway-Push-Token': secret },
    }),
  });
}
