import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { AppError, isAppErrorData } from '@parcelway/kernel/app-error';
import { isErrorCode } from '@parcelway/kernel/error-codes';
import { within } from '@parcelway/kernel/within';
import { TRACEPARENT_HEADER } from './follow-request.ts';
import { callLocally, type LocalService, type ServiceRequest, type ServiceResponse } from './local-call.ts';
import { assertPlainPath } from './plain-path.ts';
import { REQUEST_ID_HEADER } from './response.ts';

/** A call from one service to another. */
export interface ServiceCall {
  readonly service: ServiceName;
  readonly method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
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
  send(call: Omit<ServiceCall, 'maxBytes'>): Promise<ServiceResponse>;
  /** Resolves when a service is ready. Rejects when it is not, or does not respond in time. */
  ready(service: ServiceName, timeoutMs: number): Promise<void>;
}

/** Carries calls to other services. Rejects when a service does not respond in time. */
export interface ServiceTransport {
  /** @param timeoutMs bound on the response and its whole body */
  send(service: ServiceName, request: ServiceRequest, timeoutMs: number): Promise<ServiceResponse>;
  ready(service: ServiceName, timeoutMs: number): Promise<void>;
}

/** Calls the services of this process. */
export function localTransport(serviceOf: (service: ServiceName) => LocalService): ServiceTransport {
  return {
    send: async (service, request, timeoutMs) => callLocally(serviceOf(service), request, AbortSignal.timeout(timeoutMs)),
    ready: async (service, timeoutMs) =>
      within(timeoutMs, serviceOf(service).ready(), () => new Error(`No response within ${timeoutMs} ms`)),
  };
}

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
 * @param maxBytes default 16 MB
 * @throws AppError 50301 when it breaks off, 41301 when it is larger than `maxBytes`; the rest of it is not read
 */
export async function textOf(service: ServiceName, body: ServiceResponse['body'], maxBytes = MAX_RESPONSE_BYTES): Promise<string> {
  try {
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

function requestOf({ method, path, principal, body, requestId, traceparent, contentType }: ServiceCall): ServiceRequest {
  assertPlainPath(path);
  const isRaw = Buffer.isBuffer(body);
  const type = contentType ?? (body === undefined || isRaw ? undefined : 'application/json; charset=utf-8');
  const headers = {
    ...(requestId && { [REQUEST_ID_HEADER]: requestId }),
    ...(traceparent && { [TRACEPARENT_HEADER]: traceparent }),
    ...(type !== undefined && { 'content-type': type }),
  };
  return { method, path, principal, headers, body: body === undefined ? null : isRaw ? body : JSON.stringify(body) };
}

/** A client of the services that a transport reaches. */
export function createServiceClient(transport: ServiceTransport): ServiceClient {
  async function send(call: ServiceCall): Promise<ServiceResponse> {
    const request = requestOf(call);
    try {
      return await transport.send(call.service, request, call.timeoutMs ?? 5000);
    } catch (cause) {
      throw AppError.unavailable(`The ${call.service} service does not respond`, cause);
    }
  }
  return {
    send,
    ready: (service, timeoutMs) => transport.ready(service, timeoutMs),
    call: async <T>(call: ServiceCall) => unwrap<T>(call.service, await textOf(call.service, (await send(call)).body, call.maxBytes)),
  };
}
