import { createDecipheriv, createHash, createHmac } from 'node:crypto';
import type { GrantedToken } from '../access-token.ts';
import { cleanText, isFields } from '../fields.ts';
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
import { oneByOne, refusalOf } from '../source-http.ts';
import { type RefusalReason, SourceRefusal } from '../source-refusal.ts';
import { translateYunExpress } from './translation.ts';

/** What YunExpress says to a call that it understood: `{ t, success, code, msg, result }`. */
interface YunExpressEnvelope {
  readonly isSuccess: boolean;
  /** Code and message, such as `02039171: Order rule verification failed`. */
  readonly reason: string;
  readonly result: unknown;
}

/** Codes that are about the call and not about a number. */
const refusals = new Map<string, RefusalReason>([
  ['401', 'access denied'],
  ['403', 'access denied'],
  ['0200412101', 'access denied'],
  ['429', 'throttled'],
]);

/** The code in a body, as text. */
function codeIn(json: unknown): string {
  const code = isFields(json) ? json['code'] : undefined;
  return cleanText(Number.isSafeInteger(code) ? String(code) : code, 50);
}

/** `success` is a boolean, or its text. Undefined when it is neither. */
function successIn(json: unknown): boolean | undefined {
  const success = isFields(json) ? String(json['success']).toLowerCase() : '';
  return success === 'true' || success === 'false' ? success === 'true' : undefined;
}

/**
 * Reads a response.
 * @param what names the call in the message of a refusal
 * @throws SourceRefusal when YunExpress refuses the call, by a status or by a code, or the response has not this form
 */
function readYunExpressEnvelope(response: SourceResponse, what: string): YunExpressEnvelope {
  const { status, json } = response;
  const code = codeIn(json);
  const isSuccess = successIn(json);
  const reason = isSuccess === true ? undefined : refusals.get(code);
  if (reason !== undefined && status < 500) throw refusalOf(response, what, { code, reason });
  if (status !== 200) throw refusalOf(response, what);
  if (!isFields(json) || isSuccess === undefined) {
    throw new SourceRefusal('wrong response', `${what}: the response does not say whether it succeeded`);
  }
  const parts = [code, cleanText(json['msg'], 300)].filter((part) => part !== '');
  return { isSuccess, reason: parts.join(': ') || 'no reason is given', result: json['result'] };
}

/**
 * What signs a call: the base64 HMAC-SHA256 of `body=…&date=…&method=…&uri=…`, without `body` where there is none. A query is not signed.
 * @param date epoch milliseconds
 */
export function signatureOfYunExpress({ method, path, body }: SourceCall, appSecret: string, date: string): string {
  const signed = `${body === undefined ? '' : `body=${body}&`}date=${date}&method=${method}&uri=${path.split('?')[0]}`;
  return createHmac('sha256', appSecret).update(signed).digest('base64');
}

const TOKEN_PATH = '/openapi/oauth2/token';
const QUERY_PATH = '/v1/track-service/info/get';
const SUBSCRIBE_PATH = '/v1/track-service/subscribe-by-order';
const UNSUBSCRIBE_PATH = '/v1/track-service/unsubscribe-by-order';

/** Lifetime of a token that does not say it; clients know of 1 to 2 hours. */
const DEFAULT_LIFETIME_MS = 30 * 60_000;
const MAX_LIFETIME_MS = 86_400_000;

const CONTENT_TYPE = { 'content-type': 'application/json;charset=utf-8' };

/** Fetches a token. The call is not signed. @throws SourceRefusal 'access denied' when YunExpress says that it grants none */
async function fetchToken({ credentials, call: send }: SourceRun): Promise<GrantedToken> {
  const body = JSON.stringify({
    grantType: 'client_credentials',
    appId: credentials['app_id'] ?? '',
    appSecret: credentials['app_secret'] ?? '',
    sourceKey: credentials['source_key'] ?? '',
  });
  const what = 'The token of YunExpress';
  const response = await send({ method: 'POST', path: TOKEN_PATH, headers: CONTENT_TYPE, body });
  const { status, json } = response;
  if (isFields(json) && status < 500 && status !== 429) {
    const { accessToken, expiresIn } = isFields(json['result']) ? json['result'] : json;
    const seconds = Number(expiresIn ?? Number.NaN);
    if (status === 200 && typeof accessToken === 'string' && /^[!-~]{1,4096}$/.test(accessToken))
      return {
        text: accessToken,
        lifetimeMs: Number.isFinite(seconds) ? Math.min(Math.max(seconds * 1000, 0), MAX_LIFETIME_MS) : DEFAULT_LIFETIME_MS,
      };
    const isRefused = 'success' in json && !readYunExpressEnvelope({ ...response, status: 200 }, what).isSuccess;
    if (isRefused) throw new SourceRefusal('access denied', `${what}: YunExpress grants none`, { status });
  }
  if (status === 200) throw new SourceRefusal('wrong response', `${what}: the response has none`);
  throw refusalOf(response, what);
}

