import { createHmac } from 'node:crypto';
import { carrierCodes, cleanText, fieldsOf } from '../fields.ts';
import { type ParsePush, parseJsonBody } from '../push.ts';
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
import { isSuccessful, oneByOne, reasonOfStatus, refusalOf } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { alpha3Of, translateAfterShip } from './translation.ts';

/** AfterShip's slugs by the code of a carrier (README). */
export const slugOf = carrierCodes(
  '4px:4px anpost:an-post aramex:aramex australiapost:australia-post bpost:bpost cainiao:cainiao aliexpress:cainiao ' +
    'canadapost:canada-post chinaems:china-ems ems:china-ems chinapost:china-post cne:cnexps cnexps:cnexps colisprive:colis-prive ' +
    'deutschepost:deutsch-post dhl:dhl dhlexpress:dhl dhlecommerce:dhl-global-mail dhlecommerceasia:dhl-global-mail-asia ' +
    'dhlde:dhl-germany dhlgermany:dhl-germany dpd:dpd dpdde:dpd-de dpduk:dpd-uk fedex:fedex flytexpress:flytexpress gls:gls ' +
    'hermesde:hermes-de hongkongpost:hong-kong-post japanpost:japan-post koreapost:korea-post lasership:lasership ontrac:ontrac ' +
    'parcelforce:parcel-force purolator:purolator royalmail:royal-mail sagawa:sagawa sf:sf-express sfexpress:sf-express ' +
    'sfinternational:sfb2c singaporepost:singapore-post singpost:singapore-post sto:sto swisspost:swiss-post tnt:tnt ups:ups ' +
    'upsmi:ups-mi usps:usps yamato:taqbin-jp yanwen:yanwen yunexpress:yunexpress yunda:yundaex',
);

/**
 * Each `meta.code` that is about the one tracking of a call (the vendor's page "Request Errors"): its number or a field is wrong or missing, or its
 * carrier is not recognised, not activated or no longer supported. The call itself is right.
 */
const trackingErrors: ReadonlySet<number> = new Set([4005, 4007, 4008, 4009, 4010, 4011, 4012, 4017]);

/** `meta.code` of a tracking that exists, of one that does not, of an id that is none, and of a slug that is none. */
const ALREADY_EXISTS = 4003;
const DOES_NOT_EXIST = 4004;
const ID_INVALID = 4015;
const SLUG_INVALID = 4010;

/** The limits are counted by the second. The time that a header names is read by our clock, so it counts within bounds. */
const MIN_RESET_MS = 1000;
const MAX_RESET_MS = 60_000;

/** `meta.code` of a response; its status when there is none. */
function codeOf({ status, json }: SourceResponse): number {
  const code = fieldsOf(fieldsOf(json)['meta'])['code'];
  return typeof code === 'number' ? code : status;
}

/** True for a response that is no error, by its status and by its `meta.code`. */
function isSuccess(response: SourceResponse): boolean {
  const code = codeOf(response);
  return isSuccessful(response) && code >= 200 && code < 300;
}

/** Why AfterShip does not take the tracking of a call; undefined when the call fails for another reason. */
function rejectionOf(response: SourceResponse): string | undefined {
  const code = codeOf(response);
  return trackingErrors.has(code) && response.status < 500 ? `meta.code ${code}` : undefined;
}

/** Milliseconds until `X-RateLimit-Reset`, a time in seconds since 1970. */
function resetOf({ headers }: SourceResponse): number | undefined {
  const reset = headers['x-ratelimit-reset'];
  if (typeof reset !== 'string' || !/^\d{1,12}$/.test(reset)) return undefined;
  return Math.min(Math.max(Number(reset) * 1000 - Date.now(), MIN_RESET_MS), MAX_RESET_MS);
}

/** The refusal of a whole call, by its `meta.code` or else by its status. @param what names the call in the message */
function refusalOfAfterShip(response: SourceResponse, what: string): SourceRefusal {
  const code = codeOf(response);
  // A code of four digits is about the tracking and not about the call.
  const reason = reasonOfStatus(code < 1000 ? code : response.status);
  return refusalOf(response, what, { code, reason, retryAfterMs: reason === 'throttled' ? resetOf(response) : undefined });
}

