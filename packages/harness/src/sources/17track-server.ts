import { createHash, randomBytes } from 'node:crypto';
import type { ServerRow, ServerStage, SourceServer } from './source-server.ts';
import {
  startVendorServer,
  type Vendor,
  type VendorCall,
  type VendorParcel,
  type VendorRequest,
  type VendorResponse,
} from './vendor-server.ts';

/** What 17TRACK writes of a stage: `stage`, which it often leaves out, and `sub_status`. */
const codes: Readonly<Record<ServerStage, readonly [stage: string | null, subStatus: string]>> = {
  'info received': ['InfoReceived', 'InfoReceived'],
  'picked up': ['PickedUp', 'InTransit_PickedUp'],
  'in transit': [null, 'InTransit_Other'],
  customs: [null, 'InTransit_CustomsProcessing'],
  'out for delivery': ['OutForDelivery', 'OutForDelivery_Other'],
  'attempt failed': [null, 'DeliveryFailure_NoBody'],
  exception: [null, 'Exception_Delayed'],
  returning: ['Returning', 'Exception_Returning'],
  delivered: ['Delivered', 'Delivered_Other'],
};

/** What the number's form is detected as. */
const DETECTED_CARRIER = 3011;
const PROVIDER = { key: DETECTED_CARRIER, name: 'China Post' };

function eventOf(row: ServerRow): object {
  const { text = row.stage, city = null, country = null } = row;
  const [stage, subStatus] = codes[row.stage];
  return {
    time_iso: row.at,
    description: text,
    location: [city, country].filter((part) => part !== null).join(', ') || null,
    stage,
    sub_status: subStatus,
    address: { country, state: null, city },
  };
}

function newestFirst(rows: readonly ServerRow[]): ServerRow[] {
  return [...rows].reverse().sort((a, b) => Date.parse(b.at) - Date.parse(a.at));
}

/** The `track_info` of a parcel. */
function trackInfoOf(rows: readonly ServerRow[]): object {
  const [newest] = newestFirst(rows);
  const subStatus = newest === undefined ? 'NotFound_Other' : codes[newest.stage][1];
  const provider = { provider: PROVIDER, events: rows.length === 0 ? null : newestFirst(rows).map(eventOf) };
  return {
    latest_status: { status: subStatus.split('_', 1)[0], sub_status: subStatus },
    latest_event: newest === undefined ? null : eventOf(newest),
    tracking: { providers: [provider] },
  };
}

/** An item of a request. */
interface Item {
  readonly number: string;
  readonly carrier?: number;
}

/** Numbers that a call takes. */
const MAX_NUMBERS = 40;

function itemsOf({ json }: VendorRequest): Item[] {
  return Array.isArray(json) ? json.filter((item: Item | null) => typeof item?.number === 'string') : [];
}

/** Why the call as a whole fails. 17TRACK says it under 200, but for a wrong key and for too many calls. */
const failure = (code: number, message: string, status = 200): VendorResponse => ({
  status,
  json: { code, data: { errors: [{ code, message }] } },
});
const wrongKey = failure(-18010002, 'Invalid security key.', 401);

type Outcome = { readonly accepted: object } | { readonly rejected: object };

const rejected = ({ number, carrier = 0 }: Item, code: number, message: string): Outcome => ({
  rejected: { number, carrier, error: { code, message } },
});
const notRegistered = (item: Item): Outcome =>
  rejected(item, -18019902, `The tracking number '${item.number}' does not register, please register first.`);

function listsOf(outcomes: readonly Outcome[]): VendorResponse {
  const accepted = outcomes.flatMap((outcome) => ('accepted' in outcome ? [outcome.accepted] : []));
  return {
    status: 200,
    json: { code: 0, data: { accepted, rejected: outcomes.flatMap((one) => ('rejected' in one ? [one.rejected] : [])) } },
  };
}

