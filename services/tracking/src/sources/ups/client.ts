import { randomUUID } from 'node:crypto';
import { AccessTokens, type GrantedToken } from '../access-token.ts';
import { type Fields, fieldsOf, listOf } from '../fields.ts';
import type { AskedParcel, ClientOptions, QueryResult, RegisterResult, SourceClient } from '../source.ts';
import { callSource, countedCalls, oneByOne, refusalOf, type SourceCall, type SourceResponse } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { shortText } from './activity-time.ts';
import { findUpsPackage } from './find-package.ts';

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
export function isSuccess(response: SourceResponse): boolean {
  return response.status >= 200 && response.status < 300 && errorsOf(response).length === 0;
}

/** UPS describes 429 of the token call as "Quota Limit Exceeded", and says "Too Many Requests" for too many calls. */
function isQuota(response: SourceResponse): boolean {
  return errorsOf(response).some(({ message }) => /\bquota\b/i.test(message));
}

/** The refusal of a whole call, by the code in its body or else by its status. @param what names the call in the message */
function refusalOfUps(response: SourceResponse, what: string): SourceRefusal {
  const byStatus = refusalOf(response, what);
  const code = errorCodeOf(response);
  const reason = reasons.get(code) ?? byStatus.reason;
  const isKnown = /^[A-Z0-9]{1,12}$/.test(code);
  return new SourceRefusal(
    reason === 'throttled' && isQuota(response) ? 'quota used up' : reason,
    isKnown ? `${byStatus.message} and the code ${code}` : byStatus.message,
    { retryAfterMs: byStatus.retryAfterMs, status: response.status },
  );
}

/** Numbers of Track v1: 7 to 34 characters. */
const NUMBER = /^[0-9A-Z]{7,34}$/;
/** Numbers of Track Alert (schema `TrackingNumber` of UPSTrackAlert.yaml). */
const ALERT_NUMBER = /^(1Z[0-9A-Z]{16}|1R[0-9A-Z]{14}|1R[0-9A-Z]{26})$/;
/** A value of a header. */
const TOKEN = /^[\x21-\x7e]{1,8192}$/;

const NO_NUMBER = 'UPS takes numbers of 7 to 34 letters and digits';
const NO_ALERT_NUMBER = 'Track Alert takes numbers of small packages (1Z) and of Roadie (1R)';
/** Codes of a subscription that is refused because of its numbers: none is valid; none is one of the test environment. */
const NUMBER_CODES: ReadonlySet<string> = new Set(['VSS210', 'VSS215']);

type Call = (call: Pick<SourceCall, 'method' | 'url' | 'body' | 'signal'>) => Promise<SourceResponse>;

/** A number as UPS writes it: its labels show blanks between the digits. */
function numberOf({ trackingNumber }: AskedParcel): string {
  return trackingNumber.replaceAll(' ', '').toUpperCase();
}

