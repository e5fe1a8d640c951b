import { isAscii } from 'node:buffer';
import type { AttemptErrorCode } from '@parcelway/contracts/webhook-delivery-api';
import type { Dispatcher } from 'undici';
import type { Interruption } from '../domain/lane.ts';
import { isSuccess, type Reply } from '../domain/settle.ts';
import { RefusedAddressError } from './guarded-connect.ts';

/** Why a request failed: for programs, and as a sentence for people. */
type Cause = readonly [AttemptErrorCode, string];

const CAUSES: Readonly<Record<string, Cause>> = {
  ECONNREFUSED: ['connection_refused', 'The connection was refused'],
  ECONNRESET: ['connection_reset', 'The connection was reset'],
  EPIPE: ['connection_reset', 'The connection was reset'],
  UND_ERR_SOCKET: ['connection_closed', 'The connection was closed before the response was complete'],
  ENOTFOUND: ['name_not_resolved', 'The host name does not resolve'],
  EAI_AGAIN: ['name_not_resolved', 'The host name could not be resolved: its name server does not respond'],
  UND_ERR_CONNECT_TIMEOUT: ['connect_timeout', 'The connection could not be opened in time'],
  ETIMEDOUT: ['connection_closed', 'The connection broke: the receiver does not respond on it any more'],
  EHOSTUNREACH: ['unreachable', 'The host cannot be reached'],
  ENETUNREACH: ['unreachable', 'The network cannot be reached'],
  UND_ERR_HEADERS_OVERFLOW: ['headers_too_large', 'The headers of the response are too large'],
};

/** Codes of failed handshakes and of certificates that do not hold (node: doc/api/tls, "X509 certificate error codes"). */
const TLS_CODE =
  /^(ERR_SSL_|ERR_TLS_|CERT_|UNABLE_TO_|DEPTH_ZERO_SELF_SIGNED|SELF_SIGNED_|HOSTNAME_MISMATCH|INVALID_CA|PATH_LENGTH_EXCEEDED|EPROTO)/;

function causeOf(error: unknown): Cause {
  if (error instanceof RefusedAddressError) return ['address_not_allowed', `The address is not allowed: ${error.message}`];
  const { code, message } = error as { code?: string; message?: string };
  const said = [code, message].filter(Boolean).join(': ');
  if (code !== undefined && TLS_CODE.test(code)) return ['tls', `The TLS connection could not be made: ${said}`];
  return (code !== undefined && CAUSES[code]) || ['failed', said || 'The request failed'];
}

/** The reply for an attempt that ended without a complete response. @param error of undici, of the connection or of the address guard */
export function failureReply(error: unknown): Reply {
  const [errorCode, sentence] = causeOf(error);
  return { statusCode: null, error: sentence, errorCode, responseBody: null, retryAfter: null };
}

/** The reply for an attempt that its deadline ended. @param deadlineMs how long it was given */
function hungReply(deadlineMs: number): Reply {
  const seconds = Math.round(deadlineMs / 100) / 10;
  const error = `No complete response within ${seconds} seconds`;
  return { statusCode: null, error, errorCode: 'timeout', responseBody: null, retryAfter: null };
}

/** True for the error of a connection that had carried responses before and was closed by the receiver. */
function endedKeptConnection(error: unknown): boolean {
  const { code, socket } = error as { code?: string; socket?: { bytesRead?: number } };
  return (code === 'UND_ERR_SOCKET' || code === 'ECONNRESET') && (socket?.bytesRead ?? 0) > 0;
}

export const MAX_READ_BYTES = 64 * 1024;
export const MAX_KEPT_BYTES = 1024;

const RETRY_AFTER = 'retry-after';

/** The header `Retry-After` among raw ones, which are names and values in turn; the first when there are several. */
function retryAfterOf(raw: readonly Buffer[]): string | null {
  for (let index = 0; index < raw.length; index += 2) {
    const name = raw[index] as Buffer;
    // By the length first: nearly every header is another one.
    if (name.length !== RETRY_AFTER.length || name.toString('latin1').toLowerCase() !== RETRY_AFTER) continue;
    return (raw[index + 1] as Buffer).toString('latin1');
  }
  return null;
}

