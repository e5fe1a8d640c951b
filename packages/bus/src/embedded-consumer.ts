import { setImmediate as nextTurn } from 'node:timers/promises';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import { type BatchHandler, MAX_BATCH, MAX_BATCH_BYTES } from './driver.ts';
import type { GroupPositions, PartitionPosition } from './embedded-group-positions.ts';
import type { EmbeddedLog } from './embedded-log.ts';

/** Records in the first batch, before their size is known. */
const FIRST_BATCH = 20;
/** Pause after a failure of the log itself or of a handler that broke its promise not to throw. */
const FAILURE_PAUSE_MS = 500;

/** What a worker reads and delivers. */
export interface PartitionOptions {
  readonly group: string;
  readonly topic: string;
  readonly partition: number;
  readonly handle: BatchHandler;
  readonly log: EmbeddedLog;
  /** Of the group. */
  readonly positions: GroupPositions;
  readonly logger: Logger;
}

/**
 * Delivers one partition to one group: one batch at a time, in order, and the next as soon as there is something to
 * read. It never polls; an append calls {@link wake}.
 */
export class PartitionWorker {
  readonly #options: PartitionOptions;
  #limit = FIRST_BATCH;
  /** Records of the last batch that come again: they come together, as the handler remembers what it made of them. */
  #rest = 0;
  /** Looked up by the first batch. */
  #position: PartitionPosition | undefined;
  #running: Promise<void> | undefined;
  #pause: NodeJS.Timeout | undefined;
  #news = false;
  #stopping = false;

  constructor(options: PartitionOptions) {
    this.#options = options;
  }

  /** Says that the partition may have grown. Cheap. */
  wake(): void {
    this.#news = true;
    if (this.#stopping || this.#running || this.#pause) return;
    this.#running = this.#run();
  }

  /** Takes no further batch and waits for the one under way. */
  async stop(): Promise<void> {
    this.#stopping = true;
    clearTimeout(this.#pause);
    this.#pause = undefined;
    await this.#running;
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      let pauseMs: number | undefined;
      try {
        pauseMs = await this.#deliver();
      } catch (error) {
        const { group, topic, partition, logger } = this.#options;
        logger.error({ err: error, group, topic, partition }, 'Delivering a batch failed; it will be retried');
        pauseMs = FAILURE_PAUSE_MS;
      }
      // News: woken since the last read.
      if (pauseMs === undefined && !this.#news) break;
      if (pauseMs !== undefined && pauseMs > 0 && !this.#stopping) {
        this.#pauseFor(pauseMs);
        break;
      }
      // A handler that has nothing to wait for must not keep a long backlog from letting others in.
      await nextTurn();
    }
    this.#running = undefined;
  }

  #pauseFor(ms: number): void {
    this.#news = false;
    this.#pause = setTimeout(() => {
      this.#pause = undefined;
      this.wake();
    }, ms);
  }

  /** Delivers one batch. @returns the pause before the next; undefined when there is nothing more to deliver */
  async #deliver(): Promise<number | undefined> {
    const { topic, partition, handle, log, positions } = this.#options;
    this.#news = false;
    const limit = Math.max(this.#limit, this.#rest);
    this.#position ??= positions.position(topic, partition);
    const records = log.read(topic, partition, this.#position.next, limit);
    if (records.length === 0) return undefined;
    const bytes = records.reduce((sum, record) => sum + (record.value?.byteLength ?? 0), 0);
    const fitting = Math.floor(MAX_BATCH_BYTES / Math.max(1, bytes / records.length));
    this.#limit = Math.max(1, Math.min(MAX_BATCH, fitting));
    await failpointAsync('consumer.received');
    const { done, pauseMs } = await handle(records);
    this.#rest = records.length - done;
    await failpointAsync('consumer.effect-written');
    const last = records[done - 1];
    if (last) positions.advance(this.#position, Number(last.offset) + 1);
    // A batch that was not full had the end of the partition in it, and later appends have called wake.
    return done === records.length && records.length < limit ? undefined : pauseMs;
  }
}
