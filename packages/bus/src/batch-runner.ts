import { toAppError } from '@parcelway/kernel/app-error';
import { consumerActionOf } from '@parcelway/kernel/error-codes';
import { type BatchOutcome, type LogRecord, MAX_BATCH, MAX_BATCH_BYTES } from './driver.ts';
import { FailedRecords, type FailedRecordsOptions, type TriesByOffset } from './failed-records.ts';
import { mergeCalls, partitionName, type ReadRecord, WithdrawnCall } from './merged-calls.ts';

/** Chains of one batch that run side by side. */
const MAX_CHAINS = 16;

/** What a batch runner is made of. */
export interface BatchRunnerOptions<T> extends FailedRecordsOptions {
  /**
   * Reads a record.
   * @returns undefined when nobody handles it: it is finished at once
   * @throws AppError that says what becomes of the record
   */
  readonly read: (record: LogRecord) => T | undefined;
  /** Handles records, at least one, those of a partition in the order of the log; throws AppError that says what becomes of them. Idempotent. */
  readonly handle: (records: readonly ReadRecord<T>[]) => Promise<void>;
  /** True: `handle` gets the records that a driver delivers together, of all partitions. False: it gets one at a time of each key. */
  readonly together: boolean;
  /** Called with the tries of records that were handled together, or of one; a batch that is split counts only when its records are handled one by one. */
  readonly observe?: (topic: string, tried: readonly TriedRecord[]) => void;
}

/** A try to handle a record, and its outcome. A record of a batch took as long as the batch. */
export interface TriedRecord {
  readonly outcome: 'done' | 'retried' | 'dead_lettered';
  readonly seconds: number;
}

/**
 * What is remembered of a partition between two deliveries of the same records. `settled` are finished records that come
 * again all the same, behind one that has to: they are not handled, and not dead-lettered, a second time. Bounded by the
 * size of a batch. After a crash it is gone and they are handled again: at least once.
 */
interface PartitionMemory {
  readonly tries: TriesByOffset;
  readonly settled: Set<string>;
}

/** A running batch. */
interface Batch {
  readonly records: readonly LogRecord[];
  readonly memory: PartitionMemory;
  readonly finished: boolean[];
  readonly tried: TriedRecord[];
  /** Aborted when nothing further of it is to begin. */
  readonly signal: AbortSignal | undefined;
  /** Index of the first record that has to come again; it and what is behind it are not begun any more. */
  firstFailed: number;
  pauseMs: number;
}

/** A record that was read, and where it is in its batch. */
interface Item<T> extends ReadRecord<T> {
  readonly index: number;
}

/** Pause that a halted runner asks for, so that a driver which has not stopped yet does not deliver the rest again at once. */
const HALTED_PAUSE_MS = 1000;

/**
 * Runs the batches that a driver delivers, by a handler for what the records hold. Records of one key are handled in order. Failures
 * are retried or moved to the dead letters by their code (kernel/error-codes):
 *
 * - one by one: records of one key one after the other, different keys side by side (at most 16);
 * - together: all records of a delivery at once, and those that other partitions bring at the same time, see {@link mergeCalls}. A dependency that is
 *   out makes all of them come again. After any other failure they are handled one by one.
 */
export class BatchRunner<T> {
  readonly #options: BatchRunnerOptions<T>;
  readonly #failed: FailedRecords;
  /** Handles the records of a partition together with those of others that come at the same time. */
  readonly #merged: ReturnType<typeof mergeCalls<T>>;
  readonly #memories = new Map<string, PartitionMemory>();
  #halted = false;

  constructor(options: BatchRunnerOptions<T>) {
    this.#options = options;
    this.#failed = new FailedRecords(options);
    this.#merged = mergeCalls(options.handle);
  }

  /** Begins no further record: running batches end with what they have finished. For stopping. */
  halt(): void {
    this.#halted = true;
    this.#merged.halt();
  }