type Tracking = Readonly<Record<string, unknown>>;

/** What `GET /trackings` says of the numbers that it was asked for. */
interface TrackingList {
  readonly trackings: readonly Tracking[];
  /** False when some trackings were not read: then nothing follows from a number that is missing. */
  readonly isComplete: boolean;
}

/** One page of `GET /trackings`. */
interface Page extends TrackingList {
  /** Cursor of the next page; undefined at the end. */
  readonly nextCursor: string | undefined;
}

/** AfterShip stores numbers in upper case. */
const normalised = (number: unknown): string => (typeof number === 'string' ? number.trim().toUpperCase() : '');

/** Reads the `data` of a page. @throws SourceRefusal when it holds no trackings */
function readPage(data: unknown): Page {
  const { trackings: listed, pagination } = fieldsOf(data);
  if (!Array.isArray(listed)) throw new SourceRefusal('wrong response', 'The response has no list of trackings');
  const trackings = listed.map(fieldsOf).filter((tracking) => normalised(tracking['tracking_number']) !== '');
  const cursor = fieldsOf(pagination)['next_cursor'];
  return {
    trackings,
    isComplete: trackings.length === listed.length,
    nextCursor: typeof cursor === 'string' && cursor !== '' ? cursor : undefined,
  };
}

/** The parcel's tracking: the one that we registered, or else the one with the newest checkpoint. A number under two slugs is two trackings. */
function trackingOf(parcel: AskedParcel, trackings: readonly Tracking[]): Tracking | undefined {
  const ours = trackings.find(
    ({ id, legacy_id }) => parcel.reference !== null && (id === parcel.reference || legacy_id === parcel.reference),
  );
  return ours ?? newestOf(trackings, (tracking) => translateAfterShip(tracking, parcel).nodes);
}

/** What a list says of one parcel. AfterShip lists what was registered, so a number that is missing is not registered. */
function resultOf(parcel: AskedParcel, { trackings, isComplete }: TrackingList): QueryResult {
  const number = normalised(parcel.trackingNumber);
  const tracking = trackingOf(
    parcel,
    trackings.filter((one) => normalised(one['tracking_number']) === number),
  );
  if (tracking === undefined) return { kind: isComplete ? 'not registered' : 'no news' };
  return { kind: 'trace', raw: tracking };
}

const PAGE_SIZE = 200;
/** 50 numbers fill a page when each is tracked under four slugs. */
const MAX_PAGES = 3;

const call = (run: SourceRun, one: SourceCall): Promise<SourceResponse> =>
  run.call({ ...one, headers: { 'as-api-key': run.credentials['key'] ?? '' } });

/** Fields of `POST /trackings`. Postcode, country and date help some carriers to find a parcel. */
function bodyOf(parcel: AskedParcel, slug: string | undefined): string {
  const { trackingNumber, destinationCountry, destinationPostcode, shipDate } = parcel;
  return JSON.stringify({
    tracking_number: trackingNumber.toUpperCase(),
    slug,
    destination_country_region: destinationCountry && alpha3Of(destinationCountry),
    destination_postal_code: destinationPostcode,
    tracking_ship_date: shipDate,
  });
}

async function registerOne(run: SourceRun, parcel: AskedParcel): Promise<RegisterResult> {
  const create = (slug?: string): Promise<SourceResponse> => call(run, { method: 'POST', path: '/trackings', body: bodyOf(parcel, slug) });
  const slug = slugOf(parcel.carrierCode);
  let response = await create(slug);
  // AfterShip no longer has a slug of our table: it detects the carrier itself.
  if (slug !== undefined && codeOf(response) === SLUG_INVALID) response = await create();
  if (isSuccess(response)) {
    const { id } = fieldsOf(fieldsOf(response.json)['data']);
    if (typeof id !== 'string' || id === '') throw new SourceRefusal('wrong response', 'POST /trackings: the response has no id');
    return { kind: 'registered', reference: id };
  }
  if (codeOf(response) === ALREADY_EXISTS) return { kind: 'registered', reference: null };
  const reason = rejectionOf(response);
  if (reason === undefined) throw refusalOfAfterShip(response, 'POST /trackings');
  return { kind: 'rejected', reason };
}

