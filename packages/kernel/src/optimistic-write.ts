import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from './app-error.ts';
import { backOffMs } from './back-off.ts';

/** So many lost races in a row are more than chance. */
const MAX_TRIES = 40;
/** Below the deadline of the database: no try begins for a caller who is gone. */
const MAX_MS = 4000;
const PAUSES = { firstMs: 4, maxMs: 100, jitter: 1 };

/**
 * A random time that grows with the tries, in milliseconds: it separates the rivals, and lets the winner's write reach the majority, which is what
 * a read returns.
 */
export function racePauseMs(tries: number): number {
  return backOffMs(PAUSES, tries, Math.random());
}

/** Until when a write that begins now may be tried, in terms of `performance.now()`. */
export function lastTryAt(): number {
  return performance.now() + MAX_MS;
}

/**
 * Repeats an attempt that reads, decides, and writes on condition that nothing has changed since.
 * @param attempt undefined when something had
 * @param end of a write that waits for its turn first: as it was before that
 * @throws AppError 50301 when others were quicker each time, or the turn came after the end; whatever else the attempt throws
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>, end = lastTryAt()): Promise<T> {
  let pauseMs = 0;
  for (let tries = 1; tries <= MAX_TRIES && performance.now() + pauseMs <= end; tries += 1) {
    if (tries > 1) await pause(pauseMs);
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
    pauseMs = racePauseMs(tries);
  }
  throw AppError.unavailable('Too many changes at the same time; try again');
}
