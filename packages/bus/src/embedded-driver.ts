import { setImmediate as nextTurn } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import type { Logger } from '@parcelway/kernel/logger';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import type { LoggedMessage, MessageLog } from '@parcelway/sqlite/message-log';
import { BatchLoop } from './batch-loop.ts';
import {
  type BatchHandler,
  type BusDriver,
  type ConsumeOptions,
  type DriverConsumer,
  type LogRecord,
  MAX_BATCH,
  MAX_BATCH_BYTES,
  type OutgoingRecord,
  type PeekOptions,
  type ReadOpenOptions,
} from './driver.ts';
import { GroupPositions, type PartitionPosition } from './embedded-group-positions.ts';
import { EmbeddedLog, embeddedLogSchema } from './embedded-log.ts';
import { EmbeddedRetention } from './embedded-retention.ts';
import { GatheredWakes } from './gathered-wakes.ts';

/** Records of a page, see `readOpen`. */
const PAGE_RECORDS = 20;

/** Where the embedded log lives. */
export interface EmbeddedBusOptions {
  /** The file of the installation, which its stores share. Its tables here have no prefix. Not closed with the log. */
  readonly db: SqliteDatabase;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Partitions of every topic; PARTITIONS of contracts/topics. Never lowered for an existing file. */
  readonly partitions: number;
}

/** The log under the bus, and for the stores that share its file. */
export interface EmbeddedBus extends BusDriver, MessageLog {}

/** What is published alone may be written again. */
const REPEATABLE = { repeatable: true } as const;

/** A batch takes up no more memory than one may, whatever the size of its records. */
function fit(_limit: number, records: readonly LogRecord[]): number {
  const bytes = records.reduce((sum, record) => sum + (record.value?.byteLength ?? 0), 0);
  const fitting = Math.floor(MAX_BATCH_BYTES / Math.max(1, bytes / records.length));
  return Math.max(1, Math.min(MAX_BATCH, fitting));
}

/** The oldest `limit` records of several ordered queues; within a queue the order stays as it is. */
function mergeByTime(queues: readonly LogRecord[][], limit: number): LogRecord[] {
  const merged: LogRecord[] = [];
  while (merged.length < limit) {
    const filled = queues.filter((queue) => queue.length > 0) as [LogRecord, ...LogRecord[]][];
    if (filled.length === 0) break;
    const oldest = filled.reduce((best, queue) => (queue[0].timestamp < best[0].timestamp ? queue : best));
    merged.push(oldest.shift() as LogRecord);
  }
  return merged;
}

/** How the partitions of a topic are delivered to a group. */
interface Workers {
  readonly loops: readonly BatchLoop[];
  readonly wakes: GatheredWakes | undefined;
}

class EmbeddedBusDriver implements EmbeddedBus {
  readonly #db: SqliteDatabase;
  readonly #log: EmbeddedLog;
  /** How far each group has come. */
  readonly #positions = new Map<string, GroupPositions>();
  readonly #retention: EmbeddedRetention;
  readonly #logger: Logger;
  readonly #partitions: number;
  /** Topic → group → worker per partition. */
  readonly #workers = new Map<string, Map<string, Workers>>();
  readonly #consumers = new Set<DriverConsumer>();
  #closed = false;

  constructor(options: EmbeddedBusOptions) {
    this.#db = options.db;
    this.#partitions = options.partitions;
    this.#logger = options.logger;
    this.#log = new EmbeddedLog(this.#db, options.clock, options.partitions);
    this.#retention = new EmbeddedRetention(this.#db, options.clock, options.logger);
    this.#retention.upkeep.start();
  }

  async publish(records: readonly OutgoingRecord[]): Promise<void> {
    this.#assertOpen();
    if (records.length === 0) return;
    await this.#db.transaction(() => records.forEach((record) => void this.#append(record)), REPEATABLE);
  }

  append(message: LoggedMessage): void {
    this.#append(message);
  }