function textOf(kept: readonly Buffer[]): string {
  const bytes = kept.length === 1 ? (kept[0] as Buffer) : Buffer.concat(kept);
  if (isAscii(bytes)) return bytes.toString('latin1');
  // As a stream: a character cut at the limit is left out instead of being shown as a wrong one.
  return new TextDecoder().decode(bytes, { stream: true });
}

export interface ExchangeOptions {
  /** Begins the request, with the exchange as its handler. Called once more when a kept connection turns out to be closed. */
  readonly dispatch: (handler: Dispatcher.DispatchHandler) => void;
  /** Whole time in milliseconds, a second try included. */
  readonly deadlineMs: number;
  readonly interruption: Interruption;
  /** Called once. */
  readonly done: (reply: Reply) => void;
}

/**
 * One attempt at a receiver: sends, reads the response to its end or to the limit, and keeps the beginning. The methods are
 * undici's raw dispatch interface: at thousands of attempts a second the streams of the others cost more than the sending.
 */
export class ReceiverExchange implements Dispatcher.DispatchHandler {
  readonly #options: ExchangeOptions;
  readonly #timer: NodeJS.Timeout;
  #abort: ((error?: Error) => void) | undefined;
  #settled = false;
  #repeated = false;
  #responding = false;
  #status = 0;
  #retryAfter: string | null = null;
  #kept: Buffer[] = [];
  #read = 0;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    this.#timer = setTimeout(onDeadline, options.deadlineMs, this);
    options.interruption.onInterrupt(() => this.#end(failureReply(new Error('stopped'))));
    if (!this.#settled) options.dispatch(this);
  }

  expire(): void {
    this.#end(hungReply(this.#options.deadlineMs));
  }

  onConnect(abort: (error?: Error) => void): void {
    // Settled while it waited for a connection.
    if (this.#settled) abort();
    else this.#abort = abort;
  }

  onResponseStarted(): void {
    this.#responding = true;
  }

  onHeaders(status: number, raw: Buffer[]): boolean {
    // Interim responses come before the one that counts.
    if (status < 200) return true;
    this.#status = status;
    this.#retryAfter = retryAfterOf(raw);
    return true;
  }

  onData(chunk: Buffer): boolean {
    if (this.#settled) return true;
    if (this.#read < MAX_KEPT_BYTES) this.#kept.push(chunk.subarray(0, MAX_KEPT_BYTES - this.#read));
    this.#read += chunk.length;
    // The connection is closed with it: the receiver may send any amount more.
    if (this.#read >= MAX_READ_BYTES) this.#end(this.#reply());
    return true;
  }

  onComplete(): void {
    if (this.#finish()) this.#options.done(this.#reply());
  }

  onError(error: Error): void {
    if (this.#settled) return;
    if (this.#repeated || this.#responding || !endedKeptConnection(error)) {
      this.#finish();
      this.#options.done(failureReply(error));
      return;
    }
    // Closed by the receiver just as it was used again: not its fault and not worth a wait, so once more on another connection.
    this.#repeated = true;
    this.#abort = undefined;
    // Undici is still busy with the connection that ended.
    queueMicrotask(() => {
      if (!this.#settled) this.#options.dispatch(this);
    });
  }

  #reply(): Reply {
    const responseBody = textOf(this.#kept);
    const succeeded = isSuccess(this.#status);
    return {
      statusCode: this.#status,
      error: succeeded ? null : `The response had status ${this.#status}`,
      errorCode: succeeded ? null : 'status',
      responseBody,
      retryAfter: this.#retryAfter,
    };
  }

  /** Settles before the response is complete, and closes the connection. */
  #end(reply: Reply): void {
    if (!this.#finish()) return;
    this.#options.done(reply);
    this.#abort?.();
  }

  /** Settles. @returns false when that was done before */
  #finish(): boolean {
    if (this.#settled) return false;
    this.#settled = true;
    clearTimeout(this.#timer);
    return true;
  }
}

function onDeadline(exchange: ReceiverExchange): void {
  exchange.expire();
}
