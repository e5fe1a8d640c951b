import { createHash, randomBytes } from 'node:crypto';
import { trackInfoOf } from './17track-track-info.ts';
import type { SourceServer } from './source-server.ts';
import {
  type Parcels,
  startVendorServer,
  type VendorOptions,
  type VendorParcel,
  type VendorRequest,
  type VendorResponse,
} from './vendor-server.ts';

/** An item of a request, such as `{ number, carrier }`. */
interface Item {
  readonly number: string;
  readonly carrier: number | undefined;
}

const BASE_PATH = '/track/v2.4';
/** Numbers that a call takes. */
const MAX_NUMBERS = 40;
/** What the number's form is detected as. */
const DETECTED_CARRIER = 3011;
const FORMER_CARRIER = 7041;

const kinds = new Map<string, 'register' | 'unregister' | 'query'>([
  [`${BASE_PATH}/register`, 'register'],
  [`${BASE_PATH}/deletetrack`, 'unregister'],
  [`${BASE_PATH}/gettrackinfo`, 'query'],
]);

/** Items of a request; undefined when it is no list of them. */
function itemsOf({ json }: VendorRequest): Item[] | undefined {
  if (!Array.isArray(json)) return undefined;
  const items = (json as unknown[]).map((item): Item | undefined => {
    const { number, carrier } = (item ?? {}) as { number?: unknown; carrier?: unknown };
    return typeof number === 'string' ? { number, carrier: typeof carrier === 'number' ? carrier : undefined } : undefined;
  });
  return items.includes(undefined) ? undefined : (items as Item[]);
}

/** Why the call as a whole fails. 17TRACK says it under 200, but for a wrong key and for too many calls. */
function failure(code: number, message: string, status = 200): VendorResponse {
  return { status, json: { code, data: { errors: [{ code, message }] } } };
}

type Outcome = { readonly accepted: object } | { readonly rejected: object };

function rejected({ number, carrier }: Item, code: number, message: string): Outcome {
  return { rejected: { number, carrier: carrier ?? 0, error: { code, message } } };
}

function listsOf(outcomes: readonly Outcome[]): VendorResponse {
  const accepted = outcomes.flatMap((outcome) => ('accepted' in outcome ? [outcome.accepted] : []));
  return {
    status: 200,
    json: { code: 0, data: { accepted, rejected: outcomes.flatMap((one) => ('rejected' in one ? [one.rejected] : [])) } },
  };
}

function register(item: Item, parcel: VendorParcel): Outcome {
  const { number } = item;
  if (parcel.isRefused) return rejected(item, -18019903, 'The carrier can not be detected.');
  if (parcel.reference !== undefined) {
    return rejected(
      { number, carrier: Number(parcel.reference) },
      -18019901,
      `The tracking number '${number}' has been registered, no need to repeat it.`,
    );
  }
  const carrier = item.carrier ?? DETECTED_CARRIER;
  parcel.reference = String(carrier);
  return { accepted: { origin: item.carrier === undefined ? 1 : 2, number, carrier, email: null, tag: null, lang: null } };
}

function unregister(item: Item, parcel: VendorParcel): Outcome {
  if (parcel.reference === undefined || (item.carrier !== undefined && String(item.carrier) !== parcel.reference))
    return notRegistered(item);
  const carrier = Number(parcel.reference);
  parcel.reference = undefined;
  return { accepted: { number: item.number, carrier } };
}

function notRegistered(item: Item): Outcome {
  return rejected(item, -18019902, `The tracking number '${item.number}' does not register, please register first.`);
}

