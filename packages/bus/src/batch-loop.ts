import { setImmediate as nextTurn } from 'node:timers/promises';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { BatchHandler, LogRecord } from './driver.ts';

/** Records in the first batch, before it is known what they take. */
const FIRST_BATCH = 20;
/** Pause after a failure of the log itself or of a handler that broke its promise not to throw. */
const FAILURE_PAUSE_MS = 500;

/** The records of a partition, as a loop delivers them. */
export interface BatchSource {
  /** Returns the first `limit` unfinished records; may be empty. */
  next(limit: number): readonly LogRecord[];
  /** So many of the records, from the first on, are finished; at least one. */
  finished(records: readonly LogRecord[], done: number): void;
  /** How many records the next batch has at most, after one of `records` that took `ms` milliseconds. */
  fit(limit: number, records: readonly LogRecord[], ms: number): number;
}

/** What a loop works with. */
export interface BatchLoopOptions {
  readonly source: BatchSource;
  readonly handle: BatchHandler;
  /** Hears of a delivery that failed; it is retried. */
  readonly failed: (error: unknown) => void;
}

/** Delivers the records of one partition to one group: one batch at a time, in order, and the next as soon as there is something. It never polls. */
export class BatchLoop {
  readonly #options: BatchLoopOptions;
  #limit = FIRST_BATCH;
  /** Records of the last batch that come again: they come together, as the handler remembers what it made of them. */
  #rest = 0;
  #assignment = 0;
  /** Aborted when nothing further is to begin. */
  #halting = new AbortController();
  #isRunning = false;
  #running: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;

  constructor(options: BatchLoopOptions) {
    this.#options = options;
  }

  /** Says that there may be more records. Cheap. */
  wake(): void {
    if (this.#halted || this.#isRunning || this.#pause) return;
    this.#running = this.#run();
  }

  /** Delivers no further batch. @returns when the one under way is finished, as far as it has begun */
  async halt(): Promise<void> {
    this.#halting.abort();
    clearTimeout(this.#pause);
    this.#pause = undefined;
    await this.#running;
  }

  /** Begins anew with other records, which are announced next. A batch still under way does not count any more. */
  reset(): void {
    this.#assignment += 1;
    this.#rest = 0;
    this.#halting.abort();
    this.#halting = new AbortController();
  }

  get #halted(): boolean {
    return this.#halting.signal.aborted;
  }

  async #run(): Promise<void> {
    this.#isRunning = true;
    for (let records = this.#next(); records.length > 0; records = this.#next()) {
      const pauseMs = await this.#deliver(records);
      if (pauseMs > 0 && !this.#halted) {
        this.#pauseFor(pauseMs);
        break;
      }
      // A handler that has nothing to wait for must not keep a long backlog from letting others in.
      await nextTurn();
    }
    // In the same turn in which there was nothing more: what comes later wakes the loop.
    this.#isRunning = false;
  }

  #next(): readonly LogRecord[] {
    if (this.#halted) return [];
    try {
      return this.#options.source.next(Math.max(this.#limit, this.#rest));
    } catch (error) {
      this.#options.failed(error);
      this.#pauseFor(FAILURE_PAUSE_MS);
      return [];
    }
  }

  #pauseFor(ms: number): void {
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.wake();
    }, ms);
  }

  /** Delivers one batch. @returns the pause before the next */
  async #deliver(records: readonly LogRecord[]): Promise<number> {
    const { source, handle, failed } = this.#options;
    const assignment = this.#assignment;
    const begin = performance.now();
    try {
      await failpointAsync('consumer.received');
      const { done, pauseMs } = await handle(records, this.#halting.signal);
      await failpointAsync('consumer.effect-written');
      if (assignment !== this.#assignment) return 0;
      this.#limit = source.fit(this.#limit, records, performance.now() - begin);
      this.#rest = records.length - done;
      if (done > 0) source.finished(records, done);
      return pauseMs;
    } catch (error) {
      failed(error);
      return assignment === this.#assignment ? FAILURE_PAUSE_MS : 0;
    }
  }
}
