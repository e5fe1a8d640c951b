import { type BackOff, backOffMs } from '@parcelway/kernel/back-off';
/*
 * When nothing is sent to an endpoint for a while. One that says it has too much to do, or whose front says so (429, 502 and 504, and 503 with a
 * `Retry-After`), is paused at once. One that only fails is paused after enough failures: trying every waiting delivery at a receiver that is down
 * costs both sides, and uses up schedules. Each further such failure makes the pause longer, a success ends it. Deliveries that wait keep their place
 * in the schedule.
 */

/** The pause of an endpoint between attempts. */
export interface Pace {
  /** Responses in a row that asked for less. */
  readonly slowResponses: number;
  /** Failures in a row that count, but for those during a pause. */
  readonly failures: number;
  /** Nothing is sent before, epoch milliseconds. */
  readonly until: number;
}

/** No pause. */
export const STEADY: Pace = { slowResponses: 0, failures: 0, until: 0 };

/** Pauses of one that asks for less. */
const SLOW_PAUSES: BackOff = { firstMs: 250, maxMs: 10_000 };
/** A `Retry-After` stops the whole endpoint for at most this; the delivery that it came with waits for as long as it says. */
export const MAX_ASKED_PAUSE_MS = 60_000;
/** Failures in a row from which on each brings a pause. */
export const FAILURES_TO_PAUSE = 20;
/** Pauses of one that fails: a receiver that is back is found within the longest. */
const FAILING_PAUSES: BackOff = { firstMs: 1_000, maxMs: 60_000, jitter: 0.2 };

/** A shorter pause is not worth writing down for other processes and for the tenant to see. */
const KEPT_PAUSE_MS = 1_000;
/** No slow-down that seems to last longer is believed: the clock of the process that wrote it down is wrong. */
const MAX_BELIEVED_MS = 2 * MAX_ASKED_PAUSE_MS;

const SLOW_DOWN = new Set([429, 502, 504]);

/** A failed attempt, as far as the pace follows from it. */
export interface PaceFailure {
  readonly statusCode: number | null;
  /** What `Retry-After` asks for; null when it is not there. */
  readonly askedMs: number | null;
  /** False for a failure that says nothing of the endpoint's health. */
  readonly counts: boolean;
}

/**
 * The pace after an attempt that has failed. A success makes it {@link STEADY}.
 * @param random in [0, 1), so that endpoints that fail together do not come back together
 */
export function paceAfter(pace: Pace, { statusCode, askedMs, counts }: PaceFailure, now: number, random: number): Pace {
  const isSlow = statusCode !== null && (SLOW_DOWN.has(statusCode) || (statusCode === 503 && askedMs !== null));
  const slowResponses = isSlow ? pace.slowResponses + 1 : pace.slowResponses;
  // One that began before a pause says nothing new.
  const isNew = counts && (pace.failures < FAILURES_TO_PAUSE || now >= pace.until);
  const failures = isNew ? pace.failures + 1 : pace.failures;
  if (!isSlow && !isNew) return pace;
  const slow = isSlow ? Math.max(backOffMs(SLOW_PAUSES, slowResponses), Math.min(askedMs ?? 0, MAX_ASKED_PAUSE_MS)) : 0;
  const beyond = failures - FAILURES_TO_PAUSE;
  const failing = isNew && beyond >= 0 ? backOffMs(FAILING_PAUSES, beyond + 1, random) : 0;
  const pause = Math.max(slow, failing);
  return { slowResponses, failures, until: pause === 0 ? pace.until : Math.max(pace.until, now + pause) };
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