/** One item for each parcel that has the number: 17TRACK keeps them apart by their carriers. */
function query(item: Item, parcel: VendorParcel): Outcome[] {
  const { number } = item;
  if (parcel.isRefused) return [rejected(item, -18010012, `The format of '${number}' is invalid.`)];
  if (parcel.reference === undefined || (item.carrier !== undefined && String(item.carrier) !== parcel.reference))
    return [notRegistered(item)];
  const one = (carrier: number, rows: VendorParcel['rows']): Outcome => ({
    accepted: { number, carrier, param: null, tag: null, lang: 'en', special_tracking_info: null, track_info: trackInfoOf(rows) },
  });
  const carrier = Number(parcel.reference);
  const former = parcel.former.length === 0 ? [] : [one(FORMER_CARRIER, parcel.former)];
  if (parcel.rows.length > 0) return [...former, one(carrier, parcel.rows)];
  return [...former, rejected({ number, carrier }, -18019909, 'No tracking information at this time.')];
}

function respond(key: string, request: VendorRequest, parcels: Parcels): VendorResponse {
  if (request.headers['17token'] !== key) return failure(-18010002, 'Invalid security key.', 401);
  const { pathname } = request.url;
  if (request.method !== 'POST') return { status: 404 };
  if (pathname === `${BASE_PATH}/getquota`) {
    return { status: 200, json: { code: 0, data: { quota_total: 200, quota_used: 1, quota_remain: 199, max_track_daily: 0 } } };
  }
  const kind = kinds.get(pathname);
  if (kind === undefined) return { status: 404 };
  const items = itemsOf(request);
  if (items === undefined || items.length === 0) return failure(-18010013, 'Invalid submitted data.');
  if (items.length > MAX_NUMBERS) return failure(-18010014, 'The tracking numbers exceed the maximum of 40.');
  const outcomes = items.flatMap((item) => {
    if (!/^[A-Za-z0-9-]{5,50}$/.test(item.number)) return rejected(item, -18010012, `The format of '${item.number}' is invalid.`);
    const parcel = parcels(item.number);
    if (kind === 'query') return query(item, parcel);
    return kind === 'register' ? register(item, parcel) : unregister(item, parcel);
  });
  return listsOf(outcomes);
}

/** The quota is a matter of the single number. */
function quotaUsedUp(request: VendorRequest): VendorResponse {
  const message = 'Quota is not enough for use.';
  const items = itemsOf(request) ?? [];
  return items.length === 0 ? failure(-18019908, message) : listsOf(items.map((item) => rejected(item, -18019908, message)));
}

function refusal(reason: Parameters<VendorOptions['refusal']>[0], request: VendorRequest): VendorResponse {
  switch (reason) {
    case 'throttled':
      return failure(429, 'Too many requests.', 429);
    case 'daily limit':
      return failure(-18019907, 'Exceeded daily request limit.');
    case 'quota used up':
      return quotaUsedUp(request);
    case 'key revoked':
      return failure(-18010002, 'Invalid security key.', 401);
  }
}

/** Starts a server that speaks the API v2.4 of 17TRACK. A number must be registered before it is known. */
export function start17TrackServer(): Promise<SourceServer> {
  const key = randomBytes(16).toString('hex').toUpperCase();
  return startVendorServer({
    name: '17track',
    credentials: { key },
    basePath: BASE_PATH,
    quotaFor: 'register',
    limits: { requestsPerSecond: 3, callsPerDay: null, fetchesPerParcelPerDay: null },
    read: (request) => ({
      kind: kinds.get(request.url.pathname) ?? 'other',
      numbers: (itemsOf(request) ?? []).map(({ number }) => number),
    }),
    respond: (request, parcels) => respond(key, request, parcels),
    refusal,
    signPush(number, { rows, reference }, { secret = key, isUnsigned = false, signs }) {
      const carrier = Number(reference ?? DETECTED_CARRIER);
      const data = { number, carrier, param: null, tag: null, track_info: trackInfoOf(rows) };
      const body = JSON.stringify({ event: 'TRACKING_UPDATED', data });
      const signature = createHash('sha256').update(`${signs ?? body}/${secret}`);
      const headers: Record<string, string> = isUnsigned ? {} : { sign: signature.digest('hex') };
      return { body, headers };
    },
  });
}
