import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { consumedTopics, deadLetterTopic } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import { REDRIVE_GROUP } from './dead-letters.ts';
import type { LogRecord, OutgoingRecord } from './driver.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { openKafkaBus } from './kafka-driver.ts';
import { KafkaPositions, type OpenRange } from './kafka-positions.ts';

const ASK_MS = 15_000;
const RECORDS_AT_ONCE = 500;
/** A group that never was: it has finished nothing, so that everything there is counts as open to it. */
const NOBODY = 'backup-looks';

/** The first record of each partition that some consumer group has not processed yet. */
export interface NeededFrom {
  readonly topic: string;
  /** Partition → offset. */
  readonly partitions: ReadonlyMap<number, bigint>;
}

/** The topics of an installation with the groups whose work is to be taken along. */
function readers(): readonly { readonly topic: string; readonly groups: readonly string[] }[] {
  return [
    ...consumedTopics.map((topic) => ({ topic, groups: topicConsumers[topic] })),
    ...consumedTopics.map((topic) => ({ topic: deadLetterTopic(topic), groups: [REDRIVE_GROUP] })),
  ].filter(({ groups }) => groups.length > 0);
}

/** Reads what consumers have still to do, and gives it to the topics of another installation. Close it. */
export class KafkaCopy {
  readonly #connection: KafkaConnection;
  readonly #positions: KafkaPositions;

  constructor(connection: KafkaConnection) {
    this.#connection = connection;
    this.#positions = new KafkaPositions(connection, silentLogger);
  }

  /**
   * Where the slowest group of each topic is. Taken before the databases are: what a group has finished by then has its
   * effect in them.
   * @throws AppError 50301
   */
  async needed(): Promise<readonly NeededFrom[]> {
    const all: NeededFrom[] = [];
    for (const { topic, groups } of readers()) {
      const partitions = new Map<number, bigint>();
      for (const group of groups) {
        for (const { partition, next } of await this.#positions.open(group, topic, ASK_MS)) {
          const slowest = partitions.get(partition);
          if (slowest === undefined || next < slowest) partitions.set(partition, next);
        }
      }
      all.push({ topic, partitions });
    }
    return all;
  }

  /**
   * The records from there on to the present end of each topic. All ends are looked at together, before anything is read, so that
   * as little as possible of what came after the databases is taken along.
   * @throws AppError 50301
   */
  async *read(needed: readonly NeededFrom[]): AsyncGenerator<LogRecord> {
    const rangesOf = async ({
      topic,
      partitions,
    }: NeededFrom): Promise<{ readonly topic: string; readonly open: readonly OpenRange[] }> => {
      const present = await this.#positions.open(NOBODY, topic, ASK_MS);
      const open = present.map(({ partition, next, end }) => {
        const from = partitions.get(partition) ?? next;
        return { partition, next: from > next ? from : next, end };
      });
      return { topic, open };
    };
    const ranges = await Promise.all(needed.map(rangesOf));
    for (const { topic, open } of ranges) {
      for await (const page of this.#positions.read(topic, open, ASK_MS)) yield* page;
    }
  }

  /** Topics that hold, or have held, anything. A new installation has none, and need not have any topic yet. @throws AppError 50301 */
  async used(): Promise<readonly string[]> {
    const used: string[] = [];
    const all = readers().map(({ topic }) => topic);
    for (const topic of await this.#positions.present(all, ASK_MS)) {
      const ranges = await this.#positions.open(NOBODY, topic, ASK_MS);
      if (ranges.some(({ end }) => end > 0n)) used.push(topic);
    }
    return used;
  }

  /** Appends records to the topics of this installation, in their order. @returns how many @throws AppError 50301 */
  async write(records: AsyncIterable<OutgoingRecord>): Promise<number> {
    const driver = await openKafkaBus({ connection: this.#connection, logger: silentLogger, publishTimeoutMs: ASK_MS });
    let written = 0;
    let batch: OutgoingRecord[] = [];
    try {
      for await (const record of records) {
        batch.push(record);
        if (batch.length < RECORDS_AT_ONCE) continue;
        await driver.publish(batch);
        written += batch.length;
        batch = [];
      }
      await driver.publish(batch);
      return written + batch.length;
    } finally {
      await driver.close();
    }
  }

  close(): void {
    this.#positions.close();
  }
}
