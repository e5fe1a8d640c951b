import { type AppError, toAppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import type { Logger } from '@parcelway/kernel/logger';
import { toDeadLetter, toTruncatedDeadLetter } from './dead-letters.ts';
import type { BatchHandler, BatchOutcome, BusDriver, LogRecord } from './driver.ts';
import { pauseAfter, type Tries, verdictOn } from './retry-policy.ts';

/** Chains of one batch that run side by side. */
const MAX_CHAINS = 16;

/** What a batch runner needs. */
export interface BatchRunnerOptions {
  readonly group: string;
  /** Handles one record; throws AppError to say what is to become of it. */
  readonly handle: (record: LogRecord) => Promise<void>;
  readonly publish: BusDriver['publish'];
  readonly logger: Logger;
  readonly clock: Clock;
  /** 0 to 1; for jitter. */
  readonly random: () => number;
  /** Told of each try. */
  readonly observe?: (tried: TriedRecord) => void;
}

/** A try to handle a record, and what came of it. */
export interface TriedRecord {
  readonly topic: string;
  readonly outcome: 'done' | 'retried' | 'dead_lettered';
  readonly seconds: number;
}

/** Turns single records into batches. */
export interface BatchRunner {
  readonly run: BatchHandler;
  /** Begins no further record: running batches end with what they have finished. For stopping. */
  halt(): void;
}

/**
 * What is remembered of a partition between two deliveries of the same records. `settled` are finished records that come
 * again all the same, behind one that has to: they are not handled, and not dead-lettered, a second time. Bounded by the
 * size of a batch. After a crash it is gone and they are handled again: at least once.
 */
interface PartitionMemory {
  readonly tries: Map<string, Tries>;
  readonly settled: Set<string>;
}

/** A running batch. */
interface Batch {
  readonly memory: PartitionMemory;
  readonly finished: boolean[];
  /** Index of the first record that has to come again; nothing behind it is begun any more. */
  firstFailed: number;
  pauseMs: number;
}

/** Pause that a halted runner asks for, so that a driver which has not stopped yet does not hand the rest back at once. */
const HALTED_PAUSE_MS = 1000;

class HaltingRunner implements BatchRunner {
  readonly #options: BatchRunnerOptions;
  readonly #memories = new Map<string, PartitionMemory>();
  #halted = false;

  constructor(options: BatchRunnerOptions) {
    this.#options = options;
  }

  readonly run: BatchHandler = (records) => this.#run(records);

  halt(): void {
    this.#halted = true;
  }

  async #run(records: readonly LogRecord[]): Promise<BatchOutcome> {
    const first = records[0];
    if (!first) return { done: 0, pauseMs: 0 };
    const batch: Batch = {
      memory: this.#memoryOf(first, records),
      finished: records.map(() => false),
      firstFailed: records.length,
      pauseMs: 0,
    };
    const chains = chainsByKey(records);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let chain = chains[next++]; chain; chain = chains[next++]) await this.#runChain(records, chain, batch);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CHAINS, chains.length) }, work));
    return this.#conclude(records, batch);
  }

  async #runChain(records: readonly LogRecord[], chain: readonly number[], batch: Batch): Promise<void> {
    for (const index of chain) {
      if (this.#halted || index > batch.firstFailed) return;
      const record = records[index] as LogRecord;
      if (!batch.memory.settled.has(record.offset)) {
        const pauseMs = await this.#runRecord(record, batch.memory);
        if (pauseMs !== undefined) {
          batch.firstFailed = Math.min(batch.firstFailed, index);
          batch.pauseMs = Math.max(batch.pauseMs, pauseMs);
          return;
        }
      }
      batch.finished[index] = true;
    }
  }

  /** Handles a record or puts it with the dead letters. @returns the pause before it must come again; undefined when it is finished */
  async #runRecord(record: LogRecord, memory: PartitionMemory): Promise<number | undefined> {
    const startedAt = performance.now();
    const observe = (outcome: TriedRecord['outcome']): void =>
      this.#options.observe?.({ topic: record.topic, outcome, seconds: (performance.now() - startedAt) / 1000 });
    try {
      await this.#options.handle(record);
      observe('done');
      return undefined;
    } catch (thrown) {
      const pauseMs = await this.#afterFailure(record, memory, toAppError(thrown));
      observe(pauseMs === undefined ? 'dead_lettered' : 'retried');
      return pauseMs;
    }
  }

  /** Puts a record that failed with the dead letters when no further try will help. @returns as {@link #runRecord} */
  async #afterFailure(record: LogRecord, memory: PartitionMemory, error: AppError): Promise<number | undefined> {
    const before = memory.tries.get(record.offset) ?? { all: 0, defects: 0 };
    const defects = before.defects + (consumerActionOf[error.code] === 'retry-then-dead-letter' ? 1 : 0);
    const tries = before.all + 1;
    memory.tries.set(record.offset, { all: tries, defects });
    const verdict = verdictOn(error, { all: tries, defects }, this.#options.random());
    if (verdict.action === 'dead-letter') return this.#giveUp(record, error, tries);
    this.#options.logger.warn(
      { ...this.#fields(record), ...describe(error), tries, pauseMs: verdict.pauseMs },
      'Handling a message failed; it will be tried again',
    );
    return verdict.pauseMs;
  }

  async #giveUp(record: LogRecord, error: AppError, tries: number): Promise<number | undefined> {
    const { logger, random } = this.#options;
    try {
      await this.#bury(record, error);
    } catch (failure) {
      const pauseMs = pauseAfter(tries, random());
      logger.error(
        { ...this.#fields(record), ...describe(toAppError(failure)), pauseMs },
        'A dead letter could not be stored; the message will be tried again',
      );
      return pauseMs;
    }
    logger.error({ ...this.#fields(record), ...describe(error), tries }, 'A message was given up and put with the dead letters');
    return undefined;
  }

  /** Stores a dead letter, what fits of it when it is too large for the log: without it the partition would stand for good. */
  async #bury(record: LogRecord, error: AppError): Promise<void> {
    const { group, publish, logger, clock } = this.#options;
    try {
      await publish([toDeadLetter(record, group, error, clock.now())]);
    } catch (refusal) {
      if (toAppError(refusal).code !== '41301') throw refusal;
      await publish([toTruncatedDeadLetter(record, group, error, clock.now())]);
      logger.error(
        { ...this.#fields(record), bytes: record.value?.byteLength ?? 0 },
        'A message was too large for the dead letters; only its beginning was kept, so it cannot be redriven',
      );
    }
  }

  /** Counts the finished prefix and remembers what is finished behind it. */
  #conclude(records: readonly LogRecord[], batch: Batch): BatchOutcome {
    const open = batch.finished.indexOf(false);
    const done = open < 0 ? records.length : open;
    const { tries, settled } = batch.memory;
    for (const [index, record] of records.entries()) {
      if (index < done) {
        tries.delete(record.offset);
        settled.delete(record.offset);
      } else if (batch.finished[index]) {
        tries.delete(record.offset);
        settled.add(record.offset);
      }
    }
    return { done, pauseMs: this.#halted ? HALTED_PAUSE_MS : batch.pauseMs };
  }

  /** The memory of the records' partition, without what is no longer in front of it (another member may have had the partition). */
  #memoryOf(first: LogRecord, records: readonly LogRecord[]): PartitionMemory {
    const name = `${first.topic}\n${first.partition}`;
    const memory = this.#memories.get(name) ?? { tries: new Map<string, Tries>(), settled: new Set<string>() };
    this.#memories.set(name, memory);
    if (memory.tries.size === 0 && memory.settled.size === 0) return memory;
    const present = new Set(records.map((record) => record.offset));
    for (const offset of memory.tries.keys()) if (!present.has(offset)) memory.tries.delete(offset);
    for (const offset of memory.settled) if (!present.has(offset)) memory.settled.delete(offset);
    return memory;
  }

  #fields(record: LogRecord): Readonly<Record<string, unknown>> {
    return { group: this.#options.group, topic: record.topic, partition: record.partition, offset: record.offset };
  }
}

/** Indexes of the records of each key, in order. */
function chainsByKey(records: readonly LogRecord[]): readonly (readonly number[])[] {
  const chains = new Map<string | null, number[]>();
  for (const [index, record] of records.entries()) {
    const chain = chains.get(record.key);
    if (chain) chain.push(index);
    else chains.set(record.key, [index]);
  }
  return [...chains.values()];
}

/** Log fields of a failure. The text of a JSON syntax error quotes the message, so it is left out. */
function describe(error: AppError): Readonly<Record<string, unknown>> {
  const cause = error.cause instanceof Error && !(error.cause instanceof SyntaxError) ? error.cause.stack : undefined;
  return { code: error.code, reason: error.message, ...(cause === undefined ? {} : { cause }) };
}

/**
 * Makes a batch handler of a handler for single records: records of one key one after the other, different keys side
 * by side (at most 16); failures retried or dead-lettered by their code.
 */
export function createBatchRunner(options: BatchRunnerOptions): BatchRunner {
  return new HaltingRunner(options);
}
