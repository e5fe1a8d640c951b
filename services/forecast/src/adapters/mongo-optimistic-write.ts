import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';

/** A write that so many others got ahead of has met more than chance. */
const MAX_TRIES = 20;
/** Ends before the deadline of the database, so that no try begins when nobody waits for it. */
const MAX_MS = 4500;
const FIRST_PAUSE_MS = 8;
const MAX_PAUSE_MS = 500;

/** Until when a write that begins now may be tried, in terms of `performance.now()`. */
export function lastTryAt(): number {
  return performance.now() + MAX_MS;
}

/**
 * Tries a write until no other writer has come in between. Waits a random time before each further try, longer each
 * time, so that rivals get out of each other's way.
 * @param attempt reads, decides and writes on the condition that nothing has changed; undefined when something had
 * @param end see {@link lastTryAt}
 * @throws AppError 50301 after 20 tries or at the end; what `attempt` throws as it is
 */
export async function untilUndisturbed<T>(attempt: () => Promise<T | undefined>, end: number): Promise<T> {
  for (let tries = 1; tries <= MAX_TRIES && performance.now() < end; tries += 1) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
    await pause(Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries));
  }
  throw AppError.unavailable('Too many writers at once; try again');
}
