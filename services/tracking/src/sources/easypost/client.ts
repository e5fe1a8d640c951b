import { cleanText, isFields } from '../fields.ts';
import type { AskedParcel, ClientOptions, QueryResult, RegisterResult, SourceClient } from '../source.ts';
import { countedCalls, isSuccessful, oneByOne, refusalOf, type SourceCall, type SourceResponse } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { carrierNameOfEasyPost } from './carrier-codes.ts';

/** A Tracker, as far as the client reads it. */
interface Tracker {
  readonly id: string;
  readonly code: string;
  readonly carrier: string;
  readonly details: readonly unknown[];
  readonly raw: unknown;
}

/** Ids of EasyPost are a prefix and 32 hex digits; more is let through, and nothing that would change a path. */
const TRACKER_ID = /^trk_[A-Za-z0-9_-]{1,100}$/;
/** Most Trackers that a page holds. */
const PAGE_SIZE = 100;

/** A number as it is compared: carriers print blanks into it. */
function keyOf(code: string): string {
  return code.toUpperCase().replaceAll(/\s/g, '');
}

/** Reads a Tracker; undefined when it is none. */
function trackerOf(raw: unknown): Tracker | undefined {
  if (!isFields(raw) || typeof raw.id !== 'string' || !TRACKER_ID.test(raw.id) || typeof raw.tracking_code !== 'string') return undefined;
  const details = raw.tracking_details ?? [];
  if (!Array.isArray(details)) return undefined;
  return { id: raw.id, code: raw.tracking_code, carrier: typeof raw.carrier === 'string' ? raw.carrier : '', details, raw };
}

/** Instant of the newest row of a Tracker, epoch milliseconds; minus infinity without one. */
function newestRowOf({ details }: Tracker): number {
  const instants = details.map((row) => (isFields(row) && typeof row.datetime === 'string' ? Date.parse(row.datetime) : Number.NaN));
  return instants.reduce((newest, instant) => (instant > newest ? instant : newest), Number.NEGATIVE_INFINITY);
}

/** Of several Trackers of one number, that of the parcel's carrier, then the one with the newest row. */
function trackerOfParcel(trackers: readonly Tracker[], { trackingNumber, carrierCode }: AskedParcel): Tracker | undefined {
  const carrier = carrierNameOfEasyPost(carrierCode);
  const ofNumber = trackers.filter(({ code }) => keyOf(code) === keyOf(trackingNumber));
  const ofCarrier = ofNumber.filter((tracker) => tracker.carrier === carrier);
  return newestOf(ofCarrier.length > 0 ? ofCarrier : ofNumber, newestRowOf);
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
  const tracker = trackerOf(json);
  if (tracker === undefined) throw new SourceRefusal('wrong response', `EasyPost ${what}: the response holds no Tracker`);
  return tracker;
}

/** Trackers of a list. @throws SourceRefusal when the response is none */
function trackersIn(response: SourceResponse): Tracker[] {
  if (response.status !== 200) throw refused(response, 'GET /trackers');
  const list = isFields(response.json) ? response.json.trackers : undefined;
  if (!Array.isArray(list)) throw new SourceRefusal('wrong response', 'EasyPost GET /trackers: the response has no list of Trackers');
  return list.slice(0, PAGE_SIZE).flatMap((item) => trackerOf(item) ?? []);
}

type Call = (method: SourceCall['method'], path: string, signal: AbortSignal, json?: object) => Promise<SourceResponse>;

const idOf = ({ reference }: AskedParcel): string | undefined => (reference !== null && TRACKER_ID.test(reference) ? reference : undefined);

async function registerOne(call: Call, { trackingNumber, carrierCode }: AskedParcel, signal: AbortSignal): Promise<RegisterResult> {
  const tracker = { tracking_code: trackingNumber, carrier: carrierNameOfEasyPost(carrierCode) };
  const response = await call('POST', '/trackers', signal, { tracker });
  const rejection = rejectionOf(response);
  if (rejection !== undefined) return rejection;
  if (!isSuccessful(response)) throw refused(response, 'POST /trackers');
  return { kind: 'registered', reference: trackerIn(response, 'POST /trackers').id };
}

async function unregisterOne(call: Call, parcel: AskedParcel, signal: AbortSignal): Promise<void> {
  const id = idOf(parcel);
  if (id === undefined) return;
  const response = await call('DELETE', `/trackers/${id}`, signal);
  if (response.status !== 404 && !isSuccessful(response)) throw refused(response, 'DELETE /trackers');
}

async function queryOne(call: Call, parcel: AskedParcel, signal: AbortSignal): Promise<QueryResult> {
  const id = idOf(parcel);
  const search = new URLSearchParams({ tracking_code: parcel.trackingNumber, page_size: String(PAGE_SIZE) });
  const response = await call('GET', id === undefined ? `/trackers?${search}` : `/trackers/${id}`, signal);
  if (id !== undefined && response.status === 404) return { kind: 'not registered' };
  const rejection = rejectionOf(response);
  if (rejection !== undefined) return rejection;
  if (id !== undefined && response.status !== 200) throw refused(response, 'GET /trackers/{id}');
  const tracker = id === undefined ? trackerOfParcel(trackersIn(response), parcel) : trackerIn(response, 'GET /trackers/{id}');
  return tracker === undefined ? { kind: 'not registered' } : { kind: 'trace', raw: tracker.raw };
}

/**
 * Client of EasyPost. `reference` is the id of the Tracker; without it, a query lists the Trackers of the number. A parcel without one has no Tracker
 * that is ours to delete.
 */
export function createEasyPostClient(options: ClientOptions): SourceClient {
  const { baseUrl, credentials } = options;
  const authorization = `Basic ${Buffer.from(`${credentials['key'] ?? ''}:`, 'utf8').toString('base64')}`;
  const newCalls = (): Call => {
    const send = countedCalls(options);
    return (method, path, signal, json) => {
      const body = json === undefined ? undefined : JSON.stringify(json);
      return send({ method, url: baseUrl + path, headers: { authorization }, body, signal });
    };
  };
  return {
    async register(parcels, signal) {
      const call = newCalls();
      return oneByOne(parcels, (parcel) => registerOne(call, parcel, signal));
    },
    async unregister(parcels, signal) {
      const call = newCalls();
      await oneByOne(parcels, (parcel) => unregisterOne(call, parcel, signal));
    },
    async query(parcels, signal) {
      const call = newCalls();
      return oneByOne(parcels, (parcel) => queryOne(call, parcel, signal));
    },
    /** Lists one Tracker: EasyPost has no call for this alone, and any key may list. */
    async test(signal) {
      trackersIn(await newCalls()('GET', '/trackers?page_size=1', signal));
    },
  };
}
