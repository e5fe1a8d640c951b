/** Records in one batch at most. */
export const MAX_BATCH = 200;
/** Bytes of the values in one batch: what comes beyond them waits for the next batch. A single larger record still comes, alone. */
export const MAX_BATCH_BYTES = 8_000_000;

/** A message to publish. */
export interface OutgoingRecord {
  readonly topic: string;
  /** Records of one topic and key stay in order. */
  readonly key: string;
  /** Null for a tombstone, which only a log with compacted topics takes: Kafka. */
  readonly value: string | Uint8Array | null;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A message as it comes out of the log. */
export interface LogRecord {
  readonly topic: string;
  readonly partition: number;
  /** Position in the partition, rising; a string because Kafka's exceed doubles. */
  readonly offset: string;
  readonly key: string | null;
  /** The original bytes; null for a tombstone. */
  readonly value: Uint8Array | null;
  readonly headers: Readonly<Record<string, string>>;
  /** Epoch milliseconds of the append. */
  readonly timestamp: number;
}

/** What the consumer made of a batch: the first `done` records are finished; the rest comes again after `pauseMs`. */
export interface BatchOutcome {
  readonly done: number;
  /** Pause of this partition before the rest is delivered again; 0 for at once. */
  readonly pauseMs: number;
}

/**
 * Handles records of one partition, in order. Must not throw.
 * @param signal aborted when the partition is about to go to another consumer: what has not begun does not begin any more, and comes again there
 */
export type BatchHandler = (records: readonly LogRecord[], signal?: AbortSignal) => Promise<BatchOutcome>;

/** What a driver consumes, and for whom. */
export interface ConsumeOptions {
  readonly group: string;
  readonly topics: readonly string[];
  readonly handle: BatchHandler;
  /**
   * Resolves once everything that was handled so far is durable; default at once. Called before a position is written, and not before the next
   * batch: a disk that stalls holds up positions, not messages. While it fails, positions are not written, and it is tried again.
   */
  readonly settle?: (() => Promise<void>) | undefined;
  /** Records may gather, see `SubscribeOptions`. */
  readonly isUnhurried?: boolean | undefined;
}

/** A running consumer. */
export interface DriverConsumer {
  /** Stops taking batches and waits for the running ones. Offsets of finished records are committed. */
  stop(): Promise<void>;
}

/** What is to be read without moving a position. */
export interface PeekOptions {
  readonly group: string;
  readonly topic: string;
  /** Of this partition alone; default all of them, oldest record first. One that does not exist has nothing. */
  readonly partition?: number;
  /** At most so many. */
  readonly limit: number;
}

/** What is to be read to its end without moving a position. */
export type ReadOpenOptions = Pick<PeekOptions, 'group' | 'topic'>;

/**
 * What a log must offer; drivers only move bytes. Validation, retry and dead letters live above, in bus.ts.
 * Every method throws AppError 50301 when the log is out.
 */
export interface BusDriver {
  /**
   * Appends all records; durable when it resolves. They may be handled before. Until it has resolved they may vanish again with the power, so a
   * publisher that did not hear of success publishes again.
   */
  publish(records: readonly OutgoingRecord[]): Promise<void>;
  /** Consumes topics as a member of `group`, from the beginning for a new group, redelivering what was not finished. */
  consume(options: ConsumeOptions): Promise<DriverConsumer>;
  /** Reads records after the committed position of `group`, without moving it. For dead letters. */
  peek(options: PeekOptions): Promise<LogRecord[]>;
  /**
   * Reads everything after the committed position of `group`, without moving it, in pages: partition by partition, in the order of the log. A page has
   * at least one record, all of one partition, and takes no more memory than 20 of the largest messages. What is appended after the begin is not read,
   * so the pages end. A page costs the same wherever it lies. For dead letters.
   */
  readOpen(options: ReadOpenOptions): AsyncIterable<readonly LogRecord[]>;
  /** Moves the position of `group` past the given records; never back. */
  commit(options: { readonly group: string; readonly records: readonly LogRecord[] }): Promise<void>;
  /** Records that `group` has not finished in a topic. */
  lag(options: { readonly group: string; readonly topic: string }): Promise<number>;
  /** Resolves when the log responds. */
  check(): Promise<void>;
  close(): Promise<void>;
}
