import { type Dispatcher, errors, request } from 'undici';
import { AccessTokens } from './access-token.ts';
import { cleanText } from './fields.ts';
import type { AskedParcel, Credentials, SourceCall, SourceCalls, SourceResponse, SourceRun } from './source.ts';
import { type RefusalReason, SourceRefusal } from './source-refusal.ts';

/** Largest response that a dispatcher reads: 40 parcels with long histories are about 2 MB. */
export const MAX_RESPONSE_BYTES = 8 * 1024 * 1024;
/** A vendor that asks for more patience than this is asked again after a day. */
const MAX_RETRY_AFTER_MS = 86_400_000;

/**
 * `Retry-After` as milliseconds: a number of seconds or a date (RFC 9110, section 10.2.3).
 * @param now epoch milliseconds
 * @returns undefined when there is none, or it is neither
 */
export function retryAfterOf(headers: SourceResponse['headers'], now: number): number | undefined {
  const text = headers['retry-after'];
  if (typeof text !== 'string' || text.trim() === '') return undefined;
  const ms = /^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) * 1000 : Date.parse(text) - now;
  return Number.isNaN(ms) ? undefined : Math.min(Math.max(0, Math.ceil(ms)), MAX_RETRY_AFTER_MS);
}

const reasons = new Map<number, RefusalReason>([
  [401, 'access denied'],
  [402, 'quota used up'],
  [403, 'access denied'],
  [429, 'throttled'],
]);

/** What a status stands for. */
export function reasonOfStatus(status: number): RefusalReason {
  return reasons.get(status) ?? (status >= 500 ? 'unavailable' : 'wrong response');
}

/** What the body of a vendor says of a refusal, which decides over the status. */
interface Said {
  /** The vendor's own code, for the message. */
  readonly code?: number | string | undefined;
  readonly reason?: RefusalReason | undefined;
  /** Where the response has no `Retry-After`. */
  readonly retryAfterMs?: number | undefined;
}

/** The refusal that a response stands for. @param what names the call in the message */
export function refusalOf({ status, headers }: SourceResponse, what: string, { code, reason, retryAfterMs }: Said = {}): SourceRefusal {
  const named = code === undefined || code === '' || code === status ? '' : ` and the code ${code}`;
  return new SourceRefusal(reason ?? reasonOfStatus(status), `${what}: the response has the status ${status}${named}`, {
    retryAfterMs: retryAfterOf(headers, Date.now()) ?? retryAfterMs,
    status,
  });
}

/** True for a status of success. */
export function isSuccessful({ status }: SourceResponse): boolean {
  return status >= 200 && status < 300;
}

/** Parses a body as JSON. A page of HTML under a status that says why is known by its status. */
function parse(bytes: ArrayBuffer, status: number): unknown {
  try {
    const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return text.trim() === '' ? undefined : (JSON.parse(text) as unknown);
  } catch (cause) {
    if (status >= 400) return undefined;
    throw new SourceRefusal('wrong response', `The response is no JSON in UTF-8: ${cleanText(Buffer.from(bytes).toString(), 80)}`, {
      cause,
    });
  }
}

/**
 * Calls a vendor. The vendor is not trusted: at most 8 MB are read, nothing is decompressed, and no redirect is followed.
 * @throws SourceRefusal 'unavailable' when there is no response within the signal, 'wrong response' when it is no JSON
 */
async function callSource(
  { baseUrl, dispatcher }: ConnectionOptions,
  { method, path, headers, body }: SourceCall,
  signal: AbortSignal,
): Promise<SourceResponse> {
  try {
    const response = await request(`${baseUrl}${path}`, {
      method,
      dispatcher,
      signal,
      headers: {
        accept: 'application/json',
        'accept-encoding': 'identity',
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const encoding = response.headers['content-encoding'];
    if (encoding !== undefined && encoding !== 'identity') {
      response.body.on('error', () => undefined).destroy();
      throw new SourceRefusal('wrong response', 'The response is compressed, which was not requested');
    }
    const bytes = await response.body.arrayBuffer();
    return { status: response.statusCode, headers: response.headers, json: parse(bytes, response.statusCode) };
  } catch (cause) {
    if (cause instanceof SourceRefusal) throw cause;
    if (cause instanceof errors.ResponseExceededMaxSizeError)
      throw new SourceRefusal('wrong response', `The response is larger than ${MAX_RESPONSE_BYTES} bytes`, { cause });
    // The log shows the messages of an error and of its cause one after the other.
    throw new SourceRefusal('unavailable', 'The call failed', { cause });
  }
}

/** How a vendor is reached by one connection. */
export interface ConnectionOptions {
  /** Without a slash at the end. */
  readonly baseUrl: string;
  readonly credentials: Credentials;
  readonly dispatcher: Dispatcher;
  /** Counts one call more in the limits of the connection and waits for its turn. @throws SourceRefusal 'throttled' when the limits do not allow it */
  nextCall(): Promise<void>;
}

/** Connects a source. @returns makes the runs of the connection */
export function connectSource(source: Pick<SourceCalls, 'fetchToken'>, options: ConnectionOptions): (signal: AbortSignal) => SourceRun {
  const runOf = (signal: AbortSignal): SourceRun => {
    let isFirst = true;
    return {
      credentials: options.credentials,
      async call(call) {
        const isCounted = isFirst;
        isFirst = false;
        if (!isCounted) await options.nextCall();
        return callSource(options, call, signal);
      },
      useToken: (call) => tokens.use(signal, call),
      freshToken: () => tokens.fresh(signal),
    };
  };
  const tokens = new AccessTokens(async (signal) => {
    if (source.fetchToken === undefined) throw new Error('The source grants no tokens');
    return source.fetchToken(runOf(signal));
  });
  return runOf;
}

/** Makes calls that are each about one parcel, one after another. @returns in the order of the parcels */
export async function oneByOne<T>(parcels: readonly AskedParcel[], ask: (parcel: AskedParcel) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (const parcel of parcels) results.push(await ask(parcel));
  return results;
}

/** A text without the credentials, which a vendor may repeat in a message. */
export function withoutCredentials(text: string, credentials: Credentials): string {
  return Object.values(credentials)
    .filter((value) => value !== '')
    .reduce((rest, value) => rest.replaceAll(value, '…'), text);
}
