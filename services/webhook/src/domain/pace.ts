/*
 * How an endpoint is slowed down that says it has too much to do, or whose front says so: 429, 502 and 504, and 503 with a
 * `Retry-After`. Nothing is sent to it for a while; each further such answer doubles the while, a success ends it.
 */

/** The pause of an endpoint between attempts. */
export interface Pace {
  /** Answers in a row that asked for less. */
  readonly slowAnswers: number;
  /** Nothing is sent before, epoch milliseconds. */
  readonly until: number;
}

/** No pause. */
export const STEADY: Pace = { slowAnswers: 0, until: 0 };

const FIRST_PAUSE_MS = 250;
/** The longest pause that is of our own making. */
export const MAX_PAUSE_MS = 10_000;
/** A `Retry-After` stops the whole endpoint for at most this; the delivery that it came with waits for as long as it says. */
export const MAX_ASKED_PAUSE_MS = 60_000;

const SLOW_DOWN = new Set([429, 502, 504]);

/**
 * The pace after an attempt.
 * @param askedMs what `Retry-After` asks for; null when it is not there
 */
export function paceAfter(pace: Pace, succeeded: boolean, statusCode: number | null, askedMs: number | null, now: number): Pace {
  if (succeeded) return pace.slowAnswers === 0 ? pace : STEADY;
  if (statusCode === null || !(SLOW_DOWN.has(statusCode) || (statusCode === 503 && askedMs !== null))) return pace;
  const slowAnswers = pace.slowAnswers + 1;
  const own = Math.min(FIRST_PAUSE_MS * 2 ** (slowAnswers - 1), MAX_PAUSE_MS);
  const asked = Math.min(askedMs ?? 0, MAX_ASKED_PAUSE_MS);
  return { slowAnswers, until: Math.max(pace.until, now + Math.max(own, asked)) };
}
