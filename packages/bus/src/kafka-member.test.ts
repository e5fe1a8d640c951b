import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { KafkaClient } from './kafka-client.ts';
import { KafkaTopicConsumer } from './kafka-consumer.ts';

interface Member {
  readonly memberId: string;
}
interface SyncRequest {
  readonly groupAssignment: readonly { readonly memberAssignment: Buffer }[];
}
interface PartitionsRequest {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
  }[];
}
interface CommitRequest extends PartitionsRequest {
  readonly groupGenerationId: number;
}
interface FetchRequest {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
  }[];
}

const refusal = (type: string): Error => Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type });

/** A broker that coordinates a group of one member, with one record in each of the partitions that it has. */
class OneBroker {
  /** Joins and leaves in the order in which the broker heard of them. */
  readonly heard: string[] = [];
  /** Generation and partition of each commit. */
  readonly commits: (readonly [number, number])[] = [];
  generation = 0;
  /** Partitions of the topic at present. */
  partitions: readonly number[] = [0];
  heartbeat: () => void = () => undefined;
  commit: (request: CommitRequest) => Promise<void> = async () => undefined;
  fetch: () => void = () => undefined;
  /** The member that the group waits for before it completes a join. */
  #missed: string | undefined;
  #complete: () => void = () => undefined;

  readonly #broker = {
    nodeId: 1,
    isConnected: () => true,
    heartbeat: async () => this.heartbeat(),
    describeGroups: async () => ({ groups: [{ state: this.heard.at(-1)?.startsWith('join') ? 'PreparingRebalance' : 'Stable' }] }),
    leaveGroup: async ({ memberId }: Member) => {
      this.heard.push(`leave ${memberId}`);
      if (memberId === this.#missed) this.#complete();
    },
    joinGroup: async ({ memberId }: Member) => {
      const name = memberId || `m${this.generation + 1}`;
      this.heard.push(`join ${name}`);
      if (this.#missed !== undefined && this.#missed !== name && !this.heard.includes(`leave ${this.#missed}`)) {
        await new Promise<void>((resolve) => {
          this.#complete = resolve;
        });
      }
      this.#missed = name;
      this.generation += 1;
      const members = [{ memberId: name, memberMetadata: Buffer.alloc(0) }];
      return { generationId: this.generation, leaderId: name, memberId: name, members, groupProtocol: 'RoundRobinAssigner' };
    },
    syncGroup: async ({ groupAssignment }: SyncRequest) => {
      this.heard.push('sync');
      return { memberAssignment: groupAssignment[0]?.memberAssignment };
    },
    offsetFetch: async ({ topics }: PartitionsRequest) => ({
      responses: topics.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition }) => ({ partition, offset: '0' })),
      })),
    }),
    offsetCommit: async (request: CommitRequest) => {
      const { groupGenerationId, topics } = request;
      for (const { partition } of topics.flatMap(({ partitions }) => partitions)) this.commits.push([groupGenerationId, partition]);
      await this.commit(request);
    },
    fetch: async ({ topics }: FetchRequest) => {
      await sleep(5);
      this.fetch();
      const record = { offset: '0', key: null, value: Buffer.from('v'), headers: {}, timestamp: '0' };
      const of = ({ partition, fetchOffset }: { readonly partition: number; readonly fetchOffset: string }) => ({
        partition,
        highWatermark: '1',
        messages: fetchOffset === '0' ? [record] : [],
      });
      return { responses: topics.map(({ topic, partitions }) => ({ topicName: topic, partitions: partitions.map(of) })) };
    },
  };

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
      getNodeIds: () => ['1'],
      findTopicPartitionMetadata: () => this.partitions.map((partitionId) => ({ partitionId, leader: 1, replicas: [], isr: [] })),
      findGroupCoordinator: async () => this.#broker,
      findBroker: async () => this.#broker,
    };
  }
}

describe('a member of a group', () => {
  let broker: OneBroker;
  let consumer: KafkaTopicConsumer;

  beforeEach(() => {
    broker = new OneBroker();
    const create = KafkaClient.prototype.consumer;
    jest.spyOn(KafkaClient.prototype, 'consumer').mockImplementation(function (this: KafkaClient, config) {
      const made = create.call(this, config);
      // The guard replaces some of them in the cluster of a member.
      Object.assign(made.cluster, broker.methods());
      return made;
    });
    consumer = new KafkaTopicConsumer({
      connection: { brokers: ['127.0.0.1:1'], clientId: 'test' },
      group: 'g',
      topic: 't',
      logger: silentLogger,
      handle: async (records) => ({ done: records.length, pauseMs: 0 }),
    });
  });
  afterEach(async () => {
    await consumer.stop();
    jest.restoreAllMocks();
  });

  test('writes no position of one generation in the name of the next', async () => {
    broker.commit = async ({ groupGenerationId }) => {
      if (groupGenerationId > 1) return;
      // The partition goes to another member.
      broker.partitions = [1];
      broker.heartbeat = () => {
        if (broker.generation === 1) throw refusal('REBALANCE_IN_PROGRESS');
      };
      const joins = (): number => broker.heard.filter((what) => what === 'sync').length;
      await until(() => joins() > 1, { what: 'the second generation' });
      throw refusal('NOT_COORDINATOR_FOR_GROUP');
    };
    consumer.start();
    await until(() => broker.commits.some(([, partition]) => partition === 1), {
      what: 'a commit of the second generation',
      within: 15_000,
    });
    expect(broker.commits.filter(([generation, partition]) => generation > 1 && partition === 0)).toEqual([]);
  });

  test('takes the place of one that failed when the group knows of it, so that the group is never empty', async () => {
    broker.fetch = () => {
      if (broker.generation === 1) throw Object.assign(new Error('for good'), { retriable: false });
    };
    consumer.start();
    await until(() => broker.commits.length > 0, { what: 'a commit of the second member', within: 15_000 });
    expect(broker.heard).toEqual(['join m1', 'sync', 'join m2', 'leave m1', 'sync']);
  });
});
