import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from '@parcelway/kernel/logger';
import type { Broker, Cluster, KafkaMessage } from 'kafkajs';
import type { LogRecord, PeekOptions } from './driver.ts';
import { KafkaClient } from './kafka-client.ts';
import { type KafkaConnection, kafkaGroup, kafkaTopic } from './kafka-connection.ts';
import { causeOf, isUnknownTopic, protocolErrorOf, unavailable, within } from './kafka-errors.ts';
import { nextOffset, toLogRecord } from './kafka-records.ts';

const REQUEST_TIMEOUT_MS = 3000;
const FETCH_BYTES = 1_048_576;
const RETRY_PAUSE_MS = 100;
/** An offset commit that does not come from a member of the group. */
const NO_MEMBER = { groupGenerationId: -1, memberId: '' } as const;

/** What is open to a group in one partition: offsets from `next` to before `end`. */
export interface OpenRange {
  readonly partition: number;
  readonly next: bigint;
  readonly end: bigint;
}

/** What a fetch brought, and where the next one begins. */
interface Page {
  readonly records: LogRecord[];
  readonly next: bigint;
}

/** The part of a fetch response that is read here. */
interface FetchResponse {
  readonly responses: readonly {
    readonly partitions: readonly { readonly messages: readonly (KafkaMessage & { readonly isControlRecord?: boolean })[] }[];
  }[];
}

/**
 * Reads and moves the positions of groups from outside the groups. kafkajs offers consumers only as members of a group;
 * the requests that need none are made through its cluster.
 */
export class KafkaPositions {
  readonly #connection: KafkaConnection;
  readonly #logger: Logger;
  #session: { readonly client: KafkaClient; readonly cluster: Cluster } | undefined;

  constructor(connection: KafkaConnection, logger: Logger) {
    this.#connection = connection;
    this.#logger = logger;
  }

