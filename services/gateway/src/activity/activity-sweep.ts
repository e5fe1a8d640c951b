import { AUDIT_KEPT_DAYS, FAILED_CALLS_KEPT_DAYS } from '@parcelway/contracts/activity-api';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { AuditStore, FailedCallStore } from './ports.ts';

const DAY_MS = 86_400_000;
const SWEEP_EVERY_MS = 60_000;
const BATCH = 1000;
/** One sweep of a log goes on for so long at most; the next one continues. */
const SWEEP_MS = 5_000;

/** What the sweep works with. */
export interface ActivitySweepOptions {
  readonly audit: Pick<AuditStore, 'deleteBefore'>;
  readonly failedCalls: Pick<FailedCallStore, 'deleteBefore'>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes what both logs have kept long enough, now and every minute. Several processes may do it at the same time. */
export class ActivitySweep {
  readonly #options: ActivitySweepOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: ActivitySweepOptions) {
    this.#options = options;
  }

  start(): void {
    const run = (): void => {
      this.#running ??= this.sweep().finally(() => {
        this.#running = undefined;
      });
    };
    run();
    this.#timer ??= setInterval(run, SWEEP_EVERY_MS).unref();
  }

  /** Resolves when a running sweep has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** Deletes what is due. Never rejects: the next sweep tries again. */
  async sweep(): Promise<void> {
    const { audit, failedCalls, clock, logger } = this.#options;
    const now = clock.now();
    try {
      for (const [log, days] of [
        [failedCalls, FAILED_CALLS_KEPT_DAYS],
        [audit, AUDIT_KEPT_DAYS],
      ] as const) {
        const end = performance.now() + SWEEP_MS;
        let deleted = BATCH;
        while (deleted >= BATCH && performance.now() < end) deleted = await log.deleteBefore(now - days * DAY_MS, BATCH);
      }
    } catch (error) {
      logger.warn({ err: error }, 'Old entries of the audit log and of failed calls could not be deleted; the next sweep tries it again');
    }
  }
}
