import { randomBytes } from 'node:crypto';
import type { PushOptions, ServerRow, ServerStage, SignedPush, SourceServer } from './source-server.ts';
import { type Parcels, startVendorServer, type VendorRequest, type VendorResponse } from './vendor-server.ts';

const credentials = { client_id: 'ups-client', client_secret: 'ups-client-secret', push_token: 'ups-webhook-credential' };
const TOKEN_SECONDS = 14_399;
const MAX_SUBSCRIPTIONS = 100;
const TOKEN_PATH = '/security/v1/oauth/token';
const SUBSCRIPTION = /^\/api\/track\/v2\/subscription\/(standard|enhanced)\/package$/;
const DETAILS = /^\/api\/track\/v1\/details\/([^/]*)$/;

/** Type, code and status code of each stage (UPSTrackAlert.yaml; the list of codes in UPS-API/api-documentation issue 7). */
const stages: Readonly<Record<ServerStage, readonly [type: string, code: string, statusCode: string]>> = {
  'info received': ['M', 'MP', '003'],
  'picked up': ['I', 'OR', '038'],
  'in transit': ['I', 'DP', '005'],
  customs: ['X', 'SR', '014'],
  'out for delivery': ['I', 'OT', '021'],
  'attempt failed': ['X', '3J', '022'],
  exception: ['X', 'UU', '016'],
  returning: ['X', 'RS', '033'],
  delivered: ['D', 'FS', '011'],
};

/** An error as UPS writes it. */
const failed = (status: number, code: string, message: string, more: object = {}): VendorResponse => ({
  status,
  json: { ...more, response: { errors: [{ code, message }] } },
});

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const digits = (value: string): string => value.replace(/\D/g, '');

/** A time in the fields of UPS, which are local and in UTC; blank without a time. */
function timesOf({ at, hasZone }: ServerRow): Record<'date' | 'time' | 'gmtDate' | 'gmtTime' | 'gmtOffset', string> {
  if (at === null) return { date: '', time: '', gmtDate: '', gmtTime: '', gmtOffset: '' };
  const local = { date: digits(at.slice(0, 10)), time: digits(at.slice(11, 19)) };
  if (hasZone === false) return { ...local, gmtDate: '', gmtTime: '', gmtOffset: '' };
  const utc = new Date(at).toISOString();
  const offset = at.slice(19);
  return {
    ...local,
    gmtDate: digits(utc.slice(0, 10)),
    gmtTime: digits(utc.slice(11, 19)),
    gmtOffset: offset === 'Z' ? '+00:00' : offset,
  };
}

function codesOf(row: ServerRow): { type: string; code: string; statusCode: string } {
  const [type, code, statusCode] = stages[row.stage];
  return row.code === undefined ? { type, code, statusCode } : { type, code: row.code, statusCode: '' };
}

function activityOf(row: ServerRow): object {
  const times = timesOf(row);
  const country = row.country ?? '';
  return {
    ...times,
    // UPS drops the zeros before the first digit of this field alone.
    gmtTime: times.gmtTime.replace(/^0+(?=\d)/, ''),
    location: { address: { city: row.city ?? '', stateProvince: '', postalCode: '', countryCode: country, country } },
    status: { ...codesOf(row), description: row.text ?? row.stage },
  };
}

/** A package as the query has it: its newest activity is the first. */
function packageOf(trackingNumber: string, rows: readonly ServerRow[]): object {
  return { trackingNumber, deliveryDate: [], activity: [...rows].reverse().map(activityOf), packageCount: 1 };
}

function details(inquiryNumber: string, parcels: Parcels): VendorResponse {
  const { rows, former, isRefused } = parcels(inquiryNumber);
  if (isRefused || !/^[0-9A-Z]{7,34}$/.test(inquiryNumber)) return failed(400, 'TV1002', 'Invalid inquiry number');
  const packages = [former, rows].filter((list) => list.length > 0).map((list) => packageOf(inquiryNumber, list));
  const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }];
  const shipment = packages.length === 0 ? { inquiryNumber, warnings } : { inquiryNumber, package: packages };
  return { status: 200, json: { trackResponse: { shipment: [shipment] } } };
}

const isAlertNumber = (number: string): boolean => /^1Z[0-9A-Z]{16}$|^1R([0-9A-Z]{14}|[0-9A-Z]{26})$/.test(number);

function numbersOf(json: unknown): string[] {
  const list = (json as { trackingNumberList?: unknown } | null | undefined)?.trackingNumberList;
  return Array.isArray(list) ? list.map(text) : [];
}

function subscribe({ json }: VendorRequest, parcels: Parcels): VendorResponse {
  const rejected = (code: string, message: string, invalid: readonly string[] = []): VendorResponse =>
    failed(400, code, `${message} The Subscription request has been rejected.`, { invalidTrackingNumbers: invalid });
  const numbers = numbersOf(json);
  const locale = text((json as { locale?: unknown } | null | undefined)?.locale);
  if (locale === '') return rejected('VSS300', 'Locale is required.');
  if (locale !== 'en_US') return rejected('VSS310', 'Please enter a valid locale.');
  if (numbers.length === 0) return rejected('VSS200', 'Tracking Number List is required.');
  if (numbers.length > MAX_SUBSCRIPTIONS) return rejected('VSS220', 'You have submitted over 100 tracking numbers which is not allowed.');
  const isValid = (number: string): boolean => isAlertNumber(number) && !parcels(number).isRefused;
  const invalid = numbers.filter((number) => !isValid(number));
  if (invalid.length === numbers.length) return rejected('VSS210', 'The request should have at least one valid tracking number.', invalid);
  return { status: 200, json: { validTrackingNumbers: numbers.filter(isValid), invalidTrackingNumbers: invalid } };
}

