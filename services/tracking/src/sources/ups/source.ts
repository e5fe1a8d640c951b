import { randomUUID } from 'node:crypto';
import { MAX_NODES } from '../../watch/domain/node.ts';
import type { GrantedToken } from '../access-token.ts';
import { type Fields, fieldsOf, isFields, listOf } from '../fields.ts';
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
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { newestOf } from '../trace.ts';
import { placeOfActivity, shortText, timeOfActivity, translateUps } from './translation.ts';

const normalised = (number: unknown): string => shortText(number).replaceAll(' ', '').toUpperCase();

function packagesOf(shipment: Fields): readonly Fields[] {
  return listOf(shipment['package']).filter(isFields);
}

/** The only package of a shipment whose number was asked for: its own number may be another one, as of UPS Mail Innovations. */
function onlyPackages(shipments: readonly Fields[], number: string): readonly Fields[] {
  return shipments
    .filter((shipment) => normalised(shipment['inquiryNumber']) === number)
    .map(packagesOf)
    .filter((packages) => packages.length === 1)
    .flat();
}

/**
 * Finds the package of a number in a response of `GET /track/v1/details/{inquiryNumber}` (Tracking.yaml): by its number, or else by its alternate
 * numbers, or else as the only one of the shipment. UPS uses numbers again: of several packages it is the one with the newest activity.
 * @returns undefined when UPS does not know the number; it says so by a shipment with the warning TW0001 and without a package
 * @throws SourceRefusal when it is no such response
 */
function findPackage(response: unknown, asked: AskedParcel): Fields | undefined {
  const shipment = fieldsOf(fieldsOf(response)['trackResponse'])['shipment'];
  if (!Array.isArray(shipment))
    throw new SourceRefusal('wrong response', 'GET /track/v1/details: the response has no trackResponse.shipment');
  const shipments = shipment.filter(isFields);
  const number = normalised(asked.trackingNumber);
  const packages = shipments.flatMap(packagesOf);
  const newest = (parcels: readonly Fields[]): Fields | undefined =>
    newestOf(parcels, (parcel) =>
      listOf(parcel['activity'])
        .slice(0, Math.ceil(MAX_NODES / parcels.length))
        .map(fieldsOf)
        .map((activity) => timeOfActivity(activity, placeOfActivity(activity))),
    );
  const hasAlternate = (parcel: Fields): boolean =>
    listOf(parcel['alternateTrackingNumber']).some((alternate) => normalised(fieldsOf(alternate)['number']) === number);
  return (
    newest(packages.filter((parcel) => normalised(parcel['trackingNumber']) === number)) ??
    newest(packages.filter(hasAlternate)) ??
    newest(onlyPackages(shipments, number))
  );
}

/** Codes of errors that concern no number (table of UPSTrackAlert.yaml; 250003 and 10429 in public issues and recordings). */
const reasons: ReadonlyMap<string, RefusalReason> = new Map([
  ['UJ0001', 'access denied'],
  ['250002', 'access denied'],
  ['250003', 'access denied'],
  ['251004', 'access denied'],
  ['10429', 'throttled'],
  ['10004', 'unavailable'],
  ['VSS100', 'unavailable'],
]);

/** Errors of a response: `response.errors[]`. */
function errorsOf({ json }: SourceResponse): readonly { readonly code: string; readonly message: string }[] {
  return listOf(fieldsOf(fieldsOf(json)['response'])['errors']).map((error) => {
    const { code, message } = fieldsOf(error);
    return { code: shortText(code), message: shortText(message) };
  });
}

/** Code of the first error of a response; empty when it has none. */
function errorCodeOf(response: SourceResponse): string {
  return errorsOf(response)[0]?.code ?? '';
}

/** True for a response that is no error, by its status and by its body. */
function isSuccess(response: SourceResponse): boolean {
  return isSuccessful(response) && errorsOf(response).length === 0;
}

