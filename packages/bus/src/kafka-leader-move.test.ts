import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { KafkaClient } from './kafka-client.ts';
import { KafkaTopicConsumer } from './kafka-consumer.ts';

const LOG_END = 600;
const FETCHED = 300;

/** What kafkajs asks brokers for, as far as the stub responds to it. */
interface FetchRequest {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
  }[];
}
interface OffsetRequest {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
  }[];
}

/**
 * Two brokers: the first leads partition 0, which is empty, the second leads partition 1 with 600 records. While the second
 * has the fetch behind the first 300 records before it, the first says that it leads no more, so the group is joined again;
 * the second responses when that is over.
 */
class MovingCluster {
  readonly committed = new Map([
    [0, '0'],
    [1, '0'],
  ]);
  joins = 0;
  /** The first broker has said that it leads no more. */
  moved = false;
  /** Fetches that reached the second broker while the group was joined again. */
  askedMeanwhile = 0;
  readonly #joinMs: number;
  #joining = false;
  #waiting = false;
  #response: () => void = () => undefined;

  /** @param joinMs time that the second join takes */
  constructor(joinMs: number) {
    this.#joinMs = joinMs;
  }

  /** What of a kafkajs cluster reaches for the network. */
  methods() {
    const nothing = async (): Promise<void> => undefined;
    return {
      connect: nothing,
      disconnect: nothing,
      isConnected: () => true,
      refreshMetadata: nothing,
      refreshMetadataIfNecessary: nothing,
      addMultipleTargetTopics: nothing,
      getNodeIds: () => ['1', '2'],
      findTopicPartitionMetadata: () => [1, 2].map((leader) => ({ partitionId: leader - 1, leader, replicas: [], isr: [] })),
      findGroupCoordinator: async () => this.#coordinator,
      findBroker: async ({ nodeId }: { readonly nodeId: string }) => ({
        isConnected: () => true,
        fetch: (request: FetchRequest) => (String(nodeId) === '1' ? this.#fetchFromFirst(request) : this.#fetchFromSecond(request)),
      }),
    };
  }

  readonly #coordinator = {
    isConnected: () => true,
    heartbeat: async () => undefined,
    leaveGroup: async () => undefined,
    joinGroup: async () => {
      this.joins += 1;
      await sleep(this.joins > 1 ? this.#joinMs : 1);
      const members = [{ memberId: 'm', memberMetadata: Buffer.alloc(0) }];
      return { generationId: this.joins, leaderId: 'm', memberId: 'm', members, groupProtocol: 'RoundRobinAssigner' };
    },
    syncGroup: async ({ groupAssignment }: { readonly groupAssignment: readonly { readonly memberAssignment: Buffer }[] }) => {
      this.#joining = false;
      return { memberAssignment: groupAssignment[0]?.memberAssignment };
    },
    /** kafkajs asks for the positions right after a join. */
    offsetFetch: async ({ topics }: OffsetRequest) => {
      if (this.joins > 1) this.#response();
      const positions = (partitions: OffsetRequest['topics'][number]['partitions']) =>
        partitions.map(({ partition }) => ({ partition, offset: this.committed.get(partition) }));
      return { responses: topics.map(({ topic, partitions }) => ({ topic, partitions: positions(partitions) })) };
    },
    offsetCommit: async ({ topics }: OffsetRequest) => {
      for (const { partition, offset } of topics.flatMap(({ partitions }) => partitions)) this.committed.set(partition, offset);
    },
  };

  async #fetchFromFirst(request: FetchRequest) {
    if (this.#waiting && !this.moved) {
      this.moved = true;
      this.#joining = true;
      throw Object.assign(new Error('no leader'), { name: 'KafkaJSProtocolError', type: 'NOT_LEADER_FOR_PARTITION' });
    }
    await sleep(5);
    return respondTo(request, 0, 0);
  }

  async #fetchFromSecond(request: FetchRequest) {
    if (this.#joining) this.askedMeanwhile += 1;
    const from = Number(request.topics[0]?.partitions[0]?.fetchOffset);
    if (from === FETCHED && !this.#waiting) {
      this.#waiting = true;
      await new Promise<void>((resolve) => {
        this.#response = resolve;
      });
    } else await sleep(5);
    return respondTo(request, from, Math.min(LOG_END, from + FETCHED));
  }
}

/** The records `from` to before `to`. */
function respondTo({ topics }: FetchRequest, from: number, to: number) {
  const messages = Array.from({ length: Math.max(0, to - from) }, (_, index) => ({
    offset: String(from + index),
    key: Buffer.from('k'),
    value: Buffer.from('v'),
    headers: {},
    timestamp: '0',
  }));
  const { topic, partitions } = topics[0] as FetchRequest['topics'][number];
  return {
    responses: [{ topicName: topic, partitions: [{ partition: partitions[0]?.partition, highWatermark: String(LOG_END), messages }] }],
  };
}

describe('a partition that moves to another broker', () => {
  let consumer: KafkaTopicConsumer;

  afterEach(async () => {
    await consumer.stop();
    jest.restoreAllMocks();
  });

  test.each([5, 700])('loses no record of a partition that stays, with a join of %d ms', async (joinMs) => {
    const cluster = new MovingCluster(joinMs);
    const create = KafkaClient.prototype.consumer;
    jest.spyOn(KafkaClient.prototype, 'consumer').mockImplementation(function (this: KafkaClient, config) {
      const made = create.call(this, config);
      Object.assign(made.cluster, cluster.methods());
      return made;
    });
    const handled = new Set<number>();
    /** Records that had not been handled when the position went past them. */
    const skipped = new Set<number>();
    consumer = new KafkaTopicConsumer({
      connection: { brokers: ['127.0.0.1:1'], clientId: 'test' },
      group: 'g',
      topic: 't',
      logger: silentLogger,
      handle: async (records) => {
        // The rest of the first 300 is fetched and waits, when the group is joined again.
        await until(() => cluster.moved, { what: 'the move' });
        if (handled.size === 0) await sleep(20);
        for (const { offset } of records) handled.add(Number(offset));
        return { done: records.length, pauseMs: 0 };
      },
    });
    consumer.start();
    await until(
      () => {
        const position = Number(cluster.committed.get(1));
        for (let offset = 0; offset < position; offset += 1) if (!handled.has(offset)) skipped.add(offset);
        return position === LOG_END;
      },
      { what: 'all of the log', within: 15_000 },
    );
    expect([...skipped]).toEqual([]);
    expect(cluster.joins).toBe(2);
    expect(cluster.askedMeanwhile).toBe(0);
  });
});
