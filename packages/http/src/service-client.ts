import type { Principal } from '@parcelway/contracts/principal';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { AppError, isAppErrorData } from '@parcelway/kernel/app-error';
import { isErrorCode } from '@parcelway/kernel/error-codes';
import { Agent, request } from 'undici';
import { REQUEST_ID_HEADER } from './answer.ts';
import { TRACEPARENT_HEADER } from './follow-request.ts';
import { clientKeepAlive } from './keep-alive.ts';
import { PRINCIPAL_HEADER, type PrincipalSigner } from './principal-token.ts';

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
}

/** Calls other services and unwraps their envelope. */
export interface ServiceClient {
  /**
   * `data` of the answer.
   * @throws AppError the callee's failure, or 50301 when it does not answer in time
   */
  call<T>(call: ServiceCall): Promise<T>;
  close(): Promise<void>;
}

/** Largest answer of another service that is read: 16 MB. */
const MAX_ANSWER_BYTES = 16 * 1024 * 1024;

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
    throw AppError.unavailable(`The ${service} service gave no envelope`, cause);
  }
  if (envelope.code === '0') return envelope.data as T;
  if (!isErrorCode(envelope.code)) throw AppError.unavailable(`The ${service} service gave an unknown code`);
  throw new AppError(envelope.code, envelope.message, { data: isAppErrorData(envelope.data) ? envelope.data : null });
}

/** A client that finds services through `originOf` and signs every call. */
export function createServiceClient(options: {
  readonly originOf: (service: ServiceName) => string;
  readonly signer: PrincipalSigner;
}): ServiceClient {
  const agent = new Agent({ ...clientKeepAlive, connections: 16, connect: { timeout: 2000 }, maxResponseSize: MAX_ANSWER_BYTES });
  return {
    async call<T>(call: ServiceCall): Promise<T> {
      const raw = Buffer.isBuffer(call.body);
      const headers: Record<string, string> = { [PRINCIPAL_HEADER]: options.signer.sign(call.principal) };
      if (call.requestId) headers[REQUEST_ID_HEADER] = call.requestId;
      if (call.traceparent) headers[TRACEPARENT_HEADER] = call.traceparent;
      if (call.body !== undefined) headers['content-type'] = call.contentType ?? 'application/json; charset=utf-8';
      let text: string;
      try {
        const answer = await request(`${options.originOf(call.service)}${call.path}`, {
          method: call.method,
          headers,
          body: call.body === undefined ? null : raw ? (call.body as Buffer) : JSON.stringify(call.body),
          dispatcher: agent,
          signal: AbortSignal.timeout(call.timeoutMs ?? 5000),
        });
        text = await answer.body.text();
      } catch (cause) {
        throw AppError.unavailable(`The ${call.service} service does not answer`, cause);
      }
      return unwrap<T>(call.service, text);
    },
    close: () => agent.close(),
  };
}