/** The refusal of a whole call, by the code in its body or else by its status. @param what names the call in the message */
function refusalOfUps(response: SourceResponse, what: string): SourceRefusal {
  const code = errorCodeOf(response);
  const reason = reasons.get(code) ?? reasonOfStatus(response.status);
  // UPS describes 429 of the token call as "Quota Limit Exceeded", and says "Too Many Requests" for too many calls.
  const isQuota = reason === 'throttled' && errorsOf(response).some(({ message }) => /\bquota\b/i.test(message));
  const named = /^[A-Z0-9]{1,12}$/.test(code) ? code : undefined;
  return refusalOf(response, what, { code: named, reason: isQuota ? 'quota used up' : reason });
}

/** Numbers of Track Alert (schema `TrackingNumber` of UPSTrackAlert.yaml). */
const ALERT_NUMBER = /^(1Z[0-9A-Z]{16}|1R[0-9A-Z]{14}|1R[0-9A-Z]{26})$/;
/** A value of a header. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

const NO_ALERT_NUMBER = 'Track Alert takes numbers of small packages (1Z) and of Roadie (1R)';
/** Codes of a subscription that is refused because of its numbers: none is valid; none is one of the test environment. */
const NUMBER_CODES: ReadonlySet<string> = new Set(['VSS210', 'VSS215']);

function call(run: SourceRun, what: string, one: SourceCall): Promise<SourceResponse> {
  return run.useToken(async (token) => {
    const headers = { authorization: `Bearer ${token}`, transId: randomUUID(), transactionSrc: 'parcelway' };
    const response = await run.call({ ...one, headers });
    if (response.status === 401) throw refusalOfUps(response, what);
    return response;
  });
}