function register(item: Item, parcel: VendorParcel): Outcome[] {
  const { number, carrier = DETECTED_CARRIER } = item;
  if (parcel.isRefused) return [rejected(item, -18019903, 'The carrier can not be detected.')];
  if (parcel.reference !== undefined) {
    const known = { number, carrier: Number(parcel.reference) };
    return [rejected(known, -18019901, `The tracking number '${number}' has been registered, no need to repeat it.`)];
  }
  parcel.reference = String(carrier);
  return [{ accepted: { number, carrier } }];
}

const isAnother = ({ carrier }: Item, { reference }: VendorParcel): boolean =>
  reference === undefined || (carrier !== undefined && String(carrier) !== reference);

function unregister(item: Item, parcel: VendorParcel): Outcome[] {
  if (isAnother(item, parcel)) return [notRegistered(item)];
  const carrier = Number(parcel.reference);
  parcel.reference = undefined;
  return [{ accepted: { number: item.number, carrier } }];
}

function query(item: Item, parcel: VendorParcel): Outcome[] {
  const { number } = item;
  if (parcel.isRefused) return [rejected(item, -18010012, `The format of '${number}' is invalid.`)];
  if (isAnother(item, parcel)) return [notRegistered(item)];
  const carrier = Number(parcel.reference);
  if (parcel.rows.length === 0) return [rejected({ number, carrier }, -18019909, 'No tracking information at this time.')];
  return [{ accepted: { number, carrier, track_info: trackInfoOf(parcel.rows) } }];
}

/** A call that handles each of its numbers. */
const ofNumbers = (kind: VendorCall['kind'], outcomesOf: (item: Item, parcel: VendorParcel) => Outcome[]): VendorCall => ({
  kind,
  numbers: (request) => itemsOf(request).map(({ number }) => number),
  respond(request, parcels) {
    const items = itemsOf(request);
    if (items.length === 0) return failure(-18010013, 'Invalid submitted data.');
    if (items.length > MAX_NUMBERS) return failure(-18010014, 'The tracking numbers exceed the maximum of 40.');
    return listsOf(items.flatMap((item) => outcomesOf(item, parcels(item.number))));
  },
});

const NO_QUOTA = 'Quota is not enough for use.';

const refusal: Vendor['refusal'] = (reason, numbers) => {
  if (reason === 'throttled') return failure(429, 'Too many requests.', 429);
  if (reason === 'key revoked') return wrongKey;
  if (reason === 'daily limit') return failure(-18019907, 'Exceeded daily request limit.');
  // The quota applies to each number.
  return numbers.length === 0 ? failure(-18019908, NO_QUOTA) : listsOf(numbers.map((number) => rejected({ number }, -18019908, NO_QUOTA)));
};

/** Starts a server that speaks the API v2.4 of 17TRACK. A number must be registered before it is known. */
export function start17TrackServer(): Promise<SourceServer> {
  const key = randomBytes(16).toString('hex').toUpperCase();
  return startVendorServer({
    name: '17track',
    credentials: { key },
    basePath: '/track/v2.4',
    quotaFor: 'register',
    limits: { requestsPerSecond: 3 },
    calls: {
      'POST /register': ofNumbers('register', register),
      'POST /deletetrack': ofNumbers('unregister', unregister),
      'POST /gettrackinfo': ofNumbers('query', query),
      'POST /getquota': { kind: 'other', respond: () => ({ status: 200, json: { code: 0, data: { quota_total: 200 } } }) },
    },
    authorize: ({ headers }) => (headers['17token'] === key ? undefined : wrongKey),
    notFound: { status: 404 },
    refusal,
    signPush(number, { rows, reference }, { secret = key, signs }) {
      const data = { number, carrier: Number(reference ?? DETECTED_CARRIER), track_info: trackInfoOf(rows) };
      const body = JSON.stringify({ event: 'TRACKING_UPDATED', data });
      const sign = createHash('sha256')
        .update(`${signs ?? body}/${secret}`)
        .digest('hex');
      return { body, headers: {}, proof: { sign } };
    },
  });
}
