import { createHash, randomBytes } from 'node:crypto';
import {
  type ServerRow,
  type ServerStage,
  type SourceServer,
  startVendorServer,
  type VendorCall,
  type VendorParcel,
  type VendorRequest,
  type VendorResponse,
} from './source-server.ts';

/** What 17TRACK writes of a stage: `stage`, which it often leaves out, and `sub_status`. */
const codes: Readonly<Record<ServerStage, readonly [stage: string | null, subStatus: string]>> = {
  'in transit': [null, 'InTransit_Other'],
  'out for delivery': ['OutForDelivery', 'OutForDelivery_Other'],
  delivered: ['Delivered', 'Delivered_Other'],
};

/** What the number's form is detected as. */
const DETECTED_CARRIER = 3011;
const PROVIDER = { key: DETECTED_CARRIER, name: 'China Post' };

function eventOf(row: ServerRow): object {
  const { city = null, country = null } = row;
  const [stage, subStatus] = codes[row.stage];
  return {
    time_iso: row.at,
    description: row.stage,
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

function itemsOf({ json }: VendorRequest): Item[] {
  return Array.isArray(json) ? json.filter((item: Item | null) => typeof item?.number === 'string') : [];
}

const KEY_CODE = -18010002;
/** 17TRACK says under 200 why the call as a whole fails, but for a wrong key. */
const unauthorized: VendorResponse = {
  status: 401,
  json: { code: KEY_CODE, data: { errors: [{ code: KEY_CODE, message: 'Invalid security key.' }] } },
};

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
    return listsOf(itemsOf(request).flatMap((item) => outcomesOf(item, parcels(item.number))));
  },
});

/** Starts a server that speaks the API v2.4 of 17TRACK. A number must be registered before it is known. */
export function start17TrackServer(): Promise<SourceServer> {
  const key = randomBytes(16).toString('hex').toUpperCase();
  return startVendorServer({
    name: '17track',
    credentials: { key },
    basePath: '/track/v2.4',
    calls: {
      'POST /register': ofNumbers('register', register),
      'POST /deletetrack': ofNumbers('unregister', unregister),
      'POST /gettrackinfo': ofNumbers('query', query),
      'POST /getquota': { kind: 'other', respond: () => ({ status: 200, json: { code: 0, data: { quota_total: 200 } } }) },
    },
    isAuthorized: ({ headers }) => headers['17token'] === key,
    unauthorized,
    notFound: { status: 404 },
    quotaUsedUp: (numbers) => listsOf(numbers.map((number) => rejected({ number }, -18019908, 'Quota is not enough for use.'))),
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
