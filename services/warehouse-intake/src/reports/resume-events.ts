import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Recovery } from './ports.ts';

/** What the recovery needs. */
export interface ResumeOptions {
  readonly recovery: Recovery;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Says that the outbox was written to. */
  readonly notify: () => void;
  /** True when the recovery is to end early. */
  readonly stopping?: () => boolean;
}

/** Above the deadline of a call and the difference between two clocks: whoever began the step has stopped by then. */
const RESUME_AFTER_MS = 60_000;

/** Small enough that a batch does not hold up the events that come in meanwhile. */
const RESUME_BATCH = 500;

/**
 * Finishes what a crash of this process or another left half done, batch by batch.
 * @returns how many events it was
 * @throws AppError 50301 when the store is out
 */
export async function resumeEvents(options: ResumeOptions): Promise<number> {
  const before = options.clock.now() - RESUME_AFTER_MS;
  let total = 0;
  for (;;) {
    const { resumed, published } = await options.recovery.resume(before, RESUME_BATCH);
    total += resumed;
    if (published > 0) options.notify();
    if (resumed > 0) options.logger.warn({ events: resumed, published }, 'Events that were processed only partly have been finished');
    if (resumed < RESUME_BATCH || options.stopping?.()) return total;
  }
}
