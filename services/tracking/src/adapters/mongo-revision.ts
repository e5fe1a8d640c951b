import { AppError } from '@parcelway/kernel/app-error';

/** What an attempt gives when the document has got another revision since it was read. */
export const LOST = Symbol('lost');

/** Of as many writers at once as this, each gets its turn: every round has a winner. */
const MAX_ATTEMPTS = 30;
/** Below the deadline of an operation, so that no attempt begins for a caller who is gone. */
const MAX_MS = 4500;
const FIRST_PAUSE_MS = 5;
const MAX_PAUSE_MS = 250;

/**
 * Repeats an attempt that reads a document, decides, and writes on condition that its revision is still the one read.
 * The pauses are spread and grow, so that rivals get out of each other's way, and the winner's write has time to reach
 * the majority, which is what the next read sees.
 * @throws AppError 50301 when others were always quicker; whatever else the attempt throws
 */
export async function retryLost<T>(attempt: () => Promise<T | typeof LOST>): Promise<T> {
  const end = performance.now() + MAX_MS;
  for (let attempts = 1; ; attempts += 1) {
    const result = await attempt();
    if (result !== LOST) return result;
    const pauseMs = Math.random() * Math.min(MAX_PAUSE_MS, FIRST_PAUSE_MS * 2 ** attempts);
    if (attempts === MAX_ATTEMPTS || performance.now() + pauseMs > end) {
      throw AppError.unavailable('Too many change this parcel at the same time; try again');
    }
    await new Promise((resolve) => setTimeout(resolve, pauseMs));
  }
}
