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
  readonly method: Dispatcher.HttpMethod;
  /** Path with query. */
  readonly path: string;
  /** On whose behalf. */
  readonly principal: Principal;
  /** Sent as JSON, or as it is when a Buffer (with `contentType`). */
  readonly body?: unknown;
  readonly contentType?: string | undefined;
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
  /** The response as it is, whose body is still to be read. @throws AppError 40402, 50301 as {@link call} */
  send(call: Omit<ServiceCall, 'maxBytes'>): Promise<Dispatcher.ResponseData>;
  /** Waits for calls that have begun. */
  close(): Promise<void>;
  /** Ends calls that have begun. */
  destroy(): Promise<void>;
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

/**
 * The text of a response of another service.
 * @throws AppError 50301 when it breaks off, 41301 when it is larger than `maxBytes`; the rest of it is not read
 */
export async function textOf(service: ServiceName, body: Dispatcher.ResponseData['body'], maxBytes?: number): Promise<string> {
  try {
    if (maxBytes === undefined) return await body.text();
    const chunks: Buffer[] = [];
    let bytes = 0;
    for await (const chunk of body as AsyncIterable<Buffer>) {
      bytes += chunk.length;
      if (bytes > maxBytes) throw new AppError('41301', `The response of the ${service} service has more than ${maxBytes} bytes`);
      chunks.push(chunk);
    }
    return Buffer.concat(chunks).toString('utf8');
  } catch (cause) {
    throw cause instanceof AppError ? cause : AppError.unavailable(`The ${service} service does not respond`, cause);
  }
}

/** A client that finds services through `originOf` and signs every call. @param options.connections to each service; default 16 */
export function createServiceClient(options: {
  readonly originOf: (service: ServiceName) => string;
  readonly signer: PrincipalSigner;
  readonly connections?: number;
}): ServiceClient {
  const { originOf, signer, connections = 16 } = options;
  const agent = new Agent({ ...clientKeepAlive, connections, connect: { timeout: 2000 }, maxResponseSize: MAX_RESPONSE_BYTES });
  async function send({ service, body, ...call }: ServiceCall): Promise<Dispatcher.ResponseData> {
    assertPlainPath(call.path);
    const isRaw = Buffer.isBuffer(body);
    const headers: Record<string, string> = { [PRINCIPAL_HEADER]: signer.sign(call.principal) };
    if (call.requestId) headers[REQUEST_ID_HEADER] = call.requestId;
    if (call.traceparent) headers[TRACEPARENT_HEADER] = call.traceparent;
    const type = call.contentType ?? (body === undefined || isRaw ? undefined : 'application/json; charset=utf-8');
    if (type !== undefined) headers['content-type'] = type;
    try {
      // Not by a URL, which would resolve the path anew.
      return await requestWithin(agent, call.timeoutMs ?? 5000, {
        origin: originOf(service),
        path: call.path,
        method: call.method,
        headers,
        body: body === undefined ? null : isRaw ? body : JSON.stringify(body),
      });
    } catch (cause) {
      throw AppError.unavailable(`The ${service} service does not respond`, cause);
    }
  }
  return {
    send,
    call: async <T>(call: ServiceCall) => unwrap<T>(call.service, await textOf(call.service, (await send(call)).body, call.maxBytes)),
    close: () => agent.close(),
    destroy: () => agent.destroy(),
  };
}
