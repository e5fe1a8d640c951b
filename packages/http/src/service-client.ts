import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { AppError, isAppErrorData } from '@parcelway/kernel/app-error';
import { isErrorCode } from '@parcelway/kernel/error-codes';
import { Agent, type Dispatcher } from 'undici';
import { TRACEPARENT_HEADER } from './follow-request.ts';
import { clientKeepAlive } from './keep-alive.ts';
import { assertPlainPath } from './plain-path.ts';
import { PRINCIPAL_HEADER, type PrincipalSigner } from './principal-token.ts';
import { REQUEST_ID_HEADER } from './response.ts';

/** A call from one service to another. */
export interface ServiceCall {
  readonly service: ServiceName;
  readonly method: 'GET' | 'POST';
  /** Path with query. */
  readonly path: string;
  /** On whose behalf. */
  readonly principal: Principal;
  /** Sent as JSON, or as it is when a Buffer (with `contentType`). */
  readonly body?: unknown;
  readonly contentType?: string;
  readonly requestId?: string;
  /** Of whatever causes the call. */
  readonly traceparent?: string | undefined;
  /** Bound on the whole call; default 5000 ms. */
  readonly timeoutMs?: number;
  /** Largest response that is read; default 16 MB. */
  readonly maxBytes?: number;
}

/** Calls other services and unwraps their envelope. */
export interface ServiceClient {
  /**
   * `data` of the response.
   * @throws AppError the callee's failure, 40402 for a path that is not plain, 50301 when it does not respond in time, 41301 when the response is larger than `maxBytes`
   */
  call<T>(call: ServiceCall): Promise<T>;
  close(): Promise<void>;
}

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

/** Largest response of another service that is read: 16 MB. */
const MAX_RESPONSE_BYTES = 16 * 1024 * 1024;

interface Envelope {
  readonly code: string;
  readonly message: string;
  readonly data: unknown;
}

function unwrap<T>(service: string, text: string): T {
  let envelope: Partial<Envelope>;
  try {
    envelope = JSON.parse(text) as Partial<Envelope>;
  } catch (cause) {
    throw AppError.unavailable(`The response of the ${service} service has no envelope`, cause);
  }
  if (envelope.code === '0') return envelope.data as T;
  if (!isErrorCode(envelope.code)) throw AppError.unavailable(`The response of the ${service} service has an unknown code`);
  throw new AppError(envelope.code, envelope.message, { data: isAppErrorData(envelope.data) ? envelope.data : null });
}

/** The text of a response. @throws AppError 41301 when it is larger than is wanted; the rest of it is not read */
async function textOf(service: string, body: Dispatcher.ResponseData['body'], maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > maxBytes) throw new AppError('41301', `The response of the ${service} service has more than ${maxBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** A client that finds services through `originOf` and signs every call. */
export function createServiceClient(options: {
  readonly originOf: (service: ServiceName) => string;
  readonly signer: PrincipalSigner;
}): ServiceClient {
  const agent = new Agent({ ...clientKeepAlive, connections: 16, connect: { timeout: 2000 }, maxResponseSize: MAX_RESPONSE_BYTES });
  return {
    async call<T>(call: ServiceCall): Promise<T> {
      assertPlainPath(call.path);
      const raw = Buffer.isBuffer(call.body);
      const headers: Record<string, string> = { [PRINCIPAL_HEADER]: options.signer.sign(call.principal) };
      if (call.requestId) headers[REQUEST_ID_HEADER] = call.requestId;
      if (call.traceparent) headers[TRACEPARENT_HEADER] = call.traceparent;
      if (call.body !== undefined) headers['content-type'] = call.contentType ?? 'application/json; charset=utf-8';
      let text: string;
      try {
        // Not by a URL, which would resolve the path anew.
        const response = await requestWithin(agent, call.timeoutMs ?? 5000, {
          origin: options.originOf(call.service),
          path: call.path,
          method: call.method,
          headers,
          body: call.body === undefined ? null : raw ? (call.body as Buffer) : JSON.stringify(call.body),
        });
        text = call.maxBytes === undefined ? await response.body.text() : await textOf(call.service, response.body, call.maxBytes);
      } catch (cause) {
        if (cause instanceof AppError) throw cause;
        throw AppError.unavailable(`The ${call.service} service does not respond`, cause);
      }
      return unwrap<T>(call.service, text);
    },
    close: () => agent.close(),
  };
}