/** Tokens that the server has given, each with its end as epoch milliseconds. */
type Tokens = Map<string, number>;

function token(tokens: Tokens, { headers, text: form }: VendorRequest): VendorResponse {
  const basic = Buffer.from(`${credentials.client_id}:${credentials.client_secret}`).toString('base64');
  if (headers.authorization !== `Basic ${basic}`) return failed(401, '250002', 'Invalid Authentication Information.');
  if (!String(headers['content-type']).startsWith('application/x-www-form-urlencoded'))
    return failed(400, '10007', 'Requested Content Type is not supported');
  if (new URLSearchParams(form).get('grant_type') !== 'client_credentials') return failed(400, '10400', 'Invalid/Missing grant type.');
  const access_token = randomBytes(32).toString('base64url');
  tokens.set(access_token, Date.now() + TOKEN_SECONDS * 1000);
  const { client_id } = credentials;
  const issued = { token_type: 'Bearer', issued_at: String(Date.now()), client_id, access_token, expires_in: String(TOKEN_SECONDS) };
  return { status: 200, json: { ...issued, status: 'approved', refresh_count: '0', scope: '' } };
}

function respond(tokens: Tokens, request: VendorRequest, parcels: Parcels): VendorResponse {
  const { method, url, headers } = request;
  if (url.pathname === TOKEN_PATH && method === 'POST') return token(tokens, request);
  const bearer = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
  const endsAt = tokens.get(bearer);
  if (endsAt === undefined) return failed(401, '250002', 'Invalid Authentication Information.');
  if (endsAt < Date.now()) return failed(401, '251004', 'Bearer Token expired');
  if (text(headers['transid']) === '') return failed(400, 'VSS002', 'Missing transId');
  if (text(headers['transactionsrc']) === '') return failed(400, 'VSS004', 'Missing transactionSrc');
  const number = DETAILS.exec(url.pathname)?.[1];
  if (number !== undefined && method === 'GET') return details(number, parcels);
  if (SUBSCRIPTION.test(url.pathname) && method === 'POST') return subscribe(request, parcels);
  return failed(404, '404', 'The requested resource was not found.');
}

function read({ url, json }: VendorRequest): { kind: 'register' | 'query' | 'token' | 'other'; numbers: string[] } {
  if (url.pathname === TOKEN_PATH) return { kind: 'token', numbers: [] };
  if (SUBSCRIPTION.test(url.pathname)) return { kind: 'register', numbers: numbersOf(json) };
  const number = DETAILS.exec(url.pathname)?.[1];
  return number === undefined ? { kind: 'other', numbers: [] } : { kind: 'query', numbers: [number] };
}

/** A push of Track Alert v2: the newest row alone. UPS signs nothing; the credential is a header. */
function signPush(trackingNumber: string, row: ServerRow, options: PushOptions): SignedPush {
  const { date, time, gmtDate, gmtTime, gmtOffset } = timesOf(row);
  const { type, code, statusCode } = codesOf(row);
  const body = JSON.stringify({
    trackingNumber,
    localActivityDate: date,
    localActivityTime: time,
    activityLocation: { city: row.city ?? '', stateProvince: '', postalCode: '', country: row.country ?? '' },
    activityStatus: { type, code, description: row.text ?? row.stage, descriptionCode: statusCode },
    scheduledDeliveryDate: '',
    actualDeliveryDate: row.stage === 'delivered' ? date : '',
    actualDeliveryTime: row.stage === 'delivered' ? time : '',
    gmtActivityDate: gmtDate,
    gmtActivityTime: gmtTime,
    gmtOffset: gmtOffset.replace(':', '.'),
  });
  const headers = { 'content-type': 'application/json', 'user-agent': 'UPSPubSubTrackingService' };
  return { body, headers: options.isUnsigned === true ? headers : { ...headers, 'x-api-key': options.secret ?? credentials.push_token } };
}

/**
 * Starts a server that speaks Track v1, Track Alert v2 and the token call of UPS. UPS publishes no limit. While the key is revoked, the tokens that it
 * gave end, too. `signs` of a push has no effect: UPS signs nothing. A row's leg has none either: UPS is its only carrier.
 */
export function startUpsServer(): Promise<SourceServer> {
  const tokens: Tokens = new Map();
  return startVendorServer({
    name: 'ups',
    credentials,
    limits: { requestsPerSecond: null, callsPerDay: null, fetchesPerParcelPerDay: null },
    read,
    respond: (request, parcels) => respond(tokens, request, parcels),
    refusal(reason) {
      if (reason === 'quota used up') return failed(429, '10429', 'Quota Limit Exceeded');
      if (reason !== 'key revoked') return failed(429, '10429', 'Too Many Requests');
      tokens.clear();
      return failed(401, '250002', 'Invalid Authentication Information.');
    },
    signPush: (number, { rows }, options) => signPush(number, rows.at(-1) ?? { stage: 'info received', at: null }, options),
  });
}
