import type { Logger } from '@parcelway/kernel/logger';
import { BatchLoop } from './batch-loop.ts';
import { type BatchHandler, type LogRecord, MAX_BATCH } from './driver.ts';

/** A batch that takes longer is followed by a smaller one, because a rebalance has to wait for it. */
const LONG_BATCH_MS = 1000;
const SHORT_BATCH_MS = 250;
/** What is fetched ahead at most, before the partition is left out of the next fetch. */
const MAX_AHEAD = 2000;
const MAX_AHEAD_BYTES = 2_000_000;

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

function fit(limit: number, _records: readonly LogRecord[], ms: number): number {
  if (ms > LONG_BATCH_MS) return Math.max(1, Math.floor(limit / 2));
  return ms < SHORT_BATCH_MS ? Math.min(MAX_BATCH, limit * 2) : limit;
}

/**
 * Hands the fetched records of one partition to the handler, beside all other partitions and beside the fetching: kafkajs fetches nothing more from a
 * broker while its `eachBatch` is busy with any partition of that broker, and sends no heartbeat.
 */
export class KafkaPartition {
  readonly #options: PartitionOptions;
  readonly #loop: BatchLoop;
  #queue: LogRecord[] = [];
  #bytes = 0;
  /** Offset behind everything fetched, and that behind its last record; they differ by the markers of transactions. */
  #end = 0n;
  #full = false;

  constructor(options: PartitionOptions) {
    this.#options = options;
    const { handle, logger, partition } = options;
    this.#loop = new BatchLoop({
      source: {
        next: (limit) => this.#queue.slice(0, limit),
        finished: (_records, done) => this.#remove(done),
        fit,
      },
      handle,
      failed: (error) => logger.error({ err: error, partition }, 'Delivering a batch failed; it will be retried'),
    });
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
    this.#loop.wake();
  }

  /** Delivers no further batch. @returns when the one under way is finished, as far as it has begun */
  halt(): Promise<void> {
    return this.#loop.halt();
  }

  /** Forgets all records, for a new assignment, whose records are pushed next. A batch still under way does not count any more. */
  reset(): void {
    this.#queue = [];
    this.#bytes = 0;
    this.#end = 0n;
    this.#full = false;
    this.#loop.reset();
  }

  /** True when records begin before the first that is not finished: kafkajs found its position beyond the end of the log. */
  #beginsAnew([first]: readonly LogRecord[]): boolean {
    return first !== undefined && BigInt(first.offset) < BigInt(this.#queue[0]?.offset ?? this.#end);
  }

  #remove(done: number): void {
    for (const record of this.#queue.splice(0, done)) this.#bytes -= record.value?.byteLength ?? 0;
    this.#options.finished(this.#queue[0]?.offset ?? this.#end.toString());
    this.#reportFull();
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