async function list(run: SourceRun, parameters: Readonly<Record<string, string>>): Promise<Page> {
  const response = await call(run, { method: 'GET', path: `/trackings?${new URLSearchParams(parameters)}` });
  if (!isSuccess(response)) throw refusalOfAfterShip(response, 'GET /trackings');
  return readPage(fieldsOf(response.json)['data']);
}

async function trackingsOf(run: SourceRun, numbers: readonly string[]): Promise<TrackingList> {
  const parameters = { tracking_numbers: numbers.join(','), limit: String(PAGE_SIZE) };
  let page = await list(run, parameters);
  let trackings = page.trackings;
  let isComplete = page.isComplete;
  for (let pages = 1; page.nextCursor !== undefined && pages < MAX_PAGES; pages += 1) {
    page = await list(run, { ...parameters, cursor: page.nextCursor });
    trackings = [...trackings, ...page.trackings];
    isComplete &&= page.isComplete;
  }
  return { trackings, isComplete: isComplete && page.nextCursor === undefined };
}

/** Events of the Tracking product. Each carries the tracking in `msg`. */
const TRACKING_EVENTS: ReadonlySet<string> = new Set(['tracking_update', 'edd_revise', 'tracking_pending_time']);

/**
 * Reads a push of the Tracking product (the vendor's page "Webhook Specifications"). Events are open strings: an unknown one counts when it
 * carries a tracking, and is about something else when it carries none.
 */
const parseAfterShipPush: ParsePush = (body) => {
  const push = fieldsOf(parseJsonBody(body));
  const { event } = push;
  if (typeof event !== 'string') throw new Error('The push is none of AfterShip: it names no event');
  const msg = fieldsOf(push['msg']);
  const trackingNumber = cleanText(msg['tracking_number'], 100);
  if (trackingNumber === '' && TRACKING_EVENTS.has(event)) throw new Error('The push of AfterShip carries no tracking');
  return trackingNumber === '' ? [] : [{ trackingNumber, raw: msg }];
};

/**
 * AfterShip Tracking API 2026-07. A parcel is registered, and then pushed and listed. The README has the limits of each call.
 * A query lists by number, so it needs no reference; the reference decides between several trackings of a number.
 * A parcel that was tracked before is registered without a reference: it may belong to another program of the account, and
 * `unregister` deletes what has a reference, and nothing else.
 */
export const sourceAfterShip: TrackingSource = {
  name: 'aftership',
  baseUrl: 'https://api.aftership.com/tracking/2026-07',
  credentials: { required: ['key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  // Each endpoint has a limit of its own; this is the lowest of those that are called.
  limits: { ...NO_LIMITS, requestsPerSecond: 5, numbersPerQuery: 50 },
  // As `tracking_number` of `CreateTrackingRequest`. A comma in one would cut the list of a query.
  takes: { pattern: /^[A-Za-z0-9._/-]{4,100}$/, words: '4 to 100 letters, digits, hyphens, points, slashes and underscores' },
  registersFor: 'queries',
  pushes: {
    secret: ['webhook_secret'],
    // The vendor's page "Webhook Signature".
    proof: { headers: ['aftership-hmac-sha256'], of: (secret, body) => createHmac('sha256', secret).update(body).digest('base64') },
    parse: parseAfterShipPush,
  },
  translate: translateAfterShip,
  register: (run, parcels) => oneByOne(parcels, (parcel) => registerOne(run, parcel)),
  async unregister(run, { reference }) {
    if (reference === null) return;
    const response = await call(run, { method: 'DELETE', path: `/trackings/${encodeURIComponent(reference)}` });
    const code = codeOf(response);
    if (!isSuccess(response) && code !== DOES_NOT_EXIST && code !== ID_INVALID) throw refusalOfAfterShip(response, 'DELETE /trackings/:id');
  },
  async query(run, parcels) {
    const found = await trackingsOf(run, [...new Set(parcels.map(({ trackingNumber }) => trackingNumber.toUpperCase()))]);
    return parcels.map((parcel) => resultOf(parcel, found));
  },
  async test(run) {
    await list(run, { limit: '1' });
  },
};
