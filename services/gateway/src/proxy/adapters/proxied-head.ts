import { FALLBACK_HEADER } from '@parcelway/http/route-fallback';

/** Headers of a service's response that end here: those of the connection, and those that the gateway sets itself. */
const STAYING: ReadonlySet<string> = new Set([
  'connection',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'ratelimit-limit',
  'ratelimit-remaining',
  'ratelimit-reset',
  'strict-transport-security',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'x-content-type-options',
  'x-powered-by',
  'x-request-id',
  FALLBACK_HEADER,
]);

/** True when a service leaves its response to the fallback of the route. */
export function hasFallbackHeader(raw: readonly Buffer[]): boolean {
  return raw.some((text, index) => index % 2 === 0 && text.toString('latin1').toLowerCase() === FALLBACK_HEADER);
}

/** What the gateway reads of the head of a service's response. */
export interface ProxiedHead {
  /** Names and values that pass to the client. */
  readonly headers: string[];
  /** `Content-Length`; null when there is none. */
  readonly contentLength: string | null;
  /** True when the headers have a `Cache-Control`. */
  readonly cacheable: boolean;
  /** True when the client is to have what has come without waiting for more. */
  readonly isUnbuffered: boolean;
}

/** Reads the headers of a service's response. @param raw names and values in turns */
export function readProxiedHead(raw: readonly Buffer[]): ProxiedHead {
  const headers: string[] = [];
  let contentLength: string | null = null;
  let cacheable = false;
  let isUnbuffered = false;
  for (let index = 0; index < raw.length; index += 2) {
    const name = (raw[index] as Buffer).toString('latin1');
    const lower = name.toLowerCase();
    const value = (raw[index + 1] as Buffer).toString('latin1');
    if (lower === 'content-length') contentLength = value;
    else if (!STAYING.has(lower)) headers.push(name, value);
    if (lower === 'cache-control') cacheable = true;
    // As other proxies in front of the gateway know it.
    else if (lower === 'x-accel-buffering') isUnbuffered = value.toLowerCase() === 'no';
  }
  return { headers, contentLength, cacheable, isUnbuffered };
}
