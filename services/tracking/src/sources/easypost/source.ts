import { createHmac } from 'node:crypto';
import { carrierCodes, carrierKeyOf, cleanText, isFields, listOf } from '../fields.ts';
import { type ParsePush, type PushProof, parseJsonBody } from '../push.ts';
import {
  type AskedParcel,
  NO_LIMITS,
  type QueryResult,
  type RegisterResult,
  type SourceCall,
  type SourceResponse,
  type SourceRun,
  type TrackingSource,
} from '../source.ts';
import { isSuccessful, oneByOne, refusalOf } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { timeOfRow, translateEasyPost } from './translation.ts';

/** EasyPost's names of carriers that it tracks ("Carrier Tracking Strings", from an older page), each found by its own letters. */
const names =
  'AmazonMws APC Asendia AsendiaUsa AustraliaPost BetterTrucks Cainiao CanadaPost Canpar Chronopost DaiPost DeutschePost DeutschePostUK ' +
  'DHLEcommerceAsia DhlEcs DHLExpress DPD DPDUK ePostGlobal Estafeta Fastway FedEx FirstMile Hermes JPPost KuronekoYamato LaPoste ' +
  'LaserShipV2 LSO OnTrac Parcelforce PassportGlobal PostNL Purolator RoyalMail SFExpress StarTrack TForce UDS UPS UPSIparcel ' +
  'UPSMailInnovations USPS Veho Yanwen';

/** Other words for a carrier, with EasyPost's name of it. Evri was Hermes, and EasyPost calls it so. */
const synonyms =
  'colissimo:LaPoste dhlecommerce:DhlEcs dhlecommercesolutions:DhlEcs dhlecommerceus:DhlEcs evri:Hermes japanpost:JPPost ' +
  'lasership:LaserShipV2 passport:PassportGlobal sf:SFExpress';

/** EasyPost's name of the carrier of a dispatch. */
export const carrierNameOfEasyPost = carrierCodes(`${names.replaceAll(/\S+/g, (name) => `${carrierKeyOf(name)}:${name}`)} ${synonyms}`);

/** A Tracker, as far as it is read here. */
interface Tracker {
  readonly id: string;
  readonly tracking_code: string;
  readonly carrier?: unknown;
  readonly tracking_details?: unknown;
}

/** Ids of EasyPost are a prefix and 32 hex digits; more is let through, and nothing that would change a path. */
const TRACKER_ID = /^trk_[A-Za-z0-9_-]{1,100}$/;
/** Most Trackers that a page holds. */
const PAGE_SIZE = 100;

/** A number as it is compared: carriers print blanks into it. */
function keyOf(code: string): string {
  return code.toUpperCase().replaceAll(/\s/g, '');
}

function isTracker(raw: unknown): raw is Tracker {
  if (!isFields(raw) || typeof raw.id !== 'string' || typeof raw.tracking_code !== 'string') return false;
  return TRACKER_ID.test(raw.id) && Array.isArray(raw.tracking_details ?? []);
}

/** Of several Trackers of one number, that of the parcel's carrier, then the one with the newest row. */
function trackerOfParcel(trackers: readonly Tracker[], parcel: AskedParcel): Tracker | undefined {
  const carrier = carrierNameOfEasyPost(parcel.carrierCode);
  const ofNumber = trackers.filter(({ tracking_code: code }) => keyOf(code) === keyOf(parcel.trackingNumber));
  const ofCarrier = ofNumber.filter((tracker) => carrier !== undefined && tracker.carrier === carrier);
  return newestOf(ofCarrier.length > 0 ? ofCarrier : ofNumber, (tracker) => listOf(tracker.tracking_details).map(timeOfRow));
}

/** `code` and `message` of an error of EasyPost; undefined when the response has none. */
function errorOf({ json }: SourceResponse): { code: string; message: string } | undefined {
  const error = isFields(json) ? json.error : undefined;
  if (!isFields(error)) return undefined;
  return { code: cleanText(error.code, 100), message: cleanText(error.message, 200) };
}

/** Errors that are of the account, whatever status they come with. */
const accountErrors: readonly (readonly [RegExp, RefusalReason])[] = [
  [/^(APIKEY\.|UNAUTHORIZED$|FORBIDDEN$)/, 'access denied'],
  [/^(BILLING\.|PAYMENT_REQUIRED$)/, 'quota used up'],
  [/^RATE_LIMITED$/, 'throttled'],
];

/** What an error says of the account. A conflict is a second call about the same number while the first one lasts. */
function reasonOf({ status }: SourceResponse, code: string): RefusalReason | undefined {
  if (status === 409) return 'unavailable';
  return status < 500 ? accountErrors.find(([pattern]) => pattern.test(code))?.[1] : undefined;
}

/** The refusal that a response is. */
function refused(response: SourceResponse, what: string): SourceRefusal {
  const code = errorOf(response)?.code ?? '';
  const reason = reasonOf(response, code);
  return refusalOf(response, `EasyPost ${what}`, reason && { code, reason });
}

/** Why EasyPost does not take a number: 400 and 422 with an error are about the one number of the call, unless the error is of the account. */
function rejectionOf(response: SourceResponse): { kind: 'rejected'; reason: string } | undefined {
  const error = response.status === 400 || response.status === 422 ? errorOf(response) : undefined;
  if (error === undefined || reasonOf(response, error.code) !== undefined) return undefined;
  return { kind: 'rejected', reason: `${error.code}: ${error.message}` };
}

