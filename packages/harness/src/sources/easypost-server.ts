import { createHmac, randomBytes } from 'node:crypto';
import { trackerOf, writeTracker } from './easypost-tracker.ts';
import type { PushOptions, SignedPush, SourceServer } from './source-server.ts';
import {
  type Parcels,
  startVendorServer,
  type VendorOptions,
  type VendorParcel,
  type VendorRequest,
  type VendorResponse,
} from './vendor-server.ts';

const LIST = '/v2/trackers';

/** Trackers by their ids, and what they were made with. A deleted one is none. */
type Trackers = Map<string, { readonly number: string; readonly carrier: string }>;

function failure(status: number, code: string, message: string): VendorResponse {
  return { status, json: { error: { code, message, errors: [] } } };
}

/** `tracker` in the body of a request that creates one. */
function createdOf({ json }: VendorRequest): { number: string; carrier: string | undefined } | undefined {
  const { tracker } = (json ?? {}) as { tracker?: { tracking_code?: unknown; carrier?: unknown } };
  const { tracking_code: number, carrier } = tracker ?? {};
  return typeof number === 'string' && number !== '' ? { number, carrier: typeof carrier === 'string' ? carrier : undefined } : undefined;
}

/** Id of a Tracker in a path. */
function idOf({ url }: VendorRequest): string | undefined {
  return url.pathname.startsWith(`${LIST}/`) ? url.pathname.slice(LIST.length + 1) : undefined;
}

function rowsOf({ former, rows }: VendorParcel): VendorParcel['rows'] {
  return [...former, ...rows];
}

const refused = failure(422, 'TRACKER.CREATE.ERROR', 'The tracking code is not valid for any carrier.');
const notFound = failure(404, 'NOT_FOUND', 'The requested resource could not be found.');

/** Within three months the same number gives the first Tracker. A new one has no rows yet. */
function create(request: VendorRequest, parcels: Parcels, trackers: Trackers): VendorResponse {
  const created = createdOf(request);
  if (created === undefined) return failure(422, 'PARAMETER.REQUIRED', 'Missing required parameter.');
  const { number, carrier = 'USPS' } = created;
  const parcel = parcels(number);
  if (parcel.isRefused) return refused;
  if (parcel.reference !== undefined) return show(parcel.reference, parcels, trackers);
  const id = `trk_${randomBytes(16).toString('hex')}`;
  parcel.reference = id;
  trackers.set(id, { number, carrier });
  return { status: 200, json: trackerOf({ id, trackingCode: number, carrier, rows: [] }) };
}

function show(id: string, parcels: Parcels, trackers: Trackers): VendorResponse {
  const tracker = trackers.get(id);
  if (tracker === undefined) return notFound;
  const parcel = parcels(tracker.number);
  if (parcel.isRefused) return refused;
  return { status: 200, json: trackerOf({ id, trackingCode: tracker.number, carrier: tracker.carrier, rows: rowsOf(parcel) }) };
}

function remove(id: string, parcels: Parcels, trackers: Trackers): VendorResponse {
  const tracker = trackers.get(id);
  if (tracker === undefined) return notFound;
  parcels(tracker.number).reference = undefined;
  trackers.delete(id);
  return { status: 200, json: { success: true } };
}

/** A list: of a number when the request names one. */
function list({ url }: VendorRequest, parcels: Parcels, trackers: Trackers): VendorResponse {
  const number = url.searchParams.get('tracking_code');
  if (number !== null && parcels(number).isRefused) return refused;
  const pageSize = Number(url.searchParams.get('page_size') ?? 20);
  if (!(pageSize >= 1 && pageSize <= 100)) return failure(422, 'UNPROCESSABLE_ENTITY', 'page_size is not within 1 and 100.');
  const found = [...trackers].filter(([, tracker]) => number === null || tracker.number === number).slice(0, pageSize);
  return { status: 200, json: { trackers: found.map(([id]) => show(id, parcels, trackers).json), has_more: false } };
}

