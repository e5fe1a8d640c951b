import type { Clock } from './clock.ts';
import type { Logger } from './logger.ts';

/** A part of an {@link Upkeep}. */
export interface UpkeepStep {
  /** What it does, for the log: `Deleting old events`. */
  readonly what: string;
  /** Does a batch, small enough that nothing else has to wait for it. @returns true while more may be left */
  readonly run: () => Promise<boolean>;
}

/** What a step deletes that {@link deletionStep} makes. */
export interface Deletion {
  readonly what: string;
  /** How long it is kept, milliseconds. */
  readonly keptMs: number;
  /** Deletes the oldest from before an instant. @returns how many: `limit` while more may be left */
  readonly deleteBefore: (before: number, limit: number) => Promise<number>;
  /** Default 500. */
  readonly limit?: number;
}

/** A step that deletes what is older than it is kept. */
export function deletionStep(clock: Clock, { what, keptMs, deleteBefore, limit = 500 }: Deletion): UpkeepStep {
  return { what, run: async () => (await deleteBefore(clock.now() - keptMs, limit)) >= limit };
}

/** What an upkeep is made of. */
export interface UpkeepOptions {
  /** Taken one after the other. */
  readonly steps: readonly UpkeepStep[];
  /** From the end of a round to the next one; milliseconds. */
  readonly everyMs: number;
  /** The same after a round in which a step has failed; default `everyMs`. */
  readonly retryMs?: number;
  /** Behind each batch after which more is left, for what else uses the store; milliseconds, default 0. */
  readonly pauseMs?: number;
  readonly logger: Logger;
}

/**
 * Slow work in the background, such as deleting old data, in batches of which never two run at a time. A failed step does not stop the
 * others. The next round tries it again. A failure that persists is logged once. Several processes may do the same work.
 */
export class Upkeep {
  readonly #options: UpkeepOptions;
  #timer: NodeJS.Timeout | undefined;
  #rounds: Promise<void> | undefined;
  readonly #failing = new Set<UpkeepStep>();
  #isWanted = false;
  #isStopped = true;

  constructor(options: UpkeepOptions) {
    this.#options = options;
  }

  /** Begins with a round. */
  start(): void {
    this.#isStopped = false;
    this.wake();
  }

  /** Has a round begin now, or behind the one that runs. Cheap to call; without effect before the start and after the stop. */
  wake(): void {
    if (this.#isStopped) return;
    this.#isWanted = true;
    this.#rounds ??= this.#run();
  }

  /** Resolves once the batch that runs has ended. No other one begins. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#rounds;
  }

  async #run(): Promise<void> {
    const { everyMs, retryMs = everyMs } = this.#options;
    clearTimeout(this.#timer);
    while (this.#isWanted && !this.#isStopped) {
      this.#isWanted = false;
      await this.#takeSteps();
    }
    // In the turn of the last look: who wakes it from now on begins anew.
    this.#rounds = undefined;
    if (!this.#isStopped) this.#timer = setTimeout(() => this.wake(), this.#failing.size > 0 ? retryMs : everyMs).unref();
  }

  async #takeSteps(): Promise<void> {
    const { steps, pauseMs = 0, logger } = this.#options;
    for (const step of steps) {
      try {
        while (!this.#isStopped && (await step.run())) await new Promise((resolve) => setTimeout(resolve, pauseMs));
        this.#failing.delete(step);
      } catch (error) {
        if (!this.#failing.has(step)) logger.warn({ err: error }, `${step.what} failed; it will be retried`);
        this.#failing.add(step);
      }
    }
  }
}
