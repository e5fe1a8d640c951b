import type { ServerResponse } from 'node:http';

/** Status of a response that passes a request back to the gateway: 421 Misdirected Request (RFC 9110, 15.5.20). */
export const FALLBACK_STATUS = 421;
/** Header of such a response, in lower case. It never leaves the platform. */
export const FALLBACK_HEADER = 'x-route-fallback';

const fallbacks = new WeakMap<ServerResponse, () => void>();

/** Sets what {@link sendFallback} calls instead of responding, for a fallback in the same process. */
export function setFallback(res: ServerResponse, fallback: () => void): void {
  fallbacks.set(res, fallback);
}

/**
 * Signals that another service has to handle this request: the gateway sends it to the `fallback` of its route. For routes that
 * have one only.
 */
export function sendFallback(res: ServerResponse): void {
  const fallback = fallbacks.get(res);
  if (fallback !== undefined) {
    fallbacks.delete(res);
    fallback();
    return;
  }
  res.statusCode = FALLBACK_STATUS;
  res.setHeader(FALLBACK_HEADER, '1');
  res.setHeader('Content-Length', '0');
  res.end();
}