function respond(key: string, request: VendorRequest, parcels: Parcels, trackers: Trackers): VendorResponse {
  const expected = `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
  if (request.headers.authorization !== expected) return failure(401, 'UNAUTHORIZED', 'Authentication is required and has failed.');
  const [id, { method, url }] = [idOf(request), request];
  if (id !== undefined && method === 'GET') return show(id, parcels, trackers);
  if (id !== undefined && method === 'DELETE') return remove(id, parcels, trackers);
  if (url.pathname === LIST && method === 'POST') return create(request, parcels, trackers);
  if (url.pathname === LIST && method === 'GET') return list(request, parcels, trackers);
  return notFound;
}

function refusal(reason: Parameters<VendorOptions['refusal']>[0]): VendorResponse {
  switch (reason) {
    case 'throttled':
    case 'daily limit':
      return failure(429, 'RATE_LIMITED', 'Too many requests.');
    case 'quota used up':
      return failure(402, 'PAYMENT_REQUIRED', 'Billing information is missing, or the funds are insufficient.');
    case 'key revoked':
      return failure(403, 'APIKEY.INACTIVE', 'This api key is no longer active.');
  }
}

function read(request: VendorRequest, trackers: Trackers): ReturnType<VendorOptions['read']> {
  const [id, { method, url }] = [idOf(request), request];
  if (method === 'POST' && url.pathname === LIST) {
    const number = createdOf(request)?.number;
    return { kind: 'register', numbers: number === undefined ? [] : [number] };
  }
  const number = id === undefined ? url.searchParams.get('tracking_code') : trackers.get(id)?.number;
  const numbers = typeof number === 'string' ? [number] : [];
  if (method === 'DELETE') return { kind: 'unregister', numbers };
  return { kind: id !== undefined || numbers.length > 0 ? 'query' : 'other', numbers };
}

/** An Event about a Tracker. */
function signPush(secretOfConnection: string, number: string, parcel: VendorParcel, trackers: Trackers, options: PushOptions): SignedPush {
  const { secret = secretOfConnection, isUnsigned = false, signs } = options;
  const id = parcel.reference ?? `trk_${randomBytes(16).toString('hex')}`;
  const carrier = trackers.get(id)?.carrier ?? 'USPS';
  const body = writeTracker({
    description: 'tracker.updated',
    mode: 'production',
    previous_attributes: { status: 'unknown' },
    created_at: '2026-11-26T09:00:00.000Z',
    pending_urls: [],
    completed_urls: [],
    updated_at: '2026-11-26T09:00:00.000Z',
    id: `evt_${randomBytes(16).toString('hex')}`,
    user_id: 'user_invented',
    status: 'pending',
    object: 'Event',
    result: trackerOf({ id, trackingCode: number, carrier, rows: rowsOf(parcel) }),
  });
  const signature = createHmac('sha256', secret.normalize('NFKD')).update(signs ?? body);
  const headers: Record<string, string> = isUnsigned ? {} : { 'x-hmac-signature': `hmac-sha256-hex=${signature.digest('hex')}` };
  return { body, headers };
}

/** Starts a server that speaks the Trackers of EasyPost's API v2. Its secret has a letter that Unicode writes in two ways. */
export function startEasyPostServer(): Promise<SourceServer> {
  const key = `EZAK${randomBytes(27).toString('hex')}`;
  const secret = `s\u00e9cret-${randomBytes(8).toString('hex')}`;
  const trackers: Trackers = new Map();
  return startVendorServer({
    name: 'easypost',
    credentials: { key, webhook_secret: secret },
    basePath: '/v2',
    limits: { requestsPerSecond: 5, callsPerDay: null, fetchesPerParcelPerDay: null },
    read: (request) => read(request, trackers),
    respond: (request, parcels) => respond(key, request, parcels, trackers),
    refusal,
    signPush: (number, parcel, options) => signPush(secret, number, parcel, trackers, options),
  });
}
