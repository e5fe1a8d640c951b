import { setImmediate as nextTurn } from 'node:timers/promises';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { type BatchHandler, type BatchOutcome, type LogRecord, MAX_BATCH } from './driver.ts';

/** Records in the first batch, before it is known how long they take. */
const FIRST_BATCH = 20;
/** A batch that takes longer is followed by a smaller one, because a rebalance has to wait for it. */
const LONG_BATCH_MS = 1000;
const SHORT_BATCH_MS = 250;
/** What is fetched ahead at most, before the partition is left out of the next fetch. */
const MAX_AHEAD = 2000;
const MAX_AHEAD_BYTES = 2_000_000;
/** Pause after a handler that broke its promise not to throw. */
const FAILURE_PAUSE_MS = 500;

/** What a partition reports to its consumer. */
export interface PartitionOptions {
  readonly partition: number;
  readonly handle: BatchHandler;
  /** Everything before the offset `next` is finished. */
  readonly finished: (next: string) => void;
  /** Enough, or again too little, has been fetched ahead. */
  readonly full: (full: boolean) => void;
  readonly logger: Logger;
}

/**
 * Hands the fetched records of one partition to the handler, one batch at a time, beside all other partitions and beside
 * the fetching: kafkajs fetches nothing more from a broker while its `eachBatch` is busy with any partition of that
 * broker, and sends no heartbeat.
 */
export class KafkaPartition {
  readonly #options: PartitionOptions;
  #queue: LogRecord[] = [];
  #bytes = 0;
  /** Offset behind everything fetched, and that behind its last record; they differ by the markers of transactions. */
  #end = 0n;
  #full = false;
  #limit = FIRST_BATCH;
  /** Records of the last batch that come again: they come together, as the handler remembers what it made of them. */
  #rest = 0;
  #assignment = 0;
  /** Aborted when nothing further is to begin. */
  #halting = new AbortController();
  #running: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;

  constructor(options: PartitionOptions) {
    this.#options = options;
  }

  /** Takes fetched records; what it already had is left out. `end`: offset behind them. */
  push(records: readonly LogRecord[], end: string): void {
    if (this.#beginsAnew(records)) {
      const { logger, partition } = this.#options;
      logger.warn(
        { partition, offset: records[0]?.offset },
        'Kafka has lost the end of this partition; it is read again from its oldest message',
      );
      const full = this.#full;
      this.reset();
      this.#full = full;
    }
    for (const record of records) {
      if (BigInt(record.offset) < this.#end) continue;
      this.#queue.push(record);
      this.#bytes += record.value?.byteLength ?? 0;
    }
    if (BigInt(end) > this.#end) this.#end = BigInt(end);
    this.#reportFull();
    this.#wake();
  }

  /** Delivers no further batch. @returns when the one under way is finished, as far as it has begun */
  async halt(): Promise<void> {
    this.#halting.abort();
    clearTimeout(this.#pause);
    this.#pause = undefined;
    await this.#running;
  }

  /** Forgets all records, for a new assignment, whose records are pushed next. A batch still under way does not count any more. */
  reset(): void {
    this.#assignment += 1;
    this.#queue = [];
    this.#bytes = 0;
    this.#end = 0n;
    this.#rest = 0;
    this.#full = false;
    this.#halting.abort();
    this.#halting = new AbortController();
  }

  /** True when records begin before the first that is not finished: kafkajs found its position beyond the end of the log. */
  #beginsAnew([first]: readonly LogRecord[]): boolean {
    return first !== undefined && BigInt(first.offset) < BigInt(this.#queue[0]?.offset ?? this.#end);
  }

  get #halted(): boolean {
    return this.#halting.signal.aborted;
  }

  #wake(): void {
    if (this.#halted || this.#running || this.#pause || this.#queue.length === 0) return;
    this.#running = this.#run();
  }

  async #run(): Promise<void> {
    try {
      while (!this.#halted && this.#queue.length > 0) {
        const pauseMs = await this.#deliver();
        if (pauseMs > 0 && !this.#halted) {
          this.#pause = setTimeout(() => {
            this.#pause = undefined;
            this.#wake();
          }, pauseMs);
          break;
        }
        // A handler that has nothing to wait for must not keep a long backlog from letting others in.
        await nextTurn();
      }
    } finally {
      // Else the partition would never deliver again, and every halt would fail.
      this.#running = undefined;
    }
  }

  /** Delivers one batch. @returns the pause before the next */
  async #deliver(): Promise<number> {
    const records = this.#queue.slice(0, Math.max(this.#limit, this.#rest));
    const assignment = this.#assignment;
    const begin = performance.now();
    const { done, pauseMs } = await this.#handle(records);
    if (assignment !== this.#assignment) return 0;
    this.#fitLimit(performance.now() - begin);
    this.#rest = records.length - done;
    this.#remove(done);
    this.#reportFull();
    return pauseMs;
  }

  async #handle(records: readonly LogRecord[]): Promise<BatchOutcome> {
    try {
      await failpointAsync('consumer.received');
      const outcome = await this.#options.handle(records, this.#halting.signal);
      await failpointAsync('consumer.effect-written');
      return outcome;
    } catch (error) {
      const { logger, partition } = this.#options;
      logger.error({ err: error, partition }, 'Delivering a batch failed; it will be retried');
      return { done: 0, pauseMs: FAILURE_PAUSE_MS };
    }
  }

  #remove(done: number): void {
    if (done === 0) return;
    for (const record of this.#queue.splice(0, done)) this.#bytes -= record.value?.byteLength ?? 0;
    this.#options.finished(this.#queue[0]?.offset ?? this.#end.toString());
  }

  #fitLimit(elapsedMs: number): void {
    if (elapsedMs > LONG_BATCH_MS) this.#limit = Math.max(1, Math.floor(this.#limit / 2));
    else if (elapsedMs < SHORT_BATCH_MS) this.#limit = Math.min(MAX_BATCH, this.#limit * 2);
  }

  #reportFull(): void {
    const share = Math.max(this.#queue.length / MAX_AHEAD, this.#bytes / MAX_AHEAD_BYTES);
    const full = this.#full ? share > 0.5 : share >= 1;
    if (full === this.#full) return;
    try {
      this.#options.full(full);
      this.#full = full;
    } catch (error) {
      // kafkajs has ended by itself, and its end is not known yet. The next member begins with all partitions.
      const { logger, partition } = this.#options;
      logger.debug({ err: error, partition }, full ? 'The partition could not be paused' : 'The partition could not be resumed');
    }
  }
}
