import type { Dispatcher } from 'undici';

/**
 * Sends a request with a deadline for its response and the whole body. Undici looks at a signal only once the request has a connection, so the wait
 * for a connection is bounded here.
 * @throws DOMException TimeoutError when there is no response in time; a request that still waits is then never sent
 */
export function requestWithin(
  dispatcher: Dispatcher,
  timeoutMs: number,
  options: Omit<Dispatcher.RequestOptions, 'signal'>,
): Promise<Dispatcher.ResponseData> {
  const signal = AbortSignal.timeout(timeoutMs);
  const expiry = new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
  return Promise.race([dispatcher.request({ ...options, signal }), expiry]);
}
