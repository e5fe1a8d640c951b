import { randomBytes } from 'node:crypto';
import type { ServerRow, ServerStage, SourceServer } from './source-server.ts';
import { type Parcels, startVendorServer, type VendorCall, type VendorRequest, type VendorResponse } from './vendor-server.ts';

const credentials = { client_id: 'ups-client', client_secret: 'ups-client-secret', push_token: 'ups-webhook-credential' };
const TOKEN_SECONDS = 14_399;
const MAX_SUBSCRIPTIONS = 100;

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
const wrongKey = failed(401, '250002', 'Invalid Authentication Information.');

const text = (value: unknown): string => (typeof value === 'string' ? value : '');
const digits = (value: string): string => value.replace(/\D/g, '');

/** A time in the fields of UPS, which are local and in UTC; blank without a time. */
function timesOf({ at }: ServerRow): Record<'date' | 'time' | 'gmtDate' | 'gmtTime' | 'gmtOffset', string> {
  const none = { date: '', time: '', gmtDate: '', gmtTime: '', gmtOffset: '' };
  if (at === null) return none;
  const local = { date: digits(at.slice(0, 10)), time: digits(at.slice(11, 19)) };
  const [utc, offset] = [new Date(at).toISOString(), at.slice(19)];
  const gmt = { gmtDate: digits(utc.slice(0, 10)), gmtTime: digits(utc.slice(11, 19)), gmtOffset: offset === 'Z' ? '+00:00' : offset };
  return { ...local, ...gmt };
}

function codesOf(row: ServerRow): { type: string; code: string; statusCode: string } {
  const [type, code, statusCode] = stages[row.stage];
  return { type, code, statusCode };
}

function activityOf(row: ServerRow): object {
  const times = timesOf(row);
  const { country = '', city = '' } = row;
  return {
    ...times,
    // UPS drops the zeros before the first digit of this field alone.
    gmtTime: times.gmtTime.replace(/^0+(?=\d)/, ''),
    location: { address: { city, stateProvince: '', postalCode: '', countryCode: country, country } },
    status: { ...codesOf(row), description: row.text ?? row.stage },
  };
}

/** The package that has a number, the newest activity first. */
function details({ id: inquiryNumber }: VendorRequest, parcels: Parcels): VendorResponse {
  const { rows, isRefused } = parcels(inquiryNumber);
  if (isRefused || !/^[0-9A-Z]{7,34}$/.test(inquiryNumber)) return failed(400, 'TV1002', 'Invalid inquiry number');
  const activity = rows.toReversed().map(activityOf);
  const warnings = [{ code: 'TW0001', message: 'Tracking Information Not Found' }];
  const found = { package: [{ trackingNumber: inquiryNumber, deliveryDate: [], activity, packageCount: 1 }] };
  const shipment = { inquiryNumber, ...(rows.length === 0 ? { warnings } : found) };
  return { status: 200, json: { trackResponse: { shipment: [shipment] } } };
}

const isAlertNumber = (number: string): boolean => /^1Z[0-9A-Z]{16}$|^1R([0-9A-Z]{14}|[0-9A-Z]{26})$/.test(number);

const subscription: VendorCall = {
  kind: 'register',
  numbers: ({ json: { trackingNumberList: list } }) => (Array.isArray(list) ? list.map(text) : []),
  respond({ json }, parcels, numbers) {
    const rejected = (code: string, message: string, invalidTrackingNumbers: readonly string[] = []): VendorResponse =>
      failed(400, code, `${message} The Subscription request has been rejected.`, { invalidTrackingNumbers });
    if (json['locale'] !== 'en_US') return rejected('VSS310', 'Please enter a valid locale.');
    if (numbers.length === 0) return rejected('VSS200', 'Tracking Number List is required.');
    if (numbers.length > MAX_SUBSCRIPTIONS) return rejected('VSS220', 'You have submitted over 100 tracking numbers which is not allowed.');
    const isValid = (number: string): boolean => isAlertNumber(number) && !parcels(number).isRefused;
    const invalid = numbers.filter((number) => !isValid(number));
    if (invalid.length === numbers.length)
      return rejected('VSS210', 'The request should have at least one valid tracking number.', invalid);
    return { status: 200, json: { validTrackingNumbers: numbers.filter(isValid), invalidTrackingNumbers: invalid } };
  },
};

