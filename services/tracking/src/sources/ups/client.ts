import { randomUUID } from 'node:crypto';
import { countedCalls } from '../counted-calls.ts';
import type { AskedParcel, ClientOptions, QueryResult, RegisterResult, SourceClient } from '../source.ts';
import { callSource, type SourceCall, type SourceResponse } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { type AccessToken, createAccessTokens } from './access-token.ts';
import { findUpsPackage } from './find-package.ts';
import { errorCodeOf, isSuccess, refusalOfUps } from './response.ts';
import { listOf, recordOf, shortText, type WireRecord } from './wire.ts';

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
async function fetchToken({ baseUrl, credentials, dispatcher }: ClientOptions, signal: AbortSignal): Promise<AccessToken> {
  const pair = Buffer.from(`${credentials['client_id'] ?? ''}:${credentials['client_secret'] ?? ''}`).toString('base64');
  const response = await callSource(dispatcher, {
    method: 'POST',
    url: `${baseUrl}/security/v1/oauth/token`,
    headers: { authorization: `Basic ${pair}`, 'content-type': 'application/x-www-form-urlencoded' },
    body: 'grant_type=client_credentials',
    signal,
  });
  if (!isSuccess(response)) throw refusalOfUps(response, 'POST /security/v1/oauth/token');
  const { access_token, expires_in } = recordOf(response.json);
  const seconds = Number(shortText(expires_in) || Number.NaN);
  if (typeof access_token !== 'string' || !TOKEN.test(access_token) || !(seconds > 0))
    throw new SourceRefusal('wrong response', 'POST /security/v1/oauth/token: the response has no token with an end');
  return { text: access_token, endsAt: Date.now() + seconds * 1000 };
}

function packageOf(response: SourceResponse, number: string): WireRecord | undefined {
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
  return new Set(listOf(recordOf(json)[name]).map((number) => shortText(number).toUpperCase()));
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
  const tokens = createAccessTokens((signal) => fetchToken(options, signal));
  const newCalls = (): Call => {
    const send = countedCalls(options);
    const callWith = ({ text }: AccessToken, one: Parameters<Call>[0]): Promise<SourceResponse> =>
      send({
        ...one,
        url: `${baseUrl}${one.url}`,
        headers: { authorization: `Bearer ${text}`, transId: randomUUID(), transactionSrc: 'parcelway' },
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
      const results: QueryResult[] = [];
      for (const parcel of parcels) results.push(await queryOne(call, parcel, signal));
      return results;
    },
    async test(signal) {
      await tokens.fresh(signal);
    },
  };
}
