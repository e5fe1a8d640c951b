import { createHash, createHmac, randomUUID } from 'node:crypto';
import type { ServerRow, ServerStage, SourceServer } from './source-server.ts';
import { type Parcels, startVendorServer, type VendorRequest, type VendorResponse } from './vendor-server.ts';

const credentials = { key: 'asat_test_key', webhook_secret: 'aftership-webhook-secret' };
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
const failed = (status: number, code: number, type: string, message: string, headers = {}): VendorResponse => ({
  status,
  json: { meta: { code, message, type }, data: {} },
  headers,
});
const badRequest = (code: number, message: string): VendorResponse => failed(400, code, 'BadRequest', message);
const wrongKey = failed(401, 401, 'Unauthorized', 'The API key is invalid.');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');

function checkpointOf(row: ServerRow, slug: string): Record<string, unknown> {
  const [tag, subtag] = stages[row.stage];
  return {
    created_at: '2026-11-26T00:00:00+00:00',
    slug,
    checkpoint_time: row.at,
    location: null,
    city: row.city ?? null,
    state: null,
    country_region: row.country === undefined ? null : (alpha3[row.country] ?? null),
    message: row.text ?? row.stage,
    tag,
    subtag,
    raw_tag: null,
    source: 'carrier',
    hash: createHash('sha256').update(JSON.stringify(row)).digest('hex').slice(0, 32),
  };
}

/** A tracking as the vendor writes it: the oldest checkpoint is the first. */
function trackingOf({ id, number, slug, fields }: Registered, rows: readonly ServerRow[]): Record<string, unknown> {
  const checkpoints = rows.map((row) => checkpointOf(row, slug));
  const newest = checkpoints.at(-1);
  const [tag, subtag] = [newest?.['tag'] ?? 'Pending', newest?.['subtag'] ?? 'Pending_001'];
  return {
    id,
    tracking_number: number,
    slug,
    active: tag !== 'Delivered',
    ...fields,
    tag,
    subtag,
    checkpoints,
    source: 'api',
    title: number,
  };
}

/** Trackings of an account, by number. */
type Account = Map<string, Registered>;

function create(account: Account, { json }: VendorRequest, parcels: Parcels): VendorResponse {
  const { tracking_number, slug, ...fields } = json;
  const number = text(tracking_number).toUpperCase();
  if (!/^[A-Z0-9._/-]{4,100}$/.test(number)) return badRequest(4005, 'The value of `tracking_number` is invalid.');
  const country = fields['destination_country_region'];
  if (country !== undefined && !/^[A-Z]{3}$/.test(text(country)))
    return badRequest(4008, 'The value of `destination_country_region` is invalid.');
  const parcel = parcels(number);
  if (parcel.isRefused) return badRequest(4012, 'Unable to import shipment as the tracking number has an invalid format.');
  if (account.has(number)) return badRequest(4003, 'Tracking already exists.');
  const one: Registered = { id: randomUUID().replaceAll('-', ''), number, slug: text(slug) || 'unrecognized', fields };
  account.set(number, one);
  parcel.reference = one.id;
  return ok(201, trackingOf(one, []));
}

const numbersOf = ({ url }: VendorRequest): string[] =>
  (url.searchParams.get('tracking_numbers') ?? '').split(',').filter((number) => number !== '');

function list(account: Account, request: VendorRequest, parcels: Parcels): VendorResponse {
  const numbers = numbersOf(request);
  const { searchParams } = request.url;
  const size = Number(searchParams.get('limit') ?? DEFAULT_PAGE);
  if (numbers.length > NUMBERS_OF_A_LIST || !(size >= 1 && size <= MAX_PAGE))
    return badRequest(4008, 'The value of a parameter is invalid.');
  const asked = numbers.length === 0 ? [...account.keys()] : numbers.map((number) => number.toUpperCase());
  const all = asked.flatMap((number) => {
    const one = account.get(number);
    return one === undefined ? [] : [trackingOf(one, parcels(number).rows)];
  });
  const from = Number(searchParams.get('cursor') ?? 0);
  const hasNext = from + size < all.length;
  const pagination = { total: all.length, next_cursor: hasNext ? String(from + size) : null, has_next_page: hasNext };
  return ok(200, { pagination, trackings: all.slice(from, from + size) });
}

/**
 * Starts a server that speaks the Tracking API 2026-07 of AfterShip. AfterShip limits each endpoint by itself; the server counts all calls
 * against the lowest of them. A refused number cannot be registered, so no list has it.
 */
export function startAfterShipServer(): Promise<SourceServer> {
  const account: Account = new Map();
  const registered = ({ id }: VendorRequest): Registered | undefined => [...account.values()].find((one) => one.id === id);
  const numberOf = (request: VendorRequest): string[] => [registered(request)?.number ?? []].flat();
  const notFound = failed(404, 4004, 'NotFound', 'Tracking does not exist.');
  const show = (request: VendorRequest, parcels: Parcels): VendorResponse => {
    const one = registered(request);
    return one === undefined ? notFound : ok(200, trackingOf(one, parcels(one.number).rows));
  };
  return startVendorServer({
    name: 'aftership',
    credentials,
    basePath: '/tracking/2026-07',
    limits: { requestsPerSecond: 5 },
    calls: {
      'POST /trackings': {
        kind: 'register',
        numbers: ({ json }) => [text(json['tracking_number'])],
        respond: (request, parcels) => create(account, request, parcels),
      },
      'GET /trackings': { kind: 'query', numbers: numbersOf, respond: (request, parcels) => list(account, request, parcels) },
      'GET /trackings/{id}': { kind: 'query', numbers: numberOf, respond: show },
      'DELETE /trackings/{id}': {
        kind: 'unregister',
        numbers: numberOf,
        respond(request, parcels, numbers) {
          const response = show(request, parcels);
          for (const number of numbers) {
            account.delete(number);
            parcels(number).reference = undefined;
          }
          return response;
        },
      },
    },
    authorize: ({ headers }) => (headers['as-api-key'] === credentials.key ? undefined : wrongKey),
    notFound,
    refusal(reason) {
      if (reason === 'key revoked') return wrongKey;
      if (reason === 'quota used up') return failed(402, 402, 'PaymentRequired', 'The quota of your plan is used up.');
      const reset = String(Math.floor(Date.now() / 1000) + 1);
      const headers = { 'x-ratelimit-reset': reset, 'x-ratelimit-limit': '5', 'x-ratelimit-remaining': '0' };
      return failed(429, 429, 'TooManyRequests', 'You have exceeded the API call rate limit.', headers);
    },
    // A push of the Tracking product, signed with `aftership-hmac-sha256` (the vendor's page "Webhook Signature").
    signPush(number, { rows }, { secret = credentials.webhook_secret, signs }) {
      const one = account.get(number.toUpperCase()) ?? { id: randomUUID().replaceAll('-', ''), number, slug: 'unrecognized', fields: {} };
      const ts = Math.floor(Date.now() / 1000);
      const body = JSON.stringify({ event: 'tracking_update', event_id: randomUUID(), msg: trackingOf(one, rows), ts });
      const signature = createHmac('sha256', secret)
        .update(signs ?? body)
        .digest('base64');
      const headers = { 'content-type': 'application/json', 'as-webhook-version': '2026-07' };
      return { body, headers, proof: { 'aftership-hmac-sha256': signature } };
    },
  });
}