  /** Handles a batch, as `BatchHandler` says. */
  async run(records: readonly LogRecord[], signal?: AbortSignal): Promise<BatchOutcome> {
    const first = records[0];
    if (!first) return { done: 0, pauseMs: 0 };
    const memory = this.#memoryOf(first, records);
    const finished = records.map((record) => memory.settled.has(record.offset));
    const batch: Batch = { records, memory, finished, tried: [], signal, firstFailed: records.length, pauseMs: 0 };
    if (this.#options.together) await this.#runTogether(batch);
    else await this.#runChains(batch, [...records.keys()]);
    return this.#conclude(batch);
  }

  /** Handles as many records at once as a handler may get, and then the next ones, up to the first that has to come again. */
  async #runTogether(batch: Batch): Promise<void> {
    for (let begin = 0; begin < batch.firstFailed && !this.#isOver(batch); ) {
      const end = endOfPart(batch.records, begin);
      const part = await this.#readPart(batch, begin, end);
      const startedAt = performance.now();
      try {
        if (part.length > 0) await this.#merged.call(part, batch.signal);
        for (const { index } of part) this.#finish(batch, index, startedAt);
      } catch (thrown) {
        if (thrown instanceof WithdrawnCall) break;
        await this.#failPart(batch, part, startedAt, thrown);
      }
      this.#report(batch);
      begin = end;
    }
    this.#report(batch);
  }