/** Tokens that the server has given, each with its end as epoch milliseconds. */
type Tokens = Map<string, number>;

function grant(tokens: Tokens, { headers, text: form }: VendorRequest): VendorResponse {
  const basic = Buffer.from(`${credentials.client_id}:${credentials.client_secret}`).toString('base64');
  if (headers.authorization !== `Basic ${basic}`) return wrongKey;
  const isForm = String(headers['content-type']).startsWith('application/x-www-form-urlencoded');
  if (!isForm || new URLSearchParams(form).get('grant_type') !== 'client_credentials')
    return failed(400, '10400', 'Invalid/Missing grant type.');
  const access_token = randomBytes(32).toString('base64url');
  tokens.set(access_token, Date.now() + TOKEN_SECONDS * 1000);
  const issued = { token_type: 'Bearer', issued_at: String(Date.now()), access_token, expires_in: String(TOKEN_SECONDS) };
  return { status: 200, json: { ...issued, client_id: credentials.client_id, status: 'approved', refresh_count: '0', scope: '' } };
}

/**
 * Starts a server that speaks Track v1, Track Alert v2 and the token call of UPS. UPS publishes no limit. While the key is revoked, the tokens that it
 * gave end, too. `signs` of a push has no effect: UPS signs nothing, the credential is a header.
 */
export function startUpsServer(): Promise<SourceServer> {
  const tokens: Tokens = new Map();
  return startVendorServer({
    name: 'ups',
    credentials,
    calls: {
      'POST /security/v1/oauth/token': { kind: 'token', respond: (request) => grant(tokens, request) },
      'GET /api/track/v1/details/{id}': { kind: 'query', numbers: ({ id }) => [id], respond: details },
      'POST /api/track/v2/subscription/standard/package': subscription,
      'POST /api/track/v2/subscription/enhanced/package': subscription,
    },
    authorize({ headers }, call) {
      if (call?.kind === 'token') return undefined;
      const endsAt = tokens.get(/^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? '');
      if (endsAt === undefined) return wrongKey;
      if (endsAt < Date.now()) return failed(401, '251004', 'Bearer Token expired');
      const isNamed = text(headers['transid']) !== '' && text(headers['transactionsrc']) !== '';
      return isNamed ? undefined : failed(400, 'VSS002', 'Missing transId');
    },
    notFound: failed(404, '404', 'The requested resource was not found.'),
    refusal(reason) {
      if (reason === 'quota used up') return failed(429, '10429', 'Quota Limit Exceeded');
      if (reason !== 'key revoked') return failed(429, '10429', 'Too Many Requests');
      tokens.clear();
      return wrongKey;
    },
    // A push of Track Alert v2 has only the newest row.
    signPush(trackingNumber, { rows }, { secret = credentials.push_token }) {
      const row = rows.at(-1) ?? { stage: 'info received', at: null };
      const { date, time, gmtDate, gmtTime, gmtOffset } = timesOf(row);
      const { type, code, statusCode } = codesOf(row);
      const isDelivered = row.stage === 'delivered';
      const body = JSON.stringify({
        trackingNumber,
        localActivityDate: date,
        localActivityTime: time,
        activityLocation: { city: row.city ?? '', stateProvince: '', postalCode: '', country: row.country ?? '' },
        activityStatus: { type, code, description: row.text ?? row.stage, descriptionCode: statusCode },
        scheduledDeliveryDate: '',
        actualDeliveryDate: isDelivered ? date : '',
        actualDeliveryTime: isDelivered ? time : '',
        gmtActivityDate: gmtDate,
        gmtActivityTime: gmtTime,
        gmtOffset: gmtOffset.replace(':', '.'),
      });
      const headers = { 'content-type': 'application/json', 'user-agent': 'UPSPubSubTrackingService' };
      return { body, headers, proof: { 'x-api-key': secret } };
    },
  });
}