/** What a query's `result` says. */
function queryResultOf(result: unknown): QueryResult {
  if ((result ?? undefined) === undefined) return { kind: 'no news' };
  const entries: readonly unknown[] = Array.isArray(result) ? result : [result];
  if (entries.length > 0 && !entries.some(isFields))
    throw new SourceRefusal('wrong response', 'The trace of YunExpress has no readable entry');
  return { kind: 'trace', raw: result };
}

function call(run: SourceRun, one: SourceCall): Promise<YunExpressEnvelope> {
  return run.useToken(async (token) => {
    const date = String(Date.now());
    const sign = signatureOfYunExpress(one, run.credentials['app_secret'] ?? '', date);
    const headers = { ...(one.body !== undefined && CONTENT_TYPE), 'accept-language': 'en-US', token, date, sign };
    return readYunExpressEnvelope(await run.call({ ...one, headers }), `${one.path.split('?')[0]}`);
  });
}

const rejected = ({ reason }: YunExpressEnvelope) => ({ kind: 'rejected', reason }) as const;

async function queryOne(run: SourceRun, { trackingNumber }: AskedParcel): Promise<QueryResult> {
  const path = `${QUERY_PATH}?${new URLSearchParams({ order_number: trackingNumber })}`;
  const envelope = await call(run, { method: 'GET', path });
  return envelope.isSuccess ? queryResultOf(envelope.result) : rejected(envelope);
}

async function subscribe(run: SourceRun, parcels: readonly AskedParcel[]): Promise<readonly RegisterResult[]> {
  const numbers = { waybill_numbers: parcels.map(({ trackingNumber }) => trackingNumber) };
  const body = JSON.stringify({ ...numbers, subscribe_type: 'A', query_type: ['Y'] });
  const envelope = await call(run, { method: 'POST', path: SUBSCRIBE_PATH, body });
  if (envelope.isSuccess) return parcels.map(() => ({ kind: 'registered', reference: null }));
  if (parcels.length === 1) return [rejected(envelope)];
  const half = Math.ceil(parcels.length / 2);
  const first = await subscribe(run, parcels.slice(0, half));
  return [...first, ...(await subscribe(run, parcels.slice(half)))];
}

/** The name in `data_code` of a push about a parcel's trace. */
const TRACE_DATA = 'tisPushData';

const BLOCK_BYTES = 16;

/**
 * The hex SHA-256 of `X-Openapi-Request-Timestamp`, the encrypt key and the raw body, joined. The age of the timestamp is not checked: the nodes of an old
 * push are known already.
 */
const signatureOfPush: PushProof['of'] = (secret, body, headers) => {
  const timestamp = headers['x-openapi-request-timestamp'] ?? '';
  return /^\d{1,20}$/.test(timestamp) ? createHash('sha256').update(`${timestamp}${secret}`).update(body).digest('hex') : undefined;
};

/**
 * The text of an encrypted push: AES-256-CBC with the SHA-256 of the encrypt key; the first 16 bytes are the vector.
 * With another key the text is noise.
 * @throws Error when it is not encrypted that way
 */
function decryptYunExpressText(encrypted: string, secret: string): Uint8Array {
  const sealed = Buffer.from(encrypted, 'base64');
  if (sealed.length < 2 * BLOCK_BYTES || sealed.length % BLOCK_BYTES !== 0)
    throw new Error('The push of YunExpress is not encrypted as agreed');
  const key = createHash('sha256').update(secret).digest();
  const decipher = createDecipheriv('aes-256-cbc', key, sealed.subarray(0, BLOCK_BYTES)).setAutoPadding(false);
  const padded = Buffer.concat([decipher.update(sealed.subarray(BLOCK_BYTES)), decipher.final()]);
  // The padding is not always that of PKCS #7, but its bytes are at most 16, and JSON ends with none of those.
  return padded.subarray(0, padded.findLastIndex((byte) => byte > BLOCK_BYTES) + 1);
}

/** Deepest nesting of a push that is read; a trace has four levels, or five in the form of the query. */
const MAX_DEPTH = 20;

function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return depth === 0 || Object.values(value).some((part) => isDeeperThan(part, depth - 1));
}