  /** True when nothing further of a batch is to begin. */
  #isOver({ signal }: Batch): boolean {
    return this.#halted || signal?.aborted === true;
  }

  /** Reads what is not finished yet; what cannot be read goes to the dead letters. @returns the records before the first that has to come again */
  async #readPart(batch: Batch, begin: number, end: number): Promise<Item<T>[]> {
    const items: Item<T>[] = [];
    for (let index = begin; index < end; index += 1) {
      if (batch.finished[index]) continue;
      const record = batch.records[index] as LogRecord;
      const startedAt = performance.now();
      try {
        const content = this.#options.read(record);
        if (content !== undefined) items.push({ index, record, content });
        else this.#finish(batch, index, startedAt);
      } catch (thrown) {
        await this.#fail(batch, index, startedAt, thrown);
        if (!batch.finished[index]) break;
      }
    }
    return items;
  }

  /** After a failure for now all records come again; after any other they are handled one by one, so that a bad one does not stop the others. */
  async #failPart(batch: Batch, part: readonly Item<T>[], startedAt: number, thrown: unknown): Promise<void> {
    const first = part[0] as Item<T>;
    if (part.length === 1) return this.#fail(batch, first.index, startedAt, thrown);
    const error = toAppError(thrown);
    const records = part.map(({ record }) => record);
    if (consumerActionOf[error.code] === 'retry') {
      this.#comeAgain(batch, first.index, this.#failed.together(records, batch.memory.tries, error));
      for (const _record of records) this.#note(batch, 'retried', startedAt);
    } else {
      this.#failed.split(records, error);
      await this.#runChains(
        batch,
        part.map(({ index }) => index),
      );
    }
  }

  /** Handles records one by one, those of one key one after the other, different keys side by side. */
  async #runChains(batch: Batch, indexes: readonly number[]): Promise<void> {
    const chains = chainsByKey(batch.records, indexes);
    let next = 0;
    const work = async (): Promise<void> => {
      for (let chain = chains[next++]; chain; chain = chains[next++]) await this.#runChain(batch, chain);
    };
    await Promise.all(Array.from({ length: Math.min(MAX_CHAINS, chains.length) }, work));
  }

  async #runChain(batch: Batch, chain: readonly number[]): Promise<void> {
    for (const index of chain) {
      if (this.#isOver(batch) || index >= batch.firstFailed) return;
      if (!batch.finished[index]) await this.#runRecord(batch, index);
      if (!batch.finished[index]) return;
    }
  }

  async #runRecord(batch: Batch, index: number): Promise<void> {
    const record = batch.records[index] as LogRecord;
    const startedAt = performance.now();
    try {
      const content = this.#options.read(record);
      if (content !== undefined) await this.#options.handle([{ record, content }]);
      this.#finish(batch, index, startedAt);
    } catch (thrown) {
      await this.#fail(batch, index, startedAt, thrown);
    }
    this.#report(batch);
  }

  #finish(batch: Batch, index: number, startedAt: number): void {
    batch.finished[index] = true;
    this.#note(batch, 'done', startedAt);
  }

  async #fail(batch: Batch, index: number, startedAt: number, thrown: unknown): Promise<void> {
    const record = batch.records[index] as LogRecord;
    const pauseMs = await this.#failed.one(record, batch.memory.tries, toAppError(thrown));
    this.#note(batch, pauseMs === undefined ? 'dead_lettered' : 'retried', startedAt);
    if (pauseMs === undefined) batch.finished[index] = true;
    else this.#comeAgain(batch, index, pauseMs);
  }

  #comeAgain(batch: Batch, index: number, pauseMs: number): void {
    batch.firstFailed = Math.min(batch.firstFailed, index);
    batch.pauseMs = Math.max(batch.pauseMs, pauseMs);
  }

  #note(batch: Batch, outcome: TriedRecord['outcome'], startedAt: number): void {
    batch.tried.push({ outcome, seconds: (performance.now() - startedAt) / 1000 });
  }

  /** Reports the tries since the last report: of a long batch an operator sees how far it is. */
  #report(batch: Batch): void {
    const [first] = batch.records;
    if (first !== undefined && batch.tried.length > 0) this.#options.observe?.(first.topic, batch.tried.splice(0));
  }

  /** Counts the finished prefix and remembers what is finished behind it. */
  #conclude({ records, finished, memory, pauseMs }: Batch): BatchOutcome {
    const open = finished.indexOf(false);
    const done = open < 0 ? records.length : open;
    const { tries, settled } = memory;
    for (const [index, record] of records.entries()) {
      if (index < done) {
        tries.delete(record.offset);
        settled.delete(record.offset);
      } else if (finished[index]) {
        tries.delete(record.offset);
        settled.add(record.offset);
      }
    }
    return { done, pauseMs: this.#halted ? HALTED_PAUSE_MS : pauseMs };
  }

  /** The memory of the records' partition, without what is no longer in front of it (another member may have had the partition). */
  #memoryOf(first: LogRecord, records: readonly LogRecord[]): PartitionMemory {
    const name = partitionName(first);
    const memory = this.#memories.get(name) ?? { tries: new Map(), settled: new Set<string>() };
    this.#memories.set(name, memory);
    if (memory.tries.size === 0 && memory.settled.size === 0) return memory;
    const present = new Set(records.map((record) => record.offset));
    for (const offset of memory.tries.keys()) if (!present.has(offset)) memory.tries.delete(offset);
    for (const offset of memory.settled) if (!present.has(offset)) memory.settled.delete(offset);
    return memory;
  }
}

/** Index behind the records from `begin` on that a handler may get at once. */
function endOfPart(records: readonly LogRecord[], begin: number): number {
  let bytes = 0;
  let end = begin;
  for (; end < records.length && end - begin < MAX_BATCH; end += 1) {
    bytes += records[end]?.value?.byteLength ?? 0;
    if (bytes > MAX_BATCH_BYTES && end > begin) break;
  }
  return end;
}

/** Indexes of the records of each key, in order. */
function chainsByKey(records: readonly LogRecord[], indexes: readonly number[]): readonly (readonly number[])[] {
  const chains = new Map<string | null, number[]>();
  for (const index of indexes) {
    const key = records[index]?.key ?? null;
    const chain = chains.get(key);
    if (chain) chain.push(index);
    else chains.set(key, [index]);
  }
  return [...chains.values()];
}
