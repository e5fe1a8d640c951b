import { createHmac, randomBytes } from 'node:crypto';
import type { ServerRow, ServerStage, SourceServer } from './source-server.ts';
import { type Parcels, startVendorServer, type VendorParcel, type VendorRequest, type VendorResponse } from './vendor-server.ts';

/** What EasyPost writes of a stage: `status` and `status_detail`. */
const codes: Readonly<Record<ServerStage, readonly [status: string, detail: string]>> = {
  'in transit': ['in_transit', 'arrived_at_facility'],
  'out for delivery': ['out_for_delivery', 'out_for_delivery'],
  delivered: ['delivered', 'arrived_at_destination'],
};

function detailOf(row: ServerRow): object {
  const [status, detail] = codes[row.stage];
  return {
    message: row.stage,
    status,
    status_detail: detail,
    datetime: row.at,
    tracking_location: { city: row.city ?? null, state: null, country: row.country ?? null },
  };
}

/** What a client has registered. */
interface Tracker {
  readonly number: string;
  readonly carrier: string;
}

/** A Tracker as EasyPost writes it. */
function trackerOf(id: string, { number, carrier }: Tracker, { rows }: Pick<VendorParcel, 'rows'>): object {
  const details = [...rows].sort((a, b) => Date.parse(a.at) - Date.parse(b.at));
  const newest = details.at(-1);
  const [status, detail] = newest === undefined ? ['unknown', 'unknown'] : codes[newest.stage];
  return {
    id,
    object: 'Tracker',
    tracking_code: number,
    status,
    status_detail: detail,
    weight: 136,
    carrier,
    tracking_details: details.map(detailOf),
  };
}

const failure = (status: number, code: string, message: string): VendorResponse => ({
  status,
  json: { error: { code, message, errors: [] } },
});
const notFound = failure(404, 'NOT_FOUND', 'The requested resource could not be found.');
const newId = (kind: string): string => `${kind}_${randomBytes(16).toString('hex')}`;

/** What a request registers. */
function createdOf({ json }: VendorRequest): Tracker {
  const { tracking_code: number, carrier = 'USPS' } = json['tracker'] as { readonly tracking_code: string; readonly carrier?: string };
  return { number, carrier };
}

/** Trackers by id, without deleted ones. */
type Trackers = Map<string, Tracker>;

function show(id: string, parcels: Parcels, trackers: Trackers): VendorResponse {
  const tracker = trackers.get(id);
  return tracker === undefined ? notFound : { status: 200, json: trackerOf(id, tracker, parcels(tracker.number)) };
}

/** Within three months the same number gives the first Tracker. A new one has no rows yet. */
function create(request: VendorRequest, parcels: Parcels, trackers: Trackers): VendorResponse {
  const created = createdOf(request);
  const parcel = parcels(created.number);
  if (parcel.reference !== undefined) return show(parcel.reference, parcels, trackers);
  parcel.reference = newId('trk');
  trackers.set(parcel.reference, created);
  return { status: 200, json: trackerOf(parcel.reference, created, { rows: [] }) };
}

/** A list: of a number when the request names one. */
function list({ url }: VendorRequest, parcels: Parcels, trackers: Trackers): VendorResponse {
  const number = url.searchParams.get('tracking_code');
  const found = [...trackers].filter(([, tracker]) => number === null || tracker.number === number).slice(0, 100);
  return { status: 200, json: { trackers: found.map(([id]) => show(id, parcels, trackers).json) } };
}

/** Starts a server that speaks the Trackers of EasyPost's API v2. Its secret has a letter that Unicode writes in two ways. */
export function startEasyPostServer(): Promise<SourceServer> {
  const key = `EZAK${randomBytes(27).toString('hex')}`;
  const webhook_secret = `s\u00e9cret-${randomBytes(8).toString('hex')}`;
  const trackers: Trackers = new Map();
  const numberOf = ({ id }: VendorRequest): string[] => [trackers.get(id)?.number ?? []].flat();
  return startVendorServer({
    name: 'easypost',
    credentials: { key, webhook_secret },
    basePath: '/v2',
    calls: {
      'POST /trackers': {
        kind: 'register',
        numbers: (request) => [createdOf(request).number],
        respond: (request, parcels) => create(request, parcels, trackers),
      },
      'GET /trackers': {
        kind: 'query',
        numbers: ({ url }) => url.searchParams.getAll('tracking_code'),
        respond: (request, parcels) => list(request, parcels, trackers),
      },
      'GET /trackers/{id}': { kind: 'query', numbers: numberOf, respond: ({ id }, parcels) => show(id, parcels, trackers) },
      'DELETE /trackers/{id}': {
        kind: 'unregister',
        numbers: numberOf,
        respond({ id }, parcels, numbers) {
          for (const number of numbers) parcels(number).reference = undefined;
          return trackers.delete(id) ? { status: 200, json: { success: true } } : notFound;
        },
      },
    },
    isAuthorized: ({ headers }) => headers.authorization === `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
    unauthorized: failure(401, 'UNAUTHORIZED', 'Authentication is required and has failed.'),
    notFound,
    // An Event about a Tracker.
    signPush(number, parcel, { secret = webhook_secret, signs }) {
      const id = parcel.reference ?? newId('trk');
      const result = trackerOf(id, { number, carrier: trackers.get(id)?.carrier ?? 'USPS' }, parcel);
      const about = { description: 'tracker.updated', mode: 'production', id: newId('evt'), object: 'Event' };
      // EasyPost writes a weight of 136 as `136.0`; JSON.stringify does not.
      const body = JSON.stringify({ ...about, created_at: '2026-11-26T09:00:00.000Z', result }).replaceAll(
        '"weight":136,',
        '"weight":136.0,',
      );
      const signature = createHmac('sha256', secret.normalize('NFKD')).update(signs ?? body);
      return { body, headers: {}, proof: { 'x-hmac-signature': `hmac-sha256-hex=${signature.digest('hex')}` } };
    },
  });
}