/** The Tracker in a response. @throws SourceRefusal when it holds none */
function trackerIn({ json }: SourceResponse, what: string): Tracker {
  if (!isTracker(json)) throw new SourceRefusal('wrong response', `EasyPost ${what}: the response holds no Tracker`);
  return json;
}

/** Trackers of a list. @throws SourceRefusal when the response is none */
function trackersIn(response: SourceResponse): Tracker[] {
  if (response.status !== 200) throw refused(response, 'GET /trackers');
  const list = isFields(response.json) ? response.json.trackers : undefined;
  if (!Array.isArray(list)) throw new SourceRefusal('wrong response', 'EasyPost GET /trackers: the response has no list of Trackers');
  return list.slice(0, PAGE_SIZE).filter(isTracker);
}

function call(run: SourceRun, method: SourceCall['method'], path: string, json?: object): Promise<SourceResponse> {
  const authorization = `Basic ${Buffer.from(`${run.credentials['key'] ?? ''}:`, 'utf8').toString('base64')}`;
  return run.call({ method, path, headers: { authorization }, body: json && JSON.stringify(json) });
}

const idOf = ({ reference }: AskedParcel): string | undefined => (reference !== null && TRACKER_ID.test(reference) ? reference : undefined);

async function registerOne(run: SourceRun, { trackingNumber, carrierCode }: AskedParcel): Promise<RegisterResult> {
  const tracker = { tracking_code: trackingNumber, carrier: carrierNameOfEasyPost(carrierCode) };
  const response = await call(run, 'POST', '/trackers', { tracker });
  const rejection = rejectionOf(response);
  if (rejection !== undefined) return rejection;
  if (!isSuccessful(response)) throw refused(response, 'POST /trackers');
  return { kind: 'registered', reference: trackerIn(response, 'POST /trackers').id };
}

async function queryOne(run: SourceRun, parcel: AskedParcel): Promise<QueryResult> {
  const id = idOf(parcel);
  const search = new URLSearchParams({ tracking_code: parcel.trackingNumber, page_size: String(PAGE_SIZE) });
  const response = await call(run, 'GET', id === undefined ? `/trackers?${search}` : `/trackers/${id}`);
  if (id !== undefined && response.status === 404) return { kind: 'not registered' };
  const rejection = rejectionOf(response);
  if (rejection !== undefined) return rejection;
  if (id !== undefined && response.status !== 200) throw refused(response, 'GET /trackers/{id}');
  const tracker = id === undefined ? trackerOfParcel(trackersIn(response), parcel) : trackerIn(response, 'GET /trackers/{id}');
  return tracker === undefined ? { kind: 'not registered' } : { kind: 'trace', raw: tracker };
}

/** Events whose result is a Tracker. */
const trackerEvents: ReadonlySet<unknown> = new Set(['tracker.created', 'tracker.updated']);

/**
 * The signature over the bytes as they came (src/utils/util.js of easypost-node): HMAC-SHA256, keyed with the secret in Unicode form NFKD. A body that is
 * serialised again has another signature, as EasyPost writes a weight of 136 as `136.0`.
 */
const signatureOf: PushProof['of'] = (secret, body) =>
  `hmac-sha256-hex=${createHmac('sha256', secret.normalize('NFKD')).update(body).digest('hex')}`;

/** Reads an Event of EasyPost. One about something other than a Tracker holds no trace. */
const parseEasyPostPush: ParsePush = (body) => {
  const event = parseJsonBody(body);
  if (!isFields(event) || typeof event.description !== 'string') throw new Error('The push is no Event of EasyPost');
  if (!trackerEvents.has(event.description)) return [];
  const raw = event.result;
  const code = isFields(raw) ? raw.tracking_code : undefined;
  // A number that is cut would be another parcel's.
  const trackingNumber = typeof code === 'string' && code.length <= 100 ? cleanText(code, 100) : '';
  if (!isFields(raw) || trackingNumber === '') throw new Error('The Event holds no Tracker with a tracking code');
  return [{ trackingNumber, raw }];
};

/**
 * EasyPost. The limit of 5 calls a second is that of lists; the others depend on EasyPost's load.
 * `reference` is the id of the Tracker; without it, a query lists the Trackers of the number. A parcel without one has no Tracker
 * that is ours to delete.
 */
export const sourceEasyPost: TrackingSource = {
  name: 'easypost',
  baseUrl: 'https://api.easypost.com/v2',
  credentials: { required: ['key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: { ...NO_LIMITS, requestsPerSecond: 5 },
  registersFor: 'queries',
  pushes: {
    secret: ['webhook_secret'],
    proof: { headers: ['x-hmac-signature'], of: signatureOf },
    parse: parseEasyPostPush,
  },
  translate: translateEasyPost,
  register: (run, parcels) => oneByOne(parcels, (parcel) => registerOne(run, parcel)),
  async unregister(run, parcel) {
    const id = idOf(parcel);
    if (id === undefined) return;
    const response = await call(run, 'DELETE', `/trackers/${id}`);
    if (response.status !== 404 && !isSuccessful(response)) throw refused(response, 'DELETE /trackers');
  },
  query: (run, parcels) => oneByOne(parcels, (parcel) => queryOne(run, parcel)),
  /** Lists one Tracker: EasyPost has no call for this alone, and any key may list. */
  async test(run) {
    trackersIn(await call(run, 'GET', '/trackers?page_size=1'));
  },
};
