import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, jest, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { KafkaClient } from './kafka-client.ts';
import { KafkaTopicConsumer } from './kafka-consumer.ts';

interface SyncRequest {
  readonly groupAssignment: readonly { readonly memberAssignment: Buffer }[];
}
interface PositionsRequest {
  readonly topics: readonly { readonly topic: string; readonly partitions: readonly { readonly partition: number }[] }[];
}

/**
 * Two brokers without records, of which the first responds at once. The second never responds: a broker that waits for a record does not until long
 * after the time that this test measures. The group rebalances once the second has been asked.
 */
class RebalancingCluster {
  joins = 0;
  /** When the coordinator refused a heartbeat first, and when the member joined again; instants of `performance.now()`. */
  refusedAt = 0;
  joinedAt = 0;
  #isWaiting = false;

  readonly #coordinator = {
    isConnected: () => true,
    leaveGroup: async () => undefined,
    heartbeat: async () => {
      if (!this.#isWaiting || this.joins > 1) return;
      this.refusedAt ||= performance.now();
      throw Object.assign(new Error('rebalance'), { name: 'KafkaJSProtocolError', type: 'REBALANCE_IN_PROGRESS' });
    },
    joinGroup: async () => {
      this.joins += 1;
      if (this.joins > 1) this.joinedAt = performance.now();
      const members = [{ memberId: 'm', memberMetadata: Buffer.alloc(0) }];
      return { generationId: this.joins, leaderId: 'm', memberId: 'm', members, groupProtocol: 'RoundRobinAssigner' };
    },
    syncGroup: async ({ groupAssignment }: SyncRequest) => ({ memberAssignment: groupAssignment[0]?.memberAssignment }),
    offsetFetch: async ({ topics }: PositionsRequest) => ({
      responses: topics.map(({ topic, partitions }) => ({
        topic,
        partitions: partitions.map(({ partition }) => ({ partition, offset: '0' })),
      })),
    }),
    offsetCommit: async () => undefined,
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
      getNodeIds: () => ['1', '2'],
      findTopicPartitionMetadata: () => [1, 2].map((leader) => ({ partitionId: leader - 1, leader, replicas: [], isr: [] })),
      findGroupCoordinator: async () => this.#coordinator,
      findBroker: async ({ nodeId }: { readonly nodeId: string }) => ({
        isConnected: () => true,
        fetch: async () => {
          if (String(nodeId) === '2') {
            this.#isWaiting = true;
            await new Promise(() => undefined);
          }
          await sleep(5);
          return { responses: [] };
        },
      }),
    };
  }
}

let consumer: KafkaTopicConsumer;

afterEach(async () => {
  await consumer.stop();
  jest.restoreAllMocks();
});

test('a member joins again as soon as one loop hears of a rebalance, while another broker still waits for a record', async () => {
  const cluster = new RebalancingCluster();
  const create = KafkaClient.prototype.consumer;
  jest.spyOn(KafkaClient.prototype, 'consumer').mockImplementation(function (this: KafkaClient, config) {
    const made = create.call(this, config);
    Object.assign(made.cluster, cluster.methods());
    return made;
  });
  consumer = new KafkaTopicConsumer({
    connection: { brokers: ['127.0.0.1:1'], clientId: 'test' },
    group: 'g',
    topic: 't',
    logger: silentLogger,
    handle: async (records) => ({ done: records.length, pauseMs: 0 }),
  });
  consumer.start();
  await until(() => cluster.joins === 2, { what: 'the second join', within: 5000 });
  expect(cluster.joinedAt - cluster.refusedAt).toBeLessThan(250);
});
