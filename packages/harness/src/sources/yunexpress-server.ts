import { createCipheriv, createHash, createHmac, randomBytes } from 'node:crypto';
import type { ServerRow, ServerStage, SourceServer } from './source-server.ts';
import { startVendorServer, type VendorCall, type VendorParcel, type VendorRequest, type VendorResponse } from './vendor-server.ts';

const credentials = {
  app_id: 'yun-app-4c81',
  app_secret: 'yun-app-secret-7e02',
  source_key: 'yun-source-1d9a',
  webhook_secret: 'yun-encrypt-key-b3f6',
};
const MAX_NUMBERS = 50;

/** Node code and `package_status` of a parcel whose newest row has the stage. */
const stages: Readonly<Record<ServerStage, readonly [code: string, packageStatus: string]>> = {
  'info received': ['ORDER_CREATION', 'F'],
  'picked up': ['FIRST_MILE_ARRIVE', 'T'],
  'in transit': ['IN_TRANSIT', 'T'],
  customs: ['CUSTOMS_RELEASE', 'T'],
  'out for delivery': ['DELIVERY_ATTEMPT', 'T'],
  'attempt failed': ['DELIVERY_FAILURE', 'E'],
  exception: ['PACKAGE_EXCEPTION', 'E'],
  returning: ['RETURNED', 'R'],
  delivered: ['DELIVERED', 'D'],
};

const refusal = (status: number, code: string, msg: string): VendorResponse => ({
  status,
  json: { t: Date.now(), success: false, code, msg, request_id: randomBytes(8).toString('hex') },
});
const success = (result?: unknown): VendorResponse => ({
  status: 200,
  json: { t: Date.now(), success: true, code: '0', msg: 'success', ...(result !== undefined && { result }) },
});
const unauthorized = refusal(401, '401', 'Authentication failed');

/** A row with both of its clocks, which name no zone. */
function event({ at, text, stage, country = '', city = '' }: ServerRow): object {
  return {
    process_time: at?.replace(/(Z|[+-]\d\d:\d\d)$/, '') ?? '',
    process_utc_time: at === null ? null : new Date(at).toISOString().slice(0, 19),
    process_content: text ?? stage,
    process_country: country,
    process_province: '',
    process_city: city,
    process_location: '',
    track_node_code: stages[stage][0],
  };
}

/** `track_Info`, the oldest row first. */
function info(waybill: string, rows: readonly ServerRow[]): object {
  return { waybill_number: waybill, tracking_number: '', last_mile_name: '', track_events: rows.map(event) };
}

const packageStatusOf = (rows: readonly ServerRow[]): string => {
  const newest = rows.at(-1);
  return newest === undefined ? 'N' : stages[newest.stage][1];
};

/** Entries of a number. */
function entries(number: string, { rows }: VendorParcel): readonly object[] {
  return [{ order_number: number, package_status: packageStatusOf(rows), track_Info: rows.length === 0 ? null : info(number, rows) }];
}

/** A subscription of several numbers succeeds for all of them or for none; one that is there already succeeds. */
const changing = (kind: 'register' | 'unregister'): VendorCall => ({
  kind,
  numbers: ({ json: { waybill_numbers: list } }) => (Array.isArray(list) ? list.map(String) : []),
  respond({ json }, parcels, numbers) {
    const isTypeRight = kind === 'unregister' || ['A', 'F', 'L', 'N', 'EL', 'ANC'].includes(String(json['subscribe_type']));
    if (numbers.length === 0 || numbers.length > MAX_NUMBERS || !isTypeRight) return refusal(200, '02000001', 'A parameter is wrong');
    const unknown = numbers.find((number) => parcels(number).isRefused);
    if (unknown !== undefined) return refusal(200, '02030404', `The waybill ${unknown} does not exist`);
    for (const number of numbers) parcels(number).reference = kind === 'register' ? number : undefined;
    return success();
  },
});

function grant({ json }: VendorRequest, granted: Set<string>): VendorResponse {
  const { grantType, appId, appSecret, sourceKey } = json;
  if (grantType !== 'client_credentials') return refusal(400, '400', 'Bad request');
  const isRight = appId === credentials.app_id && appSecret === credentials.app_secret && sourceKey === credentials.source_key;
  if (!isRight) return refusal(200, '0200412101', 'The secret of the application is wrong');
  const accessToken = randomBytes(16).toString('hex');
  granted.add(accessToken);
  return { status: 200, json: { accessToken, expiresIn: 3600 } };
}

function isSigned({ method, url, headers, text }: VendorRequest, granted: ReadonlySet<string>): boolean {
  const { token, date, sign } = headers;
  const content = `${text === '' ? '' : `body=${text}&`}date=${date}&method=${method}&uri=${url.pathname}`;
  return granted.has(String(token)) && sign === createHmac('sha256', credentials.app_secret).update(content).digest('base64');
}

/** AES-256-CBC with the digest of the key, behind a random first block. */
function sealed(text: string, key: string): string {
  const first = randomBytes(16);
  const cipher = createCipheriv('aes-256-cbc', createHash('sha256').update(key).digest(), first);
  return JSON.stringify({ encrypt: Buffer.concat([first, cipher.update(text, 'utf8'), cipher.final()]).toString('base64') });
}

/** YunExpress (openapi.yunexpress.cn). It names no limits: 429 is its response to too many calls, and to a quota, should there be one. */
export function startYunExpressServer(): Promise<SourceServer> {
  const granted = new Set<string>();
  return startVendorServer({
    name: 'yunexpress',
    credentials,
    calls: {
      'POST /openapi/oauth2/token': { kind: 'token', respond: (request) => grant(request, granted) },
      'GET /v1/track-service/info/get': {
        kind: 'query',
        numbers: ({ url }) => url.searchParams.getAll('order_number').slice(0, 1),
        respond(_request, parcels, [number = '']) {
          const isWrong = number === '' || parcels(number).isRefused;
          return isWrong ? refusal(200, '02030404', 'The order_number is wrong') : success(entries(number, parcels(number)));
        },
      },
      'POST /v1/track-service/subscribe-by-order': changing('register'),
      'POST /v1/track-service/unsubscribe-by-order': changing('unregister'),
    },
    authorize: (request, call) => (call?.kind === 'token' || isSigned(request, granted) ? undefined : unauthorized),
    notFound: refusal(404, '404', 'Not found'),
    refusal: (reason) => (reason === 'key revoked' ? unauthorized : refusal(429, '429', 'Too many requests')),
    signPush(number, { rows }, { secret = credentials.webhook_secret, signs }) {
      const data = { ...info(number, rows), package_status: packageStatusOf(rows) };
      const body = sealed(JSON.stringify({ data_code: 'tisPushData', data }), secret);
      const timestamp = String(Date.now());
      const signature = createHash('sha256')
        .update(timestamp + secret + (signs ?? body))
        .digest('hex');
      return { body, headers: {}, proof: { 'X-Openapi-Request-Timestamp': timestamp, 'X-Openapi-Signature': signature } };
    },
  });
}