  /** Resolves when a broker responds. @throws AppError 50301 */
  async check(timeoutMs: number): Promise<void> {
    await this.#ask(timeoutMs, [], async (cluster) => {
      try {
        await cluster.refreshMetadata();
      } catch (error) {
        // A refusal, such as for a topic that has been deleted, is a response too.
        if (protocolErrorOf(error) === undefined) throw error;
      }
    });
  }

  /** Records that `group` has not finished in `topic`. @throws AppError 50301 */
  lag(group: string, topic: string, timeoutMs: number): Promise<number> {
    return this.#ask(timeoutMs, [topic], async (cluster) => {
      const ranges = await this.#open(cluster, group, topic);
      return Number(ranges.reduce((sum, { next, end }) => sum + end - next, 0n));
    });
  }

  /** The oldest records that `group` has not finished in `topic`, or in one partition of it. @throws AppError 50301 */
  peek({ group, topic, partition: only, limit }: PeekOptions, timeoutMs: number): Promise<LogRecord[]> {
    return this.#ask(timeoutMs, [topic], async (cluster) => {
      const all = await this.#open(cluster, group, topic);
      const ranges = only === undefined ? all : all.filter(({ partition }) => partition === only);
      const queues = ranges.map((range): OpenRange & Page => ({ ...range, records: [] }));
      const records: LogRecord[] = [];
      while (records.length < limit) {
        await Promise.all(
          queues.map(async (queue) => {
            while (queue.records.length === 0 && queue.next < queue.end) Object.assign(queue, await this.#fetch(cluster, topic, queue));
          }),
        );
        const [first, ...others] = queues.filter((queue) => queue.records.length > 0).map((queue) => queue.records);
        if (!first) break;
        const oldest = others.reduce((best, other) => (timeOf(other) < timeOf(best) ? other : best), first);
        records.push(...oldest.splice(0, 1));
      }
      return records;
    });
  }

  /** What is open to `group` in each partition of `topic`. @throws AppError 50301 */
  open(group: string, topic: string, timeoutMs: number): Promise<readonly OpenRange[]> {
    return this.#ask(timeoutMs, [topic], (cluster) => this.#open(cluster, group, topic));
  }

  /** Those of the topics that the cluster has, in this order. Asking makes none. @throws AppError 50301 */
  present(topics: readonly string[], timeoutMs: number): Promise<readonly string[]> {
    return this.#ask(timeoutMs, [], async (cluster) => {
      // Of all topics: a question for one that lacks is an error, and a broker may make the topic.
      const { topicMetadata } = await cluster.metadata();
      const names = new Set(topicMetadata.map(({ topic }) => topic));
      return topics.filter((topic) => names.has(kafkaTopic(this.#connection, topic)));
    });
  }

  /** The records of a topic in the given ranges, partition by partition. A page is what a fetch brings. @throws AppError 50301 */
  async *read(topic: string, ranges: readonly OpenRange[], timeoutMs: number): AsyncGenerator<readonly LogRecord[]> {
    for (const range of ranges) {
      let next = range.next;
      while (next < range.end) {
        const from = { ...range, next };
        const page = await this.#ask(timeoutMs, [topic], async (cluster) => {
          await cluster.addTargetTopic(kafkaTopic(this.#connection, topic));
          await cluster.refreshMetadataIfNecessary();
          return this.#fetch(cluster, topic, from);
        });
        if (page.records.length > 0) yield page.records;
        next = page.next;
      }
    }
  }

  /**
   * Moves the position of `group` in `topic` behind the given records; one that is there already stays. Kafka compares nothing itself: only what another
   * process commits in the instant between the look and the commit is lost.
   * @throws AppError 50301, also while the group has members
   */
  async commit(group: string, topic: string, records: readonly LogRecord[], timeoutMs: number): Promise<void> {
    const positions = new Map<number, bigint>();
    for (const { partition, offset } of records) {
      const next = BigInt(offset) + 1n;
      if (next > (positions.get(partition) ?? 0n)) positions.set(partition, next);
    }
    const moved = [...positions].map(([partition, next]) => ({ partition, offset: next.toString() }));
    await this.#ask(timeoutMs, [topic], async (cluster) => {
      const name = kafkaTopic(this.#connection, topic);
      const groupId = kafkaGroup(this.#connection, group, topic);
      const coordinator = await cluster.findGroupCoordinator({ groupId });
      const committed = offsetsOf(await offsetFetch(coordinator, groupId, name, moved));
      const partitions = moved.filter(({ partition, offset }) => BigInt(offset) > (committed.get(partition) ?? -1n));
      if (partitions.length === 0) return;
      await coordinator.offsetCommit({ groupId, ...NO_MEMBER, topics: [{ topic: name, partitions }] });
    });
  }

  /** Ends the connections. */
  close(): void {
    this.#session?.client.kill();
    this.#session = undefined;
  }

  /** Where `group` is in each partition of `topic`. A new group begins at the oldest record. */
  async #open(cluster: Cluster, group: string, topic: string): Promise<readonly OpenRange[]> {
    const name = kafkaTopic(this.#connection, topic);
    const groupId = kafkaGroup(this.#connection, group, topic);
    await cluster.addTargetTopic(name);
    await cluster.refreshMetadataIfNecessary();
    const partitions = cluster.findTopicPartitionMetadata(name).map(({ partitionId }) => ({ partition: partitionId }));
    const coordinator = await cluster.findGroupCoordinator({ groupId });
    const committed = offsetsOf(await offsetFetch(coordinator, groupId, name, partitions));
    // After the positions: a record that is published and finished in between must not be counted as unfinished.
    const [low, high] = await Promise.all(
      [true, false].map(async (fromBeginning) => {
        const [offsets] = await cluster.fetchTopicsOffset([{ topic: name, partitions, fromBeginning }]);
        return offsetsOf(offsets?.partitions ?? []);
      }),
    );
    return partitions.map(({ partition }) => {
      const end = high?.get(partition) ?? 0n;
      const oldest = low?.get(partition) ?? 0n;
      const position = committed.get(partition) ?? -1n;
      const next = position > oldest ? position : oldest;
      return { partition, next: next < end ? next : end, end };
    });
  }

  /** Fetches the next records of a partition, as many as come at once: none where it has only markers of transactions. */
  async #fetch(cluster: Cluster, topic: string, { partition, next, end }: OpenRange): Promise<Page> {
    const name = kafkaTopic(this.#connection, topic);
    const [leader] = Object.keys(cluster.findLeaderForPartitions(name, [partition]));
    const broker = await cluster.findBroker({ nodeId: leader ?? '' });
    const topics = [{ topic: name, partitions: [{ partition, fetchOffset: next.toString(), maxBytes: FETCH_BYTES }] }];
    const response = (await broker.fetch({ maxWaitTime: 0, minBytes: 1, maxBytes: FETCH_BYTES, topics })) as FetchResponse;
    const messages = response.responses[0]?.partitions[0]?.messages ?? [];
    const wanted = messages.filter(({ offset }) => BigInt(offset) >= next && BigInt(offset) < end);
    const last = wanted.at(-1);
    return {
      records: wanted.filter(({ isControlRecord }) => !isControlRecord).map((message) => toLogRecord(topic, partition, message)),
      next: last ? BigInt(nextOffset(last.offset)) : end,
    };
  }

  /** Asks the cluster, a second time on new connections when the first try fails and there is time. */
  async #ask<T>(timeoutMs: number, topics: readonly string[], question: (cluster: Cluster) => Promise<T>): Promise<T> {
    const deadline = performance.now() + timeoutMs;
    try {
      try {
        return await this.#tryToAsk(timeoutMs, question);
      } catch (error) {
        if (isUnknownTopic(error) || deadline - performance.now() < 2 * RETRY_PAUSE_MS) throw error;
        this.#logger.debug({ err: causeOf(error) }, 'Kafka did not respond; the request is retried');
        await sleep(RETRY_PAUSE_MS);
        return await this.#tryToAsk(deadline - performance.now(), question);
      }
    } catch (error) {
      throw unavailable(
        error,
        topics.map((topic) => kafkaTopic(this.#connection, topic)),
      );
    }
  }

  async #tryToAsk<T>(timeoutMs: number, question: (cluster: Cluster) => Promise<T>): Promise<T> {
    const session = this.#session ?? this.#openSession();
    const drop = (): void => {
      session.client.kill();
      if (this.#session === session) this.#session = undefined;
    };
    const respond = async (): Promise<T> => {
      await session.cluster.connect();
      return question(session.cluster);
    };
    try {
      return await within(timeoutMs, 'Asking Kafka', respond());
    } catch (error) {
      // Its knowledge of the cluster may be what is wrong.
      drop();
      throw error;
    }
  }

  #openSession(): { readonly client: KafkaClient; readonly cluster: Cluster } {
    const client = new KafkaClient(this.#connection, REQUEST_TIMEOUT_MS, this.#logger);
    // The consumer is never run; it joins no group.
    const { cluster } = client.consumer({ groupId: `${this.#connection.prefix ?? ''}none` });
    this.#session = { client, cluster };
    return this.#session;
  }
}

const timeOf = (records: readonly LogRecord[]): number => records[0]?.timestamp ?? Number.POSITIVE_INFINITY;

async function offsetFetch(coordinator: Broker, groupId: string, topic: string, partitions: readonly { readonly partition: number }[]) {
  // The type asks for offsets that the request does not carry.
  const topics = [{ topic, partitions: partitions.map(({ partition }) => ({ partition, offset: '' })) }];
  const { responses } = await coordinator.offsetFetch({ groupId, topics });
  return responses[0]?.partitions ?? [];
}

function offsetsOf(partitions: readonly { readonly partition: number; readonly offset: string }[]): ReadonlyMap<number, bigint> {
  return new Map(partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
}
