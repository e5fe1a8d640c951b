import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { PushOptions, ServerRow, ServerStage, SignedPush, SourceServer } from './source-server.ts';
import { type Parcels, startVendorServer, type VendorRequest, type VendorResponse } from './vendor-server.ts';

const credentials = { key: 'asat_test_key', webhook_secret: 'aftership-webhook-secret' };
const BASE_PATH = '/tracking/2026-07';
const NUMBERS_OF_A_LIST = 50;
const MAX_PAGE = 200;
const DEFAULT_PAGE = 100;

/** Tag and subtag of each stage (the vendor's pages "Delivery Statuses" and "Delivery Sub-statuses"). */
const stages: Readonly<Record<ServerStage, readonly [tag: string, subtag: string]>> = {
  'info received': ['InfoReceived', 'InfoReceived_001'],
  'picked up': ['InTransit', 'InTransit_002'],
  'in transit': ['InTransit', 'InTransit_007'],
  customs: ['InTransit', 'InTransit_006'],
  'out for delivery': ['OutForDelivery', 'OutForDelivery_001'],
  'attempt failed': ['AttemptFail', 'AttemptFail_001'],
  exception: ['Exception', 'Exception_005'],
  returning: ['Exception', 'Exception_010'],
  delivered: ['Delivered', 'Delivered_001'],
};

const alpha3: Readonly<Record<string, string>> = { CN: 'CHN', HK: 'HKG', US: 'USA', GB: 'GBR', DE: 'DEU', FR: 'FRA', AU: 'AUS', JP: 'JPN' };

/** A tracking that a client has made. */
interface Registered {
  readonly id: string;
  readonly number: string;
  readonly slug: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

const ok = (status: number, data: unknown): VendorResponse => ({ status, json: { meta: { code: status }, data } });

/** An error in the vendor's envelope (its page "Request Errors"). */
function failed(
  status: number,
  code: number,
  type: string,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): VendorResponse {
  return { status, json: { meta: { code, message, type }, data: {} }, headers };
}

const notFound = failed(404, 4004, 'NotFound', 'Tracking does not exist.');
const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function checkpointOf(row: ServerRow, slug: string): Record<string, unknown> {
  const [tag, subtag] = stages[row.stage];
  const country = row.country === undefined ? null : (alpha3[row.country] ?? null);
  return {
    created_at: '2026-11-26T00:00:00+00:00',
    slug: row.leg === 2 ? 'usps' : slug,
    checkpoint_time: row.at === null || row.hasZone !== false ? row.at : row.at.slice(0, 19),
    location: null,
    city: row.city ?? null,
    state: null,
    postal_code: null,
    coordinate: null,
    country_region: country,
    country_region_name: null,
    message: row.text ?? row.stage,
    tag,
    subtag: row.code ?? subtag,
    subtag_message: null,
    raw_tag: null,
    events: [],
    source: 'carrier',
    hash: createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 32),
  };
}

/** A tracking as the vendor writes it: the oldest checkpoint is the first. */
function trackingOf({ id, number, slug, fields }: Registered, rows: readonly ServerRow[]): Record<string, unknown> {
  const checkpoints = rows.map((row) => checkpointOf(row, slug));
  const newest = checkpoints.at(-1);
  return {
    id,
    legacy_id: null,
    created_at: '2026-11-20T00:00:00+00:00',
    updated_at: '2026-11-26T00:00:00+00:00',
    tracking_number: number,
    slug,
    active: newest?.['tag'] !== 'Delivered',
    destination_country_region: null,
    destination_postal_code: null,
    tracking_ship_date: null,
    ...fields,
    tag: newest?.['tag'] ?? 'Pending',
    subtag: newest?.['subtag'] ?? 'Pending_001',
    checkpoints,
    source: 'api',
    title: number,
    first_mile: null,
    last_mile: null,
  };
}

/** Trackings of an account, by number. */
type Account = Map<string, Registered>;

function create(account: Account, json: unknown, parcels: Parcels): VendorResponse {
  if (typeof json !== 'object' || json === null) return failed(400, 4001, 'BadRequest', 'Invalid JSON data.');
  const { tracking_number, slug, ...fields } = json as Record<string, unknown>;
  const number = text(tracking_number).toUpperCase();
  if (number === '') return failed(400, 4007, 'BadRequest', '`tracking_number` is required.');
  if (!/^[A-Z0-9._/-]{4,100}$/.test(number)) return failed(400, 4005, 'BadRequest', 'The value of `tracking_number` is invalid.');
  const country = fields['destination_country_region'];
  if (country !== undefined && !/^[A-Z]{3}$/.test(text(country)))
    return failed(400, 4008, 'BadRequest', 'The value of `destination_country_region` is invalid.');
  const parcel = parcels(number);
  if (parcel.isRefused) return failed(400, 4012, 'BadRequest', 'Unable to import shipment as the tracking number has an invalid format.');
  if (account.has(number)) return failed(400, 4003, 'BadRequest', 'Tracking already exists.');
  const one: Registered = { id: randomUUID().replaceAll('-', ''), number, slug: text(slug) || 'unrecognized', fields };
  account.set(number, one);
  parcel.reference = one.id;
  return ok(201, trackingOf(one, []));
}

