import { backOffMs } from '@parcelway/kernel/back-off';
/*
 * How an endpoint is slowed down that says it has too much to do, or whose front says so: 429, 502 and 504, and 503 with a
 * `Retry-After`. Nothing is sent to it for a while; each further such response doubles the while, a success ends it.
 */

/** The pause of an endpoint between attempts. */
export interface Pace {
  /** Responses in a row that asked for less. */
  readonly slowResponses: number;
  /** Nothing is sent before, epoch milliseconds. */
  readonly until: number;
}

/** No pause. */
export const STEADY: Pace = { slowResponses: 0, until: 0 };

/** The longest pause that is of our own making. */
export const MAX_PAUSE_MS = 10_000;
/** A `Retry-After` stops the whole endpoint for at most this; the delivery that it came with waits for as long as it says. */
export const MAX_ASKED_PAUSE_MS = 60_000;

/** A shorter pause is not worth writing down for other processes and for the tenant to see. */
const KEPT_PAUSE_MS = 1_000;
/** No slow-down that seems to last longer is believed: the clock of the process that wrote it down is wrong. */
const MAX_BELIEVED_MS = 2 * MAX_ASKED_PAUSE_MS;

const SLOW_DOWN = new Set([429, 502, 504]);

/**
 * The pace after an attempt that has failed. A success makes it {@link STEADY}.
 * @param askedMs what `Retry-After` asks for; null when it is not there
 */
export function paceAfter(pace: Pace, statusCode: number | null, askedMs: number | null, now: number): Pace {
  if (statusCode === null || !(SLOW_DOWN.has(statusCode) || (statusCode === 503 && askedMs !== null))) return pace;
  const slowResponses = pace.slowResponses + 1;
  const own = backOffMs({ firstMs: 250, maxMs: MAX_PAUSE_MS }, slowResponses);
  const asked = Math.min(askedMs ?? 0, MAX_ASKED_PAUSE_MS);
  return { slowResponses, until: Math.max(pace.until, now + Math.max(own, asked)) };
}

/**
 * True when the end of a pause is to be written down as `slowedUntil` of the endpoint.
 * @param kept the stored value; near enough, or later, it stays
 */
export function isWorthKeeping(until: number, kept: number | null, now: number): boolean {
  return until - Math.max(now, slowdownEnd(kept, now)) >= KEPT_PAUSE_MS;
}

/** When an endpoint may be sent to again as far as is written down; 0 when it is not slowed down. */
export function slowdownEnd(slowedUntil: number | null, now: number): number {
  return slowedUntil !== null && now < slowedUntil && slowedUntil - now <= MAX_BELIEVED_MS ? slowedUntil : 0;
}