function isObject(text: Uint8Array): boolean {
  try {
    return isFields(parseJsonBody(text));
  } catch {
    return false;
  }
}

/**
 * The body of a push in plain text. YunExpress encrypts it, `{ "encrypt": "…" }`, where the application has an encrypt key; any other body stays as it is.
 * Call it after {@link signatureOfPush}, which protects the ciphertext.
 * @throws Error when none of the secrets opens it
 */
function openYunExpressPush(body: Uint8Array, secrets: readonly string[]): Uint8Array {
  const envelope = parseJsonBody(body);
  const encrypted = isFields(envelope) ? envelope['encrypt'] : undefined;
  if (encrypted === undefined) return body;
  for (const secret of secrets.filter((value) => value !== '')) {
    const text = decryptYunExpressText(typeof encrypted === 'string' ? encrypted : '', secret);
    if (isObject(text)) return text;
  }
  throw new Error('No secret opens the push of YunExpress');
}

/**
 * The value that YunExpress expects in the response when the address of the push is registered; undefined for any other push.
 * @param body opened with {@link openYunExpressPush}
 */
function ackOfYunExpressPush(body: Uint8Array): string | undefined {
  const push = parseJsonBody(body);
  const ack = isFields(push) ? push['ack'] : undefined;
  return typeof ack === 'string' && /^[\x21-\x7e]{1,200}$/.test(ack) ? ack : undefined;
}

/**
 * Reads a push, opened with {@link openYunExpressPush}: `{ data_code, data }`, the same in `body` of an envelope, or the bare `data`.
 * @throws Error with the reason when it is no such push, or is nested too deeply
 */
const parseYunExpressPush: ParsePush = (body) => {
  const outer = parseJsonBody(body);
  if (!isFields(outer)) throw new Error('The push of YunExpress is no object');
  if (outer['encrypt'] !== undefined) throw new Error('The push of YunExpress is encrypted');
  const push = outer['body'] ?? outer;
  if (!isFields(push)) throw new Error('The push of YunExpress has no readable body');
  if (isDeeperThan(push, MAX_DEPTH)) throw new Error('The push of YunExpress is nested too deeply');
  const dataCode = push['data_code'];
  if (ackOfYunExpressPush(body) !== undefined || (dataCode !== undefined && dataCode !== TRACE_DATA)) return [];
  const raw = push['data'] ?? push;
  if (!isFields(raw)) throw new Error('The push of YunExpress has no readable data');
  const info = isFields(raw['track_Info']) ? raw['track_Info'] : raw;
  const trackingNumber =
    cleanText(info['waybill_number'], 100) || cleanText(raw['order_number'], 100) || cleanText(info['tracking_number'], 100);
  if (trackingNumber === '') throw new Error('The push of YunExpress names no parcel');
  return [{ trackingNumber, raw }];
};

/**
 * YunExpress (云途). `webhook_secret` is the encrypt key of the application. A registration is a subscription of pushes; queries need none, so they go
 * on where an account has no pushes. YunExpress names no limit of its calls.
 * A query takes one number. A subscription takes 50 and succeeds or fails as a whole, so a failed one is tried again in halves: a wrong number costs only itself.
 */
export const sourceYunExpress: TrackingSource = {
  name: 'yunexpress',
  baseUrl: 'https://openapi.yunexpress.cn',
  credentials: { required: ['app_id', 'app_secret', 'source_key'], optional: ['webhook_secret', 'previous_webhook_secret'] },
  limits: { ...NO_LIMITS, numbersPerRegistration: 50 },
  registersFor: 'pushes',
  pushes: {
    // The encrypt key of the application signs and encrypts. A connection without one takes the secret of the application.
    secret: ['webhook_secret', 'app_secret'],
    proof: { headers: ['x-openapi-signature'], of: signatureOfPush },
    open: openYunExpressPush,
    parse: parseYunExpressPush,
    /** The registration of our address waits for its `ack`, and every other push for the text `success`. */
    acknowledge(body) {
      const ack = ackOfYunExpressPush(body);
      return ack === undefined ? 'success' : JSON.stringify({ ack });
    },
  },
  translate: translateYunExpress,
  register: subscribe,
  /** A number that is rejected has no subscription to end. */
  async unregister(run, { trackingNumber }) {
    await call(run, { method: 'POST', path: UNSUBSCRIBE_PATH, body: JSON.stringify({ waybill_numbers: [trackingNumber] }) });
  },
  query: (run, parcels) => oneByOne(parcels, (parcel) => queryOne(run, parcel)),
  /** Fetches a new token, which needs all three credentials. */
  test: (run) => run.freshToken(),
  fetchToken,
};
