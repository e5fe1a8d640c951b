import { Circuit as Breaker } from '@parcelway/http/circuit';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import { parseUrl } from '@parcelway/kernel/parse-url';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';

/** A request that failed says little of the next one: it is soon worth a retry, but not at once. */
export const FAILED_RETRY_MS = 5000;

/** A carrier that is not configured stays so until an operator acts. */
export const UNCONFIGURED_RETRY_MS = 60_000;

/**
 * 50001: a carrier cannot be asked, or its response is not believed. One that is left alone for a while is worth a retry when that
 * while is over.
 * @param retryAfterMs after which a retry is worthwhile; `Retry-After` has it in whole seconds, rounded up so that no retry is too early
 * @param cause logged, never shown
 */
export function carrierUnavailable(retryAfterMs: number, cause?: unknown): AppError {
  return new AppError('50001', undefined, { cause, retryAfterSeconds: Math.ceil(retryAfterMs / 1000) });
}

/** 50001: no connection serves a carrier. `data` names it, so that whoever reads the response knows what is missing. */
export function carrierUnserved(carrierCode: string): AppError {
  return new AppError('50001', `No tracking source serves the carrier ${carrierCode}`, {
    data: { carrier_code: carrierCode },
    retryAfterSeconds: UNCONFIGURED_RETRY_MS / 1000,
  });
}

/** The outcome of a call to a carrier. */
type Outcome = 'ok' | 'failed' | 'timeout' | 'rejected';

/** How opossum names its refusals: the circuit is open, or as many calls wait as may. The carrier was not asked. */
const REJECTED: ReadonlySet<unknown> = new Set(['EOPENBREAKER', 'ESEMLOCKED']);
/** How the end of waiting is named by opossum, and by undici of a connection, of headers and of a body. */
const TIMED_OUT: ReadonlySet<unknown> = new Set([
  'ETIMEDOUT',
  'UND_ERR_CONNECT_TIMEOUT',
  'UND_ERR_HEADERS_TIMEOUT',
  'UND_ERR_BODY_TIMEOUT',
]);

/** What an error of a call means. */
export function outcomeOfCall(error: unknown): Outcome {
  // Outwardly every failure is a 50001: the cause distinguishes them.
  const { code, name } = ((error instanceof AppError ? error.cause : error) ?? {}) as { readonly code?: unknown; readonly name?: unknown };
  if (REJECTED.has(code)) return 'rejected';
  return TIMED_OUT.has(code) || name === 'TimeoutError' ? 'timeout' : 'failed';
}

/** A circuit of one carrier or connection. Times in milliseconds. */
export interface CircuitOptions {
  readonly name: string;
  readonly url: string;
  /** Names the calls of a second circuit of the carrier in logs, such as `registrations`. The gauge shows the first circuit alone. */
  readonly part?: string;
  /** Deadline of a whole call, including the response body. */
  readonly timeoutMs: number;
  /** How long the breaker stays open before a probe; default 10 s. */
  readonly resetMs?: number | undefined;
  /** True for an error that says nothing against the other side: it does not count as a failure. */
  readonly isHarmless?: ((error: unknown) => boolean) | undefined;
  readonly logger: Logger;
  readonly telemetry: ServiceTelemetry;
}

const WINDOW_MS = 30_000;
/** A carrier so slow that this many calls wait for it is out: the calls beyond count as failures. */
const MAX_CALLS = 100;

const DEFAULT_RESET_MS = 10_000;

/**
 * A deadline and a circuit breaker around calls, which are counted, timed and traced.
 * Metrics and spans contain neither parcel data nor credentials.
 */
export class Circuit {
  readonly #options: CircuitOptions;
  readonly #resetMs: number;
  readonly #breaker: Breaker;

  constructor(options: CircuitOptions) {
    const { name, part, timeoutMs, resetMs = DEFAULT_RESET_MS, isHarmless, logger, telemetry } = options;
    this.#options = options;
    this.#resetMs = resetMs;
    const setOpen = (isOpen: boolean): void => {
      if (part === undefined) telemetry.metrics.set('parcelway_carrier_circuit_open', { carrier: name }, isOpen ? 1 : 0);
    };
    const fields = { carrier_code: part === undefined ? name : `${name} ${part}` };
    setOpen(false);
    this.#breaker = new Breaker({
      windowMs: WINDOW_MS,
      resetMs,
      // The call ends by its signal; this ends the wait for one that does not heed it.
      timeoutMs,
      maxCalls: MAX_CALLS,
      isHarmless,
      onChange(isOpen) {
        setOpen(isOpen);
        if (isOpen) logger.warn(fields, 'The carrier fails; no requests are sent to it for a while');
        else logger.info(fields, 'The carrier responds again');
      },
    });
  }

  /**
   * Makes a call, as a span of the trace that caused it.
   * @param call ends by its signal
   * @throws AppError 50001, at once while the breaker is open, with what the call has thrown as its cause
   */
  async run<T>(call: (signal: AbortSignal) => Promise<T>, traceparent?: string): Promise<T> {
    const { name, url, timeoutMs, telemetry } = this.#options;
    const startedAt = performance.now();
    const attributes = { 'parcelway.carrier': name, 'server.address': parseUrl(url)?.hostname };
    const span = telemetry.tracer.start('ask carrier', { kind: 'client', parent: traceparent, attributes });
    const end = (outcome: Outcome): void => {
      const seconds = (performance.now() - startedAt) / 1000;
      telemetry.metrics.observe('parcelway_carrier_request_duration_seconds', { carrier: name, outcome }, seconds);
      span.end({ attributes: { 'parcelway.outcome': outcome }, error: outcome === 'ok' ? undefined : outcome });
    };
    try {
      const response = await this.#breaker.run(() => call(AbortSignal.timeout(timeoutMs)));
      end('ok');
      return response;
    } catch (cause) {
      end(outcomeOfCall(cause));
      throw cause instanceof AppError ? cause : carrierUnavailable(this.#resetMs, cause);
    }
  }

  /** @throws AppError 50001 while the breaker is open: no call would be made */
  assertClosed(): void {
    if (this.#breaker.isOpen) throw carrierUnavailable(this.#resetMs);
  }

  close(): void {
    this.#breaker.close();
  }
}
