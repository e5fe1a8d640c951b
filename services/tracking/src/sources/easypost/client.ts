import { cleanText, isFields } from '../fields.ts';
import type { AskedParcel, ClientOptions, QueryResult, RegisterResult, SourceClient } from '../source.ts';
import {
  countedCalls,
  oneByOne,
  refusalOf,
  retryAfterOf,
  type SourceCall,
  type SourceResponse,
  withoutCredentials,
} from '../source-http.ts';
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

/** The refusal that a response is. A conflict is a second call about the same number while the first one lasts. */
function refusalOfEasyPost(response: SourceResponse, what: string): SourceRefusal {
  const code = errorOf(response)?.code ?? '';
  const reason =
    response.status === 409 ? 'unavailable' : accountErrors.find(([pattern]) => response.status < 500 && pattern.test(code))?.[1];
  const byStatus = refusalOf(response, what);
  if (reason === undefined || byStatus.reason === reason) return byStatus;
  return new SourceRefusal(reason, `${what}: ${response.status} ${code}`.trim(), {
    retryAfterMs: retryAfterOf(response.headers, Date.now()),
    status: response.status,
  });
}

function wrong(what: string): SourceRefusal {
  return new SourceRefusal('wrong response', `EasyPost ${what}: the response holds no Tracker`);
}

type Call = (method: SourceCall['method'], path: string, signal: AbortSignal, json?: object) => Promise<SourceResponse>;

/** The calls of a connection, each about one Tracker. */
class EasyPostClient implements SourceClient {
  readonly #options: ClientOptions;

  constructor(options: ClientOptions) {
    this.#options = options;
  }

  /** The calls of one run of a method. */
  #newCalls(): Call {
    const { baseUrl, credentials } = this.#options;
    const send = countedCalls(this.#options);
    const authorization = `Basic ${Buffer.from(`${credentials['key'] ?? ''}:`, 'utf8').toString('base64')}`;
    return (method, path, signal, json) => {
      const body = json === undefined ? undefined : JSON.stringify(json);
      return send({ method, url: baseUrl + path, headers: { authorization }, body, signal });
    };
  }

  /** Runs the calls one after another: each is about one parcel. */
  async #inTurn<Result>(parcels: readonly AskedParcel[], one: (parcel: AskedParcel, call: Call) => Promise<Result>): Promise<Result[]> {
    const call = this.#newCalls();
    return oneByOne(parcels, (parcel) => one(parcel, call));
  }

  /**
   * Why EasyPost does not take a number, without the key should it be among the words; undefined when the response is about something else.
   * 400 and 422 with an error are about the one number of the call, unless the error is of the account.
   */
  #rejectionOf(response: SourceResponse): { kind: 'rejected'; reason: string } | undefined {
    const error = response.status === 400 || response.status === 422 ? errorOf(response) : undefined;
    if (error === undefined || accountErrors.some(([pattern]) => pattern.test(error.code))) return undefined;
    const text = `${error.code}: ${error.message}`;
    return { kind: 'rejected', reason: cleanText(withoutCredentials(text, this.#options.credentials), 300) };
  }

  register(parcels: readonly AskedParcel[], signal: AbortSignal): Promise<RegisterResult[]> {
    return this.#inTurn(parcels, async ({ trackingNumber, carrierCode }, call) => {
      const tracker = { tracking_code: trackingNumber, carrier: carrierNameOfEasyPost(carrierCode) };
      const response = await call('POST', '/trackers', signal, { tracker });
      const rejection = this.#rejectionOf(response);
      if (rejection !== undefined) return rejection;
      if (response.status !== 200 && response.status !== 201) throw refusalOfEasyPost(response, 'EasyPost POST /trackers');
      const created = trackerOf(response.json);
      if (created === undefined) throw wrong('POST /trackers');
      return { kind: 'registered', reference: created.id };
    });
  }

  /** Deletes the Trackers. A parcel without a reference has none that is ours. */
  async unregister(parcels: readonly AskedParcel[], signal: AbortSignal): Promise<void> {
    await this.#inTurn(parcels, async ({ reference }, call) => {
      if (reference === null || !TRACKER_ID.test(reference)) return;
      const response = await call('DELETE', `/trackers/${reference}`, signal);
      if (response.status === 404 || (response.status >= 200 && response.status < 300)) return;
      throw refusalOfEasyPost(response, 'EasyPost DELETE /trackers');
    });
  }

  query(parcels: readonly AskedParcel[], signal: AbortSignal): Promise<QueryResult[]> {
    return this.#inTurn(parcels, (parcel, call) =>
      parcel.reference !== null && TRACKER_ID.test(parcel.reference)
        ? this.#queryById(call, parcel.reference, signal)
        : this.#queryByNumber(call, parcel, signal),
    );
  }

  async #queryById(call: Call, id: string, signal: AbortSignal): Promise<QueryResult> {
    const response = await call('GET', `/trackers/${id}`, signal);
    if (response.status === 404) return { kind: 'not registered' };
    const rejection = this.#rejectionOf(response);
    if (rejection !== undefined) return rejection;
    if (response.status !== 200) throw refusalOfEasyPost(response, 'EasyPost GET /trackers/{id}');
    return resultOf(trackerOf(response.json), 'GET /trackers/{id}');
  }

  async #queryByNumber(call: Call, parcel: AskedParcel, signal: AbortSignal): Promise<QueryResult> {
    const search = new URLSearchParams({ tracking_code: parcel.trackingNumber, page_size: String(PAGE_SIZE) });
    const response = await call('GET', `/trackers?${search}`, signal);
    const rejection = this.#rejectionOf(response);
    if (rejection !== undefined) return rejection;
    const found = trackerOfParcel(this.#trackersOf(response), parcel);
    return found === undefined ? { kind: 'not registered' } : resultOf(found, 'GET /trackers');
  }

  /** Trackers of a list. @throws SourceRefusal when the response is none */
  #trackersOf(response: SourceResponse): Tracker[] {
    if (response.status !== 200) throw refusalOfEasyPost(response, 'EasyPost GET /trackers');
    const list = isFields(response.json) ? response.json.trackers : undefined;
    if (!Array.isArray(list)) throw new SourceRefusal('wrong response', 'EasyPost GET /trackers: the response has no list of Trackers');
    return list.slice(0, PAGE_SIZE).flatMap((item) => trackerOf(item) ?? []);
  }

  /** Lists one Tracker: EasyPost has no call for this alone, and any key may list. */
  async test(signal: AbortSignal): Promise<void> {
    this.#trackersOf(await this.#newCalls()('GET', '/trackers?page_size=1', signal));
  }
}

/** @throws SourceRefusal when it is no Tracker */
function resultOf(tracker: Tracker | undefined, what: string): QueryResult {
  if (tracker === undefined) throw wrong(what);
  return { kind: 'trace', raw: tracker.raw };
}

/** Client of EasyPost. `reference` is the id of the Tracker; without it, a query lists the Trackers of the number. */
export function createEasyPostClient(options: ClientOptions): SourceClient {
  return new EasyPostClient(options);
}
