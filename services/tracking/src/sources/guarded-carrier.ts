import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import CircuitBreaker from 'opossum';
import type { CarrierNode } from '../domain/node.ts';
import type { Carrier, CarrierParcel } from '../ports.ts';
import type { WatchedCarrier } from './carrier-telemetry.ts';
import { carrierUnavailable } from './carrier-unavailable.ts';

/** Bounds of a guarded carrier, in milliseconds. */
export interface GuardOptions {
  readonly code: string;
  /** On the whole call, its body included. */
  readonly timeoutMs: number;
  /** How long the breaker stays open before a probe; default 10 s. */
  readonly resetMs?: number | undefined;
  readonly logger: Logger;
  /** Receives every request to the carrier and the changes of the circuit breaker. */
  readonly watched: WatchedCarrier;
}

/** A carrier behind a breaker. */
export interface GuardedCarrier {
  /**
   * @param traceparent of what the question is asked for
   * @throws AppError 50001, at once while the breaker is open
   */
  track(parcel: CarrierParcel, traceparent?: string): Promise<readonly CarrierNode[]>;
  close(): void;
}

/** Calls within the window from which on their failures count. */
const MIN_CALLS = 5;
const WINDOW_MS = 30_000;
/** A carrier so slow that this many calls wait for it is out: the calls beyond count as failures. */
const MAX_CALLS = 100;

const DEFAULT_RESET_MS = 10_000;

type Breaker = CircuitBreaker<[CarrierParcel], readonly CarrierNode[]>;

function breakerOf(carrier: Carrier, { code, timeoutMs, resetMs = DEFAULT_RESET_MS, logger, watched }: GuardOptions): Breaker {
  const ask = (parcel: CarrierParcel): Promise<readonly CarrierNode[]> => carrier.track(parcel, AbortSignal.timeout(timeoutMs));
  const breaker: Breaker = new CircuitBreaker(ask, {
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
  breaker.on('open', () => {
    watched.setOpen(true);
    logger.warn({ carrier_code: code }, 'The carrier fails; no requests are sent to it for a while');
  });
  breaker.on('close', () => {
    watched.setOpen(false);
    logger.info({ carrier_code: code }, 'The carrier responds again');
  });
  return breaker;
}

/** A refusal named as the breaker names its own. */
function openError(): Error {
  return Object.assign(new Error('Breaker is open'), { code: 'EOPENBREAKER' });
}

/**
 * Puts a deadline and a breaker around a carrier. More than half of at least 5 calls failing within 30 s opens it;
 * while it is open nobody waits for the deadline. After `resetMs` one call probes: it closes or opens the breaker again.
 */
export function guardCarrier(carrier: Carrier, options: GuardOptions): GuardedCarrier {
  const { resetMs = DEFAULT_RESET_MS, watched } = options;
  const breaker = breakerOf(carrier, options);
  const fire = async (parcel: CarrierParcel): Promise<readonly CarrierNode[]> => {
    // The breaker would count calls that it refuses among those made, and hardly open again behind a long outage.
    if (!breaker.closed && !breaker.pendingClose) throw carrierUnavailable(resetMs, openError());
    try {
      return await breaker.fire(parcel);
    } catch (cause) {
      throw cause instanceof AppError ? cause : carrierUnavailable(resetMs, cause);
    }
  };
  return {
    track: (parcel, traceparent) => watched.follow(traceparent, () => fire(parcel)),
    close: () => breaker.shutdown(),
  };
}
