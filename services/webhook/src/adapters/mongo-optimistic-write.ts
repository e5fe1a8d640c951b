import { setTimeout as pause } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';

/** So many lost races in a row are more than chance. */
const MAX_TRIES = 40;
/** Below the deadline of the database: no try begins for a caller who is gone. */
const MAX_MS = 4000;
const FIRST_PAUSE_MS = 2;
const MAX_PAUSE_MS = 100;

/** A random time that grows with the tries: it parts the rivals, and lets the winner's write reach the majority, which is what is read. */
export function racePauseMs(tries: number): number {
  return Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** tries);
}

/**
 * Repeats an attempt that reads, decides, and writes on condition that nothing has changed since.
 * @param attempt undefined when something had
 * @throws AppError 50301 when others were quicker each time; whatever else the attempt throws
 */
export async function untilWritten<T>(attempt: () => Promise<T | undefined>): Promise<T> {
  const end = performance.now() + MAX_MS;
  for (let tries = 1; ; tries += 1) {
    const outcome = await attempt();
    if (outcome !== undefined) return outcome;
    const pauseMs = racePauseMs(tries);
    if (tries === MAX_TRIES || performance.now() + pauseMs > end)
      throw AppError.unavailable('Too many changes at the same time; try again');
    await pause(pauseMs);
  }
}
