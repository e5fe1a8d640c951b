import { newId } from '@parcelway/kernel/ids';

/** What the gateway needs of a request's headers, found in one pass over them. */
export interface RequestHead {
  /** `X-Api-Key`; null when absent or empty. */
  readonly apiKey: string | null;
  /** True when `X-Api-Key` came more than once: then none of them counts. */
  readonly ambiguousKey: boolean;
  /** The client's request id when it is a plain token, otherwise a new one. */
  readonly requestId: string;
  readonly hostCount: number;
  /** `Content-Length`; null when absent. */
  readonly contentLength: number | null;
  /** True when the body comes in chunks, of unknown length. */
  readonly chunked: boolean;
  readonly forwardedProto: string | null;
  readonly forwardedFor: string | null;
  /** Names and values, in turns, that go on to a service. */
  readonly forward: string[];
}

const REQUEST_ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;

/**
 * The headers that services may see. A list of what passes, not of what does not: hop-by-hop headers, those that a
 * `Connection` header nominates, keys, cookies and forged principals stay outside without being named.
 */
const PASSING: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-type',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'traceparent',
  'tracestate',
  'user-agent',
]);

/** Reads names and values in turns, as node:http gives them in `rawHeaders`. */
export function readHead(raw: readonly string[]): RequestHead {
  let apiKey: string | null = null;
  let ambiguousKey = false;
  let requestId: string | null = null;
  let hostCount = 0;
  let contentLength: number | null = null;
  let chunked = false;
  let forwardedProto: string | null = null;
  let forwardedFor: string | null = null;
  const forward: string[] = [];
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as string).toLowerCase();
    const value = raw[index + 1] as string;
    if (PASSING.has(name)) {
      forward.push(name, value);
      if (name === 'content-length') contentLength = Number(value);
    } else if (name === 'x-api-key') {
      ambiguousKey ||= apiKey !== null;
      apiKey = value;
    } else if (name === 'host') hostCount += 1;
    else if (name === 'x-request-id') requestId = value;
    else if (name === 'transfer-encoding') chunked = true;
    else if (name === 'x-forwarded-proto') forwardedProto = value;
    else if (name === 'x-forwarded-for') forwardedFor = value;
  }
  if (requestId === null || !REQUEST_ID_PATTERN.test(requestId)) requestId = newId('req');
  return { apiKey: apiKey || null, ambiguousKey, requestId, hostCount, contentLength, chunked, forwardedProto, forwardedFor, forward };
}
