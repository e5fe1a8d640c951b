import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import { parseUrl } from '@parcelway/kernel/parse-url';
import type { ServiceTelemetry } from '@parcelway/telemetry/telemetry';
import CircuitBreaker from 'opossum';
import { carrierUnavailable } from './carrier-unavailable.ts';

/** What came of a question to a carrier. */
type Outcome = 'ok' | 'failed' | 'timeout' | 'rejected';

/** A carrier whose calls are counted, timed and traced. */
export interface WatchedCarrier {
  /** Runs a question to the carrier as a span of the trace that caused it. */
  follow<T>(traceparent: string | undefined, ask: () => Promise<T>): Promise<T>;
  /** Whether the carrier is left alone, or probed after that. */
  setOpen(isOpen: boolean): void;
}

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

/**
 * Watches the calls of a connection. Neither metrics nor spans have anything of a parcel, or a credential, in them.
 * @param name as metrics call the connection
 */
export function watchCarrier({ metrics, tracer }: ServiceTelemetry, name: string, url: string): WatchedCarrier {
  const known = { 'parcelway.carrier': name, 'server.address': parseUrl(url)?.hostname };
  const setOpen = (isOpen: boolean): void => metrics.set('parcelway_carrier_circuit_open', { carrier: name }, isOpen ? 1 : 0);
  setOpen(false);
  return {
    setOpen,
    async follow(traceparent, ask) {
      const startedAt = performance.now();
      const span = tracer.start('ask carrier', { kind: 'client', parent: traceparent, attributes: known });
      const end = (outcome: Outcome): void => {
        metrics.observe('parcelway_carrier_request_duration_seconds', { carrier: name, outcome }, (performance.now() - startedAt) / 1000);
        span.end({ attributes: { 'parcelway.outcome': outcome }, error: outcome === 'ok' ? undefined : outcome });
      };
      try {
        const response = await ask();
        end('ok');
        return response;
      } catch (error) {
        end(outcomeOfCall(error));
        throw error;
      }
    },
  };
}

/** Bounds of the calls of one carrier or connection, in milliseconds. */
export interface CircuitOptions {
  /** Names the carrier or the connection in the log. */
  readonly name: string;
  /** On a whole call, the body of its response included. */
  readonly timeoutMs: number;
  /** How long the breaker stays open before a probe; default 10 s. */
  readonly resetMs?: number | undefined;
  /** True for an error that says nothing against the other side: it does not count as a failure. */
  readonly isHarmless?: ((error: unknown) => boolean) | undefined;
  readonly logger: Logger;
  /** Receives every call and the changes of the circuit breaker. */
  readonly watched: WatchedCarrier;
}

/** A deadline and a breaker around calls. */
export interface Circuit {
  /**
   * @param call ends by its signal
   * @param traceparent of what the call is made for
   * @throws AppError 50001, at once while the breaker is open, with what the call has thrown as its cause
   */
  run<T>(call: (signal: AbortSignal) => Promise<T>, traceparent?: string): Promise<T>;
  /** @throws AppError 50001 while the breaker is open: no call would be made */
  assertClosed(): void;
  close(): void;
}

/** Calls within the window from which on their failures count. */
const MIN_CALLS = 5;
const WINDOW_MS = 30_000;
/** A carrier so slow that this many calls wait for it is out: the calls beyond count as failures. */
const MAX_CALLS = 100;

const DEFAULT_RESET_MS = 10_000;

type Call = (signal: AbortSignal) => Promise<unknown>;
type Breaker = CircuitBreaker<[Call], unknown>;

function breakerOf({ name, timeoutMs, resetMs = DEFAULT_RESET_MS, isHarmless, logger, watched }: CircuitOptions): Breaker {
  const breaker: Breaker = new CircuitBreaker((call: Call) => call(AbortSignal.timeout(timeoutMs)), {
    name,
    // The call ends by its signal; this ends the wait for one that does not heed it.
    timeout: timeoutMs,
    resetTimeout: resetMs,
    errorThresholdPercentage: 50,
    volumeThreshold: MIN_CALLS,
    rollingCountTimeout: WINDOW_MS,
    capacity: MAX_CALLS,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
    ...(isHarmless && { errorFilter: isHarmless }),
  });
  breaker.on('open', () => {
    watched.setOpen(true);
    logger.warn({ carrier_code: name }, 'The carrier fails; no requests are sent to it for a while');
  });
  breaker.on('close', () => {
    watched.setOpen(false);
    logger.info({ carrier_code: name }, 'The carrier responds again');
  });
  return breaker;
}

/** A refusal named as the breaker names its own. */
function openError(): Error {
  return Object.assign(new Error('Breaker is open'), { code: 'EOPENBREAKER' });
}

/**
 * Puts a deadline and a breaker around calls. More than half of at least 5 calls failing within 30 s opens it;
 * while it is open nobody waits for the deadline. After `resetMs` one call probes: it closes or opens the breaker again.
 */
export function createCircuit(options: CircuitOptions): Circuit {
  const { resetMs = DEFAULT_RESET_MS, watched } = options;
  const breaker = breakerOf(options);
  const assertClosed = (): void => {
    // The breaker would count calls that it refuses among those made, and hardly open again behind a long outage.
    if (!breaker.closed && !breaker.pendingClose) throw carrierUnavailable(resetMs, openError());
  };
  const fire = async <T>(call: (signal: AbortSignal) => Promise<T>): Promise<T> => {
    assertClosed();
    try {
      return (await breaker.fire(call)) as T;
    } catch (cause) {
      throw cause instanceof AppError ? cause : carrierUnavailable(resetMs, cause);
    }
  };
  return {
    run: (call, traceparent) => watched.follow(traceparent, () => fire(call)),
    assertClosed,
    close: () => breaker.shutdown(),
  };
}
