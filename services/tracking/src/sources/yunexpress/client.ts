import { type CountedCall, countedCalls } from '../counted-calls.ts';
import type { AskedParcel, ClientOptions, Credentials, QueryResult, RegisterResult, SourceClient } from '../source.ts';
import { callSource, refusalOf } from '../source-http.ts';
import { SourceRefusal } from '../source-refusal.ts';
import { createAccessTokens, type GrantedToken } from './access-token.ts';
import { isYunExpressObject, readYunExpressEnvelope, type YunExpressEnvelope } from './envelope.ts';
import { signYunExpressCall } from './request-signature.ts';

const TOKEN_PATH = '/openapi/oauth2/token';
const QUERY_PATH = '/v1/track-service/info/get';
const SUBSCRIBE_PATH = '/v1/track-service/subscribe-by-order';
const UNSUBSCRIBE_PATH = '/v1/track-service/unsubscribe-by-order';

const CONTENT_TYPE = { 'content-type': 'application/json;charset=utf-8' };

interface SignedCall {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly query?: string;
  readonly body?: string;
}

/** Calls of one run of a method. */
type Call = (signed: SignedCall, signal: AbortSignal) => Promise<YunExpressEnvelope>;

/** A text without the credentials, which a vendor may repeat in a message. */
function withoutCredentials(text: string, credentials: Credentials): string {
  return Object.values(credentials)
    .filter((value) => value !== '')
    .reduce((rest, value) => rest.replaceAll(value, '…'), text);
}

/** Fetches a token. The call is not signed. @throws SourceRefusal 'access denied' when YunExpress says that it grants none */
async function fetchToken({ baseUrl, credentials, dispatcher }: ClientOptions, signal: AbortSignal): Promise<GrantedToken> {
  const body = JSON.stringify({
    grantType: 'client_credentials',
    appId: credentials['app_id'] ?? '',
    appSecret: credentials['app_secret'] ?? '',
    sourceKey: credentials['source_key'] ?? '',
  });
  const what = 'The token of YunExpress';
  const response = await callSource(dispatcher, { method: 'POST', url: baseUrl + TOKEN_PATH, headers: CONTENT_TYPE, body, signal });
  const { status, json } = response;
  if (isYunExpressObject(json) && status < 500 && status !== 429) {
    const { accessToken, expiresIn } = isYunExpressObject(json['result']) ? json['result'] : json;
    const seconds = Number(expiresIn ?? Number.NaN);
    if (status === 200 && typeof accessToken === 'string' && /^[!-~]{1,4096}$/.test(accessToken))
      return { token: accessToken, lifetimeMs: Number.isFinite(seconds) ? seconds * 1000 : undefined };
    const isRefused = 'success' in json && !readYunExpressEnvelope({ ...response, status: 200 }, what).isSuccess;
    if (isRefused) throw new SourceRefusal('access denied', `${what}: YunExpress grants none`, { status });
  }
  if (status === 200) throw new SourceRefusal('wrong response', `${what}: the response has none`);
  throw refusalOf(response, what);
}

/** What a query's `result` says: entries without a trace say that YunExpress knows nothing of the number yet. */
function queryResultOf(result: unknown): QueryResult {
  if ((result ?? undefined) === undefined) return { kind: 'no news' };
  const entries: readonly unknown[] = Array.isArray(result) ? result : [result];
  const readable = entries.filter(isYunExpressObject);
  if (readable.length === 0 && entries.length > 0)
    throw new SourceRefusal('wrong response', 'The trace of YunExpress has no readable entry');
  const hasTrace = readable.some((entry) => isYunExpressObject(entry['track_Info'] ?? entry['track_info']) || 'track_events' in entry);
  return hasTrace ? { kind: 'trace', raw: result } : { kind: 'no news' };
}

/**
 * The calls of YunExpress. A query takes one number. A subscription takes 50 and succeeds or fails as a whole, so a failed one is tried
 * again in halves: a wrong number costs only itself. A registration makes YunExpress push and is not needed for a query: whatever comes of it, an
 * 'access denied' or 'rejected' of an account without pushes too, queries go on.
 */
export function createYunExpressClient(options: ClientOptions): SourceClient {
  const { baseUrl, credentials } = options;
  const tokens = createAccessTokens((signal) => fetchToken(options, signal));

  const sendWith = async (
    send: CountedCall,
    { method, path, query = '', body }: SignedCall,
    token: string,
    signal: AbortSignal,
  ): Promise<YunExpressEnvelope> => {
    const signed = signYunExpressCall({ method, uri: path, body }, { token, appSecret: credentials['app_secret'] ?? '' }, Date.now());
    const headers = { ...(body !== undefined && CONTENT_TYPE), 'accept-language': 'en-US', ...signed };
    return readYunExpressEnvelope(await send({ method, url: baseUrl + path + query, headers, body, signal }), path);
  };
  /** A token that is refused may have ended early: the call is made once more with another. */
  const newCalls = (): Call => {
    const send = countedCalls(options);
    return async (signed, signal) => {
      const token = await tokens.get(signal);
      try {
        return await sendWith(send, signed, token, signal);
      } catch (error) {
        if (!(error instanceof SourceRefusal) || error.reason !== 'access denied') throw error;
        tokens.discard(token);
        return sendWith(send, signed, await tokens.get(signal), signal);
      }
    };
  };
  const rejected = ({ reason }: YunExpressEnvelope) => ({ kind: 'rejected', reason: withoutCredentials(reason, credentials) }) as const;

  const queryOne = async (call: Call, { trackingNumber }: AskedParcel, signal: AbortSignal): Promise<QueryResult> => {
    const query = `?${new URLSearchParams({ order_number: trackingNumber })}`;
    const envelope = await call({ method: 'GET', path: QUERY_PATH, query }, signal);
    return envelope.isSuccess ? queryResultOf(envelope.result) : rejected(envelope);
  };
  const subscribe = async (
    call: Call,
    path: string,
    parcels: readonly AskedParcel[],
    more: object,
    signal: AbortSignal,
  ): Promise<readonly RegisterResult[]> => {
    if (parcels.length === 0) return [];
    const body = JSON.stringify({ waybill_numbers: parcels.map(({ trackingNumber }) => trackingNumber), ...more });
    const envelope = await call({ method: 'POST', path, body }, signal);
    if (envelope.isSuccess) return parcels.map(() => ({ kind: 'registered', reference: null }));
    if (parcels.length === 1) return [rejected(envelope)];
    const half = Math.ceil(parcels.length / 2);
    const first = await subscribe(call, path, parcels.slice(0, half), more, signal);
    return [...first, ...(await subscribe(call, path, parcels.slice(half), more, signal))];
  };

  return {
    register: (parcels, signal) => subscribe(newCalls(), SUBSCRIBE_PATH, parcels, { subscribe_type: 'A', query_type: ['Y'] }, signal),
    /** A number that is rejected has no subscription to end. */
    async unregister(parcels, signal) {
      await subscribe(newCalls(), UNSUBSCRIBE_PATH, parcels, {}, signal);
    },
    async query(parcels, signal) {
      const call = newCalls();
      const results: QueryResult[] = [];
      for (const parcel of parcels) results.push(await queryOne(call, parcel, signal));
      return results;
    },
    /** Fetches a new token, which needs all three credentials. */
    async test(signal) {
      tokens.discard();
      await tokens.get(signal);
    },
  };
}
