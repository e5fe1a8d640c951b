import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Retention } from './ports.ts';

/** What the clean-up needs. */
export interface ExpiryOptions {
  readonly retention: Retention;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Shipments are kept this long after their last change. */
  readonly keepMs: number;
}

/** The clean-up as something that runs. */
export interface RetentionTimer {
  /** Cleans up now, and then every 10 minutes. */
  start(): void;
  /** Ends after the batch under way. */
  stop(): Promise<void>;
}

/** Small enough that a batch does not hold up queries. */
const BATCH = 100;
const EVERY_MS = 10 * 60_000;

/**
 * Deletes what is past its time, batch by batch.
 * @param stopping true when the clean-up is to end early
 * @returns how many shipments and forecasts were deleted
 */
export async function expireShipments({ retention, clock, keepMs }: ExpiryOptions, stopping: () => boolean): Promise<number> {
  const before = clock.now() - keepMs;
  let total = 0;
  for (;;) {
    const deleted = await retention.purge(before, BATCH);
    total += deleted;
    if (deleted === 0 || stopping()) return total;
  }
}

/** Makes the clean-up that repeats itself. */
export function createRetentionTimer(options: ExpiryOptions): RetentionTimer {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> = Promise.resolve();
  let stopping = false;
  const run = (): void => {
    running = expireShipments(options, () => stopping)
      .then((deleted) => {
        if (deleted > 0) options.logger.info({ deleted }, 'Old shipments and forecasts were deleted');
      })
      .catch((error: unknown) => options.logger.warn({ err: error }, 'Deleting old shipments failed; it is retried'))
      .finally(() => {
        if (!stopping) timer = setTimeout(run, EVERY_MS).unref();
      });
  };
  return {
    start: run,
    async stop() {
      stopping = true;
      clearTimeout(timer);
      await running;
    },
  };
}
