import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';

const BATCH = 500;
/** A sweep stops deleting one kind after this time; the next sweep continues. */
const SWEEP_MS = 5_000;

/** A kind of data that is deleted a fixed time after its end. */
export interface Deletion {
  readonly keptMs: number;
  /** Deletes the oldest records that ended before an instant. @returns how many: at least `limit` while more may be left */
  readonly deleteBefore: (at: number, limit: number) => Promise<number>;
}

/** Options of a sweep. */
export interface SweepOptions {
  /** What is deleted, for the log. */
  readonly what: string;
  readonly everyMs: number;
  readonly deletions: readonly Deletion[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes expired records at the start and after each interval. Several processes may sweep at the same time. */
export class Sweep {
  readonly #options: SweepOptions;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;

  constructor(options: SweepOptions) {
    this.#options = options;
  }

  start(): void {
    const run = (): void => {
      this.#running ??= this.sweep().finally(() => {
        this.#running = undefined;
      });
    };
    run();
    this.#timer ??= setInterval(run, this.#options.everyMs).unref();
  }

  /** Resolves when a running sweep has ended. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    this.#timer = undefined;
    await this.#running;
  }

  /** Deletes what is due. Never rejects: the next sweep tries again. */
  async sweep(): Promise<void> {
    const { what, deletions, clock, logger } = this.#options;
    try {
      for (const { keptMs, deleteBefore } of deletions) {
        const end = performance.now() + SWEEP_MS;
        let deleted = BATCH;
        while (deleted >= BATCH && performance.now() < end) deleted = await deleteBefore(clock.now() - keptMs, BATCH);
      }
    } catch (error) {
      logger.warn({ err: error }, `Cannot delete ${what}; the next sweep will retry`);
    }
  }
}
