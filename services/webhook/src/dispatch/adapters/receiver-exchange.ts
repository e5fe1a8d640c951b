import { isAscii } from 'node:buffer';
import type { Dispatcher } from 'undici';
import type { Interruption } from '../domain/interruption.ts';
import type { Reply } from '../domain/settle.ts';
import { isSuccess } from '../domain/settle.ts';
import { endedKeptConnection, failureReply, hungReply } from './send-failure.ts';

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
