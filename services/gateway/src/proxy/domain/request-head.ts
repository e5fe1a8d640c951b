import { requestIdFrom } from './request-id.ts';

/** What a request asks for. */
export interface RequestTarget {
  /** Path without the query, percent-encoding as sent. */
  readonly path: string;
  /** Path with query, as it goes on to a service. */
  readonly full: string;
}

/** What node:http says of a request. */
interface RawHead {
  readonly rawHeaders: readonly string[];
  readonly url?: string | undefined;
  readonly httpVersionMajor: number;
  readonly httpVersionMinor: number;
}

/** Printable ASCII without `#`. node:http refuses most others by itself; services must never see one and read it otherwise. */
const PLAIN = /^\/[\x21\x22\x24-\x7e]*$/;

/**
 * The headers that services may see. A list of what passes, not of what does not: hop-by-hop headers, those that a
 * `Connection` header nominates, keys, cookies and forged principals stay outside without being named. Those that sign a push of a tracking
 * source are among them.
 */
export const PASSING: ReadonlySet<string> = new Set([
  'accept',
  'accept-language',
  'aftership-hmac-sha256',
  'content-disposition',
  'content-encoding',
  'content-length',
  'content-type',
  'credential',
  'idempotency-key',
  'if-match',
  'if-modified-since',
  'if-none-match',
  'if-range',
  'if-unmodified-since',
  'range',
  'sign',
  'tracestate',
  'user-agent',
  'x-hmac-signature',
  'x-openapi-request-timestamp',
  'x-openapi-signature',
  'x-parcelway-push-token',
]);

/** What the gateway needs of a request's line and headers, found in one pass over them. */
export class RequestHead {
  /** `X-Api-Key`; null when absent or empty. */
  apiKey: string | null = null;
  /** How often `X-Api-Key` came, empty ones included: of several, none counts. */
  keyCount = 0;
  /** The client's request id when it is a plain token, otherwise a new one. */
  readonly requestId: string;
  hostCount = 0;
  /** `Content-Length`; null when absent. */
  contentLength: number | null = null;
  /** `Transfer-Encoding`; null when absent. With one, the body comes in chunks, of unknown length. */
  coding: string | null = null;
  /** True when the client asks for another protocol by `Upgrade`. */
  upgrade = false;
  forwardedProto: string | null = null;
  forwardedFor: string | null = null;
  /** `traceparent` as it came; null when absent. */
  traceparent: string | null = null;
  /** Names and values, in turns, that go on to a service. */
  readonly forward: string[] = [];
  /** What the request asks for; undefined when that is no well-formed path: a fragment, another scheme, `*`. */
  readonly target: RequestTarget | undefined;
  /** Why the head is refused although node:http accepts it; undefined when nothing is wrong. Where the request ends is uncertain then. */
  readonly fault: string | undefined;
  /** True when nothing that follows on the connection can be trusted to be a request. */
  readonly isLast: boolean;

  constructor(req: RawHead) {
    const raw = req.rawHeaders;
    let givenId: string | null = null;
    for (let index = 0; index < raw.length; index += 2) {
      const name = (raw[index] as string).toLowerCase();
      const value = raw[index + 1] as string;
      if (PASSING.has(name)) {
        this.forward.push(name, value);
        if (name === 'content-length') this.contentLength = Number(value);
      } else if (name === 'x-request-id') givenId = value;
      else readOwn(this, name, value);
    }
    this.target = targetOf(req.url as string);
    this.fault = faultOf(this, req);
    this.isLast = this.fault !== undefined || this.upgrade;
    this.requestId = requestIdFrom(givenId);
  }
}

/** What is wrong with a head, in words for its sender. */
function faultOf(head: Pick<RequestHead, 'coding' | 'hostCount'>, version: RawHead): string | undefined {
  if (version.httpVersionMajor !== 1) return 'Use HTTP/1.1';
  if (head.coding !== null && head.coding.toLowerCase() !== 'chunked') return 'The only transfer coding is chunked';
  if (head.hostCount !== 1 && (head.hostCount > 1 || version.httpVersionMinor > 0)) return 'Send exactly one Host header';
  return undefined;
}

/** The target of a request line. One in absolute form loses its origin (RFC 9112, 3.2.2). */
function targetOf(url: string): RequestTarget | undefined {
  let full = url;
  if (!PLAIN.test(full)) {
    full = full.replace(/^https?:\/\/[^/?#]*(?=\/|$)/i, '') || '/';
    if (!PLAIN.test(full)) return undefined;
  }
  const query = full.indexOf('?');
  return { path: query === -1 ? full : full.slice(0, query), full };
}

function readOwn(head: RequestHead, name: string, value: string): void {
  switch (name) {
    case 'x-api-key':
      head.keyCount += 1;
      head.apiKey = value || null;
      break;
    case 'host':
      head.hostCount += 1;
      break;
    case 'transfer-encoding':
      head.coding = head.coding === null ? value : `${head.coding}, ${value}`;
      break;
    case 'upgrade':
      head.upgrade = true;
      break;
    case 'x-forwarded-proto':
      head.forwardedProto = value;
      break;
    case 'traceparent':
      head.traceparent = value;
      break;
    case 'x-forwarded-for':
      // A proxy may append a line of its own in the place of an entry.
      head.forwardedFor = head.forwardedFor === null ? value : `${head.forwardedFor},${value}`;
      break;
  }
}