/** `POST /security/v1/oauth/token` (OAuthClientCredentials.yaml): HTTP Basic and a form. The tokens last some four hours. */
async function fetchToken({ baseUrl, credentials, dispatcher }: ClientOptions, signal: AbortSignal): Promise<GrantedToken> {
  const pair = Buffer.from(`${credentials['client_id'] ?? ''}:${credentials['client_secret'] ?? ''}`).toString('base64');
  const response = await callSource(dispatcher, {
    method: 'POST',
    url: `${baseUrl}/security/v1/oauth/token`,
    headers: { authorization: `Basic ${pair}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
    signal,
  });
  if (!isSuccess(response)) throw refusalOfUps(response, 'POST /security/v1/oauth/token');
  const { access_token, expires_in } = fieldsOf(response.json);
  const seconds = Number(shortText(expires_in) || Number.NaN);
  if (typeof access_token !== 'string' || !TOKEN.test(access_token) || !(seconds > 0))
    throw new SourceRefusal('wrong response', 'POST /security/v1/oauth/token: the response has no token with an end');
  return { text: access_token, lifetimeMs: seconds * 1000 };
}

function packageOf(response: SourceResponse, number: string): Fields | undefined {
  try {
    return findUpsPackage(response.json, number);
  } catch (cause) {
    throw new SourceRefusal('wrong response', 'GET /track/v1/details: the response cannot be read', { cause });
  }
}

async function queryOne(call: Call, parcel: AskedParcel, signal: AbortSignal): Promise<QueryResult> {
  const number = numberOf(parcel);
  if (!NUMBER.test(number)) return { kind: 'rejected', reason: NO_NUMBER };
  const response = await call({ method: 'GET', url: `/api/track/v1/details/${number}?locale=en_US`, signal });
  const code = errorCodeOf(response);
  if (isSuccess(response)) {
    const raw = packageOf(response, number);
    return raw === undefined ? { kind: 'no news' } : { kind: 'trace', raw };
  }
  // "Tracking number information not found". For an address that does not exist, the code is 404.
  if (response.status === 404 && code !== '' && code !== '404') return { kind: 'no news' };
  if (response.status === 400 && code.startsWith('TV')) return { kind: 'rejected', reason: `code ${code}: UPS does not take the number` };
  throw refusalOfUps(response, 'GET /track/v1/details');
}

/** Numbers that a response of Track Alert names. */
function numbersIn(json: unknown, name: 'validTrackingNumbers' | 'invalidTrackingNumbers'): ReadonlySet<string> {
  return new Set(listOf(fieldsOf(json)[name]).map((number) => shortText(number).toUpperCase()));
}

/** Subscribes numbers that Track Alert takes. @returns why, for each that is not subscribed */
async function subscribe(call: Call, numbers: readonly string[], signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
  if (numbers.length === 0) return new Map();
  const what = 'POST /track/v2/subscription';
  const body = JSON.stringify({ locale: 'en_US', trackingNumberList: numbers });
  const response = await call({ method: 'POST', url: '/api/track/v2/subscription/standard/package', body, signal });
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

async function registerAll(call: Call, parcels: readonly AskedParcel[], signal: AbortSignal): Promise<RegisterResult[]> {
  const numbers = [...new Set(parcels.map(numberOf).filter((number) => ALERT_NUMBER.test(number)))];
  const reasons = await subscribe(call, numbers, signal);
  return parcels.map((parcel) => {
    const number = numberOf(parcel);
    const reason = ALERT_NUMBER.test(number) ? reasons.get(number) : NO_ALERT_NUMBER;
    return reason === undefined ? { kind: 'registered', reference: null } : { kind: 'rejected', reason };
  });
}

/**
 * Calls of UPS: Track v1 for queries, Track Alert v2 for registrations. Nothing has to be registered for a query, so neither a registration that UPS
 * refuses, as it does without Track Alert, nor a number that Track Alert rejects says anything of queries. A subscription ends after
 * 14 days, and UPS has no call that ends it earlier: `unregister` does nothing.
 */
export function createUpsClient(options: ClientOptions): SourceClient {
  const { baseUrl } = options;
  const tokens = new AccessTokens((signal) => fetchToken(options, signal));
  const newCalls = (): Call => {
    const send = countedCalls(options);
    const callWith = (token: string, one: Parameters<Call>[0]): Promise<SourceResponse> =>
      send({
        ...one,
        url: `${baseUrl}${one.url}`,
        headers: { authorization: `Bearer ${token}`, transId: randomUUID(), transactionSrc: 'parcelway' },
      });
    return async (one) => {
      const token = await tokens.current(one.signal);
      const response = await callWith(token, one);
      return response.status === 401 ? callWith(await tokens.instead(token, one.signal), one) : response;
    };
  };
  return {
    register: (parcels, signal) => registerAll(newCalls(), parcels, signal),
    async unregister() {},
    async query(parcels, signal) {
      const call = newCalls();
      return oneByOne(parcels, (parcel) => queryOne(call, parcel, signal));
    },
    async test(signal) {
      await tokens.fresh(signal);
    },
  };
}