/** `POST /security/v1/oauth/token` (OAuthClientCredentials.yaml): HTTP Basic and a form. The tokens last some four hours. */
async function fetchToken({ credentials, call: send }: SourceRun): Promise<GrantedToken> {
  const pair = Buffer.from(`${credentials['client_id'] ?? ''}:${credentials['client_secret'] ?? ''}`).toString('base64');
  const response = await send({
    method: 'POST',
    path: '/security/v1/oauth/token',
    headers: { authorization: `Basic ${pair}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
  });
  if (!isSuccess(response)) throw refusalOfUps(response, 'POST /security/v1/oauth/token');
  const { access_token, expires_in } = fieldsOf(response.json);
  const seconds = Number(shortText(expires_in) || Number.NaN);
  if (typeof access_token !== 'string' || !TOKEN.test(access_token) || !(seconds > 0))
    throw new SourceRefusal('wrong response', 'POST /security/v1/oauth/token: the response has no token with an end');
  return { text: access_token, lifetimeMs: seconds * 1000 };
}

async function queryOne(run: SourceRun, parcel: AskedParcel): Promise<QueryResult> {
  const what = 'GET /track/v1/details';
  const response = await call(run, what, { method: 'GET', path: `/api/track/v1/details/${parcel.trackingNumber}?locale=en_US` });
  const code = errorCodeOf(response);
  if (isSuccess(response)) {
    const raw = findPackage(response.json, parcel);
    return raw === undefined ? { kind: 'no news' } : { kind: 'trace', raw };
  }
  // "Tracking number information not found". For an address that does not exist, the code is 404.
  if (response.status === 404 && code !== '' && code !== '404') return { kind: 'no news' };
  if (response.status === 400 && code.startsWith('TV')) return { kind: 'rejected', reason: `code ${code}: UPS does not take the number` };
  throw refusalOfUps(response, what);
}

/** Numbers that a response of Track Alert names. */
function numbersIn(json: unknown, name: 'validTrackingNumbers' | 'invalidTrackingNumbers'): ReadonlySet<string> {
  return new Set(listOf(fieldsOf(json)[name]).map((number) => shortText(number).toUpperCase()));
}

/** Subscribes numbers that Track Alert takes. @returns why, for each that is not subscribed */
async function subscribe(run: SourceRun, numbers: readonly string[]): Promise<ReadonlyMap<string, string>> {
  if (numbers.length === 0) return new Map();
  const what = 'POST /track/v2/subscription';
  const body = JSON.stringify({ locale: 'en_US', trackingNumberList: numbers });
  const response = await call(run, what, { method: 'POST', path: '/api/track/v2/subscription/standard/package', body });
  const code = errorCodeOf(response);
  if (NUMBER_CODES.has(code)) return new Map(numbers.map((number) => [number, `code ${code}: Track Alert does not take the number`]));
  if (!isSuccess(response)) throw refusalOfUps(response, what);
  const [valid, invalid] = [numbersIn(response.json, 'validTrackingNumbers'), numbersIn(response.json, 'invalidTrackingNumbers')];
  if (!numbers.some((number) => valid.has(number) || invalid.has(number)))
    throw new SourceRefusal('wrong response', `${what}: the response names none of the numbers`);
  const reasonOf = (number: string): string =>
    invalid.has(number) ? 'Track Alert does not take the number' : 'the response does not name the number';
  return new Map(numbers.filter((number) => !valid.has(number)).map((number) => [number, reasonOf(number)]));
}

async function registerAll(run: SourceRun, parcels: readonly AskedParcel[]): Promise<RegisterResult[]> {
  const numbers = [...new Set(parcels.map(({ trackingNumber }) => trackingNumber).filter((number) => ALERT_NUMBER.test(number)))];
  const reasons = await subscribe(run, numbers);
  return parcels.map(({ trackingNumber: number }) => {
    const reason = ALERT_NUMBER.test(number) ? reasons.get(number) : NO_ALERT_NUMBER;
    return reason === undefined ? { kind: 'registered', reference: null } : { kind: 'rejected', reason };
  });
}

/** Numbers of Track v1. */
const NUMBER = /^[0-9A-Z]{7,34}$/;

/** The package of Track v1 that says the same as an event of Track Alert v2. */
function packageOf(event: Fields, trackingNumber: string): Fields {
  const status = fieldsOf(event['activityStatus']);
  const activity = {
    date: event['localActivityDate'],
    time: event['localActivityTime'],
    gmtDate: event['gmtActivityDate'],
    gmtTime: event['gmtActivityTime'],
    gmtOffset: event['gmtOffset'],
    location: { address: event['activityLocation'] },
    status: { type: status['type'], code: status['code'], statusCode: status['descriptionCode'], description: status['description'] },
  };
  return { trackingNumber, activity: [activity] };
}

/** Reads a push of Track Alert v2: one activity of one package (TrackingEventRequest of UPSTrackAlert.yaml). A photo in it is left out. */
const parseUpsPush: ParsePush = (body) => {
  const event = parseJsonBody(body);
  const trackingNumber = isFields(event) ? shortText(event['trackingNumber']).toUpperCase() : '';
  if (!isFields(event) || !NUMBER.test(trackingNumber)) throw new Error('The push has no tracking number of UPS');
  return [{ trackingNumber, raw: packageOf(event, trackingNumber) }];
};

/**
 * UPS: Track v1 for queries, Track Alert v2 for pushes. A registration subscribes to pushes, for 14 days; queries need none. An account without Track
 * Alert refuses it ('access denied'), and Track Alert rejects numbers that Track v1 takes: neither may stop the queries.
 * UPS has no call that ends a subscription earlier.
 */
export const sourceUps: TrackingSource = {
  name: 'ups',
  baseUrl: 'https://onlinetools.ups.com',
  credentials: { required: ['client_id', 'client_secret'], optional: ['push_token', 'previous_push_token'] },
  // UPS publishes no limit of calls: it sets one for each account.
  limits: { ...NO_LIMITS, numbersPerRegistration: 100 },
  takes: { pattern: NUMBER, words: '7 to 34 letters and digits' },
  registersFor: 'pushes',
  registrationLastsMs: 14 * 86_400_000,
  pushes: {
    secret: ['push_token'],
    // The credential of the webhook (UPSTrackAlert.yaml): in the first header of Track Alert v2, in the second one of v1. UPS signs nothing: it proves the
    // sender and not the body.
    proof: { headers: ['x-api-key', 'credential'], of: (credential) => credential },
    parse: parseUpsPush,
  },
  translate: translateUps,
  register: registerAll,
  query: (run, parcels) => oneByOne(parcels, (parcel) => queryOne(run, parcel)),
  test: (run) => run.freshToken(),
  fetchToken,
};
