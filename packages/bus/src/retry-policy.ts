import type { AppError } from '@parcelway/kernel/app-error';
import { backOffMs } from '@parcelway/kernel/back-off';
import { consumerActionOf } from '@parcelway/kernel/error-codes';

/** Tries of a message that fails with what may be a defect, before it goes to the dead letters. */
export const MAX_TRIES = 5;
const PAUSES = { firstMs: 200, maxMs: 30_000 };

/** How often a message has failed, this time included, and how often of that with what may be a defect. */
export interface Tries {
  readonly all: number;
  readonly defects: number;
}

/** What becomes of a message that failed: again after a pause in milliseconds, or to the dead letters. */
export type Verdict = { readonly action: 'retry'; readonly pauseMs: number } | { readonly action: 'dead-letter' };

/** Pause before the next try of a message, in milliseconds: doubles from 200 ms to 30 s. @param random 0 to 1 */
export function pauseAfter(tries: number, random: number): number {
  return backOffMs(PAUSES, tries, random);
}

/**
 * Decides by the code of the failure (kernel/error-codes). A dependency that is out is waited for without limit; the
 * retention of the log is the bound. Failures of a dependency do not count against what may be a defect: behind a long
 * outage a message still has all its tries.
 * @param random 0 to 1
 */
export function verdictOn(error: AppError, tries: Tries, random: number): Verdict {
  const action = consumerActionOf[error.code];
  if (action === 'dead-letter' || (action === 'retry-then-dead-letter' && tries.defects >= MAX_TRIES)) return { action: 'dead-letter' };
  return { action: 'retry', pauseMs: pauseAfter(tries.all, random) };
}
