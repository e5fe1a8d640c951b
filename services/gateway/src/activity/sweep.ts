import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';

const BATCH = 500;
/** One sweep of a kind goes on for so long at most; the next one continues. */
const SWEEP_MS = 5_000;

/** A kind of data that is deleted some time after its end. */
export interface Deletion {
  readonly keptMs: number;
  /** Deletes the oldest of what ended before an instant. @returns how many, at least `limit` while more may be left */
  readonly deleteBefore: (at: number, limit: number) => Promise<number>;
}

/** What a sweep works with. */
export interface SweepOptions {
  /** What is deleted, for the log. */
  readonly what: string;
  readonly everyMs: number;
  readonly deletions: readonly Deletion[];
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Deletes what was kept long enough, now and again after each interval. Several processes may do it at the same time. */
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
      logger.warn({ err: error }, `${what} could not be deleted; the next sweep tries it again`);
    }
  }
}