  async consume({ group, topics, handle, settle, isUnhurried = false }: ConsumeOptions): Promise<DriverConsumer> {
    this.#assertOpen();
    for (const topic of topics) {
      if (this.#workers.get(topic)?.has(group)) throw new Error(`Group ${group} already consumes topic ${topic} in this process`);
    }
    const wakes = isUnhurried ? new GatheredWakes() : undefined;
    const all = topics.flatMap((topic) => this.#addWorkers(group, topic, { handle, wakes }));
    try {
      await this.#positionsOf(group).register(topics, this.#partitions, settle);
    } catch (error) {
      wakes?.stop();
      await Promise.all(all.map((worker) => worker.halt()));
      this.#removeWorkers(group, topics);
      throw error;
    }
    for (const worker of all) worker.wake();
    const stop = async (): Promise<void> => {
      wakes?.stop();
      await Promise.all(all.map((worker) => worker.halt()));
      this.#removeWorkers(group, topics);
      this.#consumers.delete(consumer);
      try {
        await this.#positionsOf(group).flush();
      } catch (error) {
        // It has stopped all the same; what it finished is written by the next try, or comes again.
        this.#logger.warn(
          { err: error, group },
          'Positions could not be stored when a consumer stopped; its last messages may be processed again',
        );
      }
    };
    let stopped: Promise<void> | undefined;
    const consumer: DriverConsumer = {
      stop: () => {
        stopped ??= stop();
        return stopped;
      },
    };
    this.#consumers.add(consumer);
    return consumer;
  }

  async peek({ group, topic, partition: only, limit }: PeekOptions): Promise<LogRecord[]> {
    this.#assertOpen();
    const positions = this.#positionsOf(group);
    const queues: LogRecord[][] = [];
    for (let partition = 0; partition < this.#partitions; partition += 1) {
      if (only !== undefined && partition !== only) continue;
      queues.push(this.#log.read(topic, partition, positions.position(topic, partition).next, limit));
    }
    return mergeByTime(queues, limit);
  }

  async *readOpen({ group, topic }: ReadOpenOptions): AsyncGenerator<readonly LogRecord[]> {
    this.#assertOpen();
    const positions = this.#positionsOf(group);
    const ranges = Array.from({ length: this.#partitions }, (_, partition) => ({
      partition,
      from: positions.position(topic, partition).next,
      end: this.#log.end(topic, partition),
    }));
    for (const { partition, from, end } of ranges) {
      for (let next = from; next < end; ) {
        this.#assertOpen();
        const page = this.#log.read(topic, partition, next, PAGE_RECORDS).filter(({ offset }) => Number(offset) < end);
        const last = page.at(-1);
        if (last === undefined) break;
        yield page;
        next = Number(last.offset) + 1;
        // Reading blocks the process, and a reader that has nothing to wait for must let others in.
        await nextTurn();
      }
    }
  }

  async commit({ group, records }: { readonly group: string; readonly records: readonly LogRecord[] }): Promise<void> {
    this.#assertOpen();
    const positions = this.#positionsOf(group);
    for (const record of records) positions.advance(positions.position(record.topic, record.partition), Number(record.offset) + 1);
    await positions.flush();
    await this.#db.flushed();
  }

  async lag({ group, topic }: { readonly group: string; readonly topic: string }): Promise<number> {
    this.#assertOpen();
    const positions = this.#positionsOf(group);
    let sum = 0;
    for (let partition = 0; partition < this.#partitions; partition += 1) {
      sum += this.#log.countFrom(topic, partition, positions.position(topic, partition).next);
    }
    return sum;
  }

  async check(): Promise<void> {
    this.#assertOpen();
    this.#db.get('SELECT 1');
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await Promise.all([...this.#consumers].map((consumer) => consumer.stop()));
    this.#closed = true;
    await this.#retention.upkeep.stop();
    await Promise.all([...this.#positions.values()].map((group) => group.close()));
  }

  #append(record: OutgoingRecord): void {
    this.#log.append(record, (partition) => void this.#wake(record.topic, partition));
  }

  async #wake(topic: string, partition: number): Promise<void> {
    await failpointAsync('log.appended');
    for (const { loops, wakes } of this.#workers.get(topic)?.values() ?? []) {
      const loop = loops[partition];
      if (loop === undefined) continue;
      if (wakes === undefined) loop.wake();
      else wakes.wake(loop);
    }
  }

  #addWorkers(
    group: string,
    topic: string,
    { handle, wakes }: { readonly handle: BatchHandler; readonly wakes: GatheredWakes | undefined },
  ): readonly BatchLoop[] {
    const loops = Array.from({ length: this.#partitions }, (_, partition) => this.#workerOf(group, topic, partition, handle));
    const groups = this.#workers.get(topic) ?? new Map<string, Workers>();
    this.#workers.set(topic, groups.set(group, { loops, wakes }));
    return loops;
  }

  /** Delivers one partition to one group. An append wakes it. */
  #workerOf(group: string, topic: string, partition: number, handle: BatchHandler): BatchLoop {
    const positions = this.#positionsOf(group);
    /** Looked up by the first batch. */
    let position: PartitionPosition | undefined;
    const at = (): PartitionPosition => {
      position ??= positions.position(topic, partition);
      return position;
    };
    return new BatchLoop({
      source: {
        next: (limit) => this.#log.read(topic, partition, at().next, limit),
        finished: (records, done) => positions.advance(at(), Number(records[done - 1]?.offset) + 1),
        fit,
      },
      handle,
      failed: (err) => this.#logger.error({ err, group, topic, partition }, 'Delivering a batch failed; it will be retried'),
    });
  }

  #positionsOf(group: string): GroupPositions {
    const known = this.#positions.get(group) ?? new GroupPositions(this.#db, this.#logger, group);
    this.#positions.set(group, known);
    return known;
  }

  #removeWorkers(group: string, topics: readonly string[]): void {
    for (const topic of topics) this.#workers.get(topic)?.delete(group);
  }

  #assertOpen(): void {
    if (this.#closed) throw AppError.unavailable('The message log is closed');
  }
}

/**
 * Opens the embedded log: a durable, partitioned log in the SQLite file of an installation. It replaces Kafka where everything runs
 * in one process. Consumers are woken once what was appended is on the disk, so there is no polling between them.
 * @throws Error when the file was written by a newer version
 */
export async function openEmbeddedBus(options: EmbeddedBusOptions): Promise<EmbeddedBus> {
  options.db.migrate(embeddedLogSchema);
  // Of what a process that was killed has left, too, only what is on the disk is read.
  await options.db.flushed();
  return new EmbeddedBusDriver(options);
}
