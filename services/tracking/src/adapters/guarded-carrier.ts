import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import CircuitBreaker from 'opossum';
import type { CarrierNode } from '../domain/node.ts';
import type { Carrier, CarrierParcel } from '../ports.ts';

/** Bounds of a guarded carrier, in milliseconds. */
export interface GuardOptions {
  readonly code: string;
  /** On the whole call, its body included. */
  readonly timeoutMs: number;
  /** How long the breaker stays open before a probe; default 10 s. */
  readonly resetMs?: number | undefined;
  readonly logger: Logger;
}

/** A carrier behind a breaker. */
export interface GuardedCarrier {
  /** @throws AppError 50001, at once while the breaker is open */
  track(parcel: CarrierParcel): Promise<readonly CarrierNode[]>;
  close(): void;
}

/** Calls within the window from which on their failures count. */
const MIN_CALLS = 5;
const WINDOW_MS = 30_000;
/** A carrier so slow that this many calls wait for it is out: the calls beyond count as failures. */
const MAX_CALLS = 100;

/**
 * Puts a deadline and a breaker around a carrier. More than half of at least 5 calls failing within 30 s opens it;
 * while it is open nobody waits for the deadline. After `resetMs` one call probes: it closes or opens the breaker again.
 */
export function guardCarrier(carrier: Carrier, { code, timeoutMs, resetMs = 10_000, logger }: GuardOptions): GuardedCarrier {
  const ask = (parcel: CarrierParcel): Promise<readonly CarrierNode[]> => carrier.track(parcel, AbortSignal.timeout(timeoutMs));
  const breaker = new CircuitBreaker(ask, {
    name: code,
    // The carrier ends by its signal; this ends the wait for one that does not heed it.
    timeout: timeoutMs,
    resetTimeout: resetMs,
    errorThresholdPercentage: 50,
    volumeThreshold: MIN_CALLS,
    rollingCountTimeout: WINDOW_MS,
    capacity: MAX_CALLS,
    rollingPercentilesEnabled: false,
    enableSnapshots: false,
  });
  const leftAlone = (cause?: unknown): AppError =>
    new AppError('50001', undefined, { cause, retryAfterSeconds: Math.ceil(resetMs / 1000) });
  breaker.on('open', () => logger.warn({ carrier_code: code }, 'The carrier fails: it is left alone for a while'));
  breaker.on('close', () => logger.info({ carrier_code: code }, 'The carrier answers again'));
  return {
    async track(parcel) {
      // The breaker would count calls that it refuses among those made, and hardly open again behind a long outage.
      if (!breaker.closed && !breaker.pendingClose) throw leftAlone();
      try {
        return await breaker.fire(parcel);
      } catch (cause) {
        throw cause instanceof AppError ? cause : leftAlone(cause);
      }
    },
    close: () => breaker.shutdown(),
  };
}