/** The trackings of a number; the parcel that had the number before is tracked under another slug. */
function trackingsOf(one: Registered, parcels: Parcels): Record<string, unknown>[] {
  const { rows, former } = parcels(one.number);
  const before = { ...one, id: createHash('sha256').update(one.id).digest('hex').slice(0, 32), slug: 'tnt' };
  return [...(former.length === 0 ? [] : [trackingOf(before, former)]), trackingOf(one, rows)];
}

const numbersOf = (url: URL): string[] => (url.searchParams.get('tracking_numbers') ?? '').split(',').filter((number) => number !== '');

function list(account: Account, url: URL, parcels: Parcels): VendorResponse {
  const numbers = numbersOf(url);
  if (numbers.length > NUMBERS_OF_A_LIST) return failed(400, 4008, 'BadRequest', 'The value of `tracking_numbers` is invalid.');
  const size = Number(url.searchParams.get('limit') ?? DEFAULT_PAGE);
  if (!(size >= 1 && size <= MAX_PAGE)) return failed(400, 4008, 'BadRequest', 'The value of `limit` is invalid.');
  const asked = numbers.length === 0 ? [...account.keys()] : numbers.map((number) => number.toUpperCase());
  const all = asked.flatMap((number) => account.get(number) ?? []).flatMap((one) => trackingsOf(one, parcels));
  const from = Number(url.searchParams.get('cursor') ?? 0);
  const hasNext = from + size < all.length;
  const pagination = { total: all.length, next_cursor: hasNext ? String(from + size) : null, has_next_page: hasNext };
  return ok(200, { pagination, trackings: all.slice(from, from + size) });
}

function respond(account: Account, { method, url, headers, json }: VendorRequest, parcels: Parcels): VendorResponse {
  if (headers['as-api-key'] !== credentials.key) return failed(401, 401, 'Unauthorized', 'The API key is invalid.');
  const path = url.pathname.slice(BASE_PATH.length);
  if (path === '/trackings' && method === 'POST') return create(account, json, parcels);
  if (path === '/trackings' && method === 'GET') return list(account, url, parcels);
  const id = /^\/trackings\/([^/]+)$/.exec(path)?.[1];
  if (id === undefined) return failed(404, 404, 'NotFound', 'The URI requested is invalid or the resource requested does not exist.');
  const one = [...account.values()].find((registered) => registered.id === id);
  if (one === undefined) return notFound;
  if (method === 'DELETE') {
    account.delete(one.number);
    parcels(one.number).reference = undefined;
  }
  return ok(200, trackingOf(one, parcels(one.number).rows));
}

function read(
  account: Account,
  { method, url, json }: VendorRequest,
): { kind: 'register' | 'unregister' | 'query' | 'other'; numbers: string[] } {
  const path = url.pathname.slice(BASE_PATH.length);
  if (path === '/trackings' && method === 'POST') {
    return { kind: 'register', numbers: [text((json as Record<string, unknown> | undefined)?.['tracking_number'])] };
  }
  if (path === '/trackings') return { kind: numbersOf(url).length > 0 ? 'query' : 'other', numbers: numbersOf(url) };
  const numbers = [...account.values()].filter(({ id }) => path === `/trackings/${id}`).map(({ number }) => number);
  return { kind: method === 'DELETE' ? 'unregister' : 'query', numbers };
}

/** A push of the Tracking product, signed with `aftership-hmac-sha256` (the vendor's page "Webhook Signature"). */
function signPush(one: Registered, rows: readonly ServerRow[], options: PushOptions): SignedPush {
  const msg = trackingOf(one, rows);
  const body = JSON.stringify({
    event: 'tracking_update',
    event_id: randomUUID(),
    is_tracking_first_tag: true,
    msg,
    ts: Math.floor(Date.now() / 1000),
  });
  const signature = createHmac('sha256', options.secret ?? credentials.webhook_secret)
    .update(options.signs ?? body)
    .digest('base64');
  const headers = { 'content-type': 'application/json', 'as-webhook-version': '2026-07' };
  return { body, headers: options.isUnsigned === true ? headers : { ...headers, 'aftership-hmac-sha256': signature } };
}

function throttled(): VendorResponse {
  const reset = String(Math.floor(Date.now() / 1000) + 1);
  const headers = { 'x-ratelimit-reset': reset, 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' };
  return failed(429, 429, 'TooManyRequests', 'You have exceeded the API call rate limit.', headers);
}

/**
 * Starts a server that speaks the Tracking API 2026-07 of AfterShip. AfterShip limits each endpoint by itself; the server counts all calls
 * against the lowest of them. A parcel's second leg is reported by `usps`. A refused number cannot be registered, so no list has it.
 */
export function startAfterShipServer(): Promise<SourceServer> {
  const account: Account = new Map();
  return startVendorServer({
    name: 'aftership',
    credentials,
    basePath: BASE_PATH,
    limits: { requestsPerSecond: 5, callsPerDay: null, fetchesPerParcelPerDay: null },
    read: (request) => read(account, request),
    respond: (request, parcels) => respond(account, request, parcels),
    refusal(reason) {
      if (reason === 'key revoked') return failed(401, 401, 'Unauthorized', 'The API key is invalid.');
      if (reason === 'quota used up') return failed(402, 402, 'PaymentRequired', 'The quota of your plan is used up.');
      return throttled();
    },
    signPush(number, { rows }, options) {
      const one = account.get(number.toUpperCase()) ?? { id: randomUUID().replaceAll('-', ''), number, slug: 'unrecognized', fields: {} };
      return signPush(one, rows, options);
    },
  });
}
