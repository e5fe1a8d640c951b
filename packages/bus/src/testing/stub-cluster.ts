import { afterEach, jest } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import type { BatchHandler } from '../driver.ts';
import { KafkaClient } from '../kafka-client.ts';
import { KafkaTopicConsumer } from '../kafka-consumer.ts';

interface SyncRequest {
  readonly groupAssignment: readonly { readonly memberAssignment: Buffer }[];
}
interface PartitionsRequest {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly offset: string }[];
  }[];
}

/** What kafkajs asks a broker for, as far as the stub looks at it. */
export interface FetchRequest {
  readonly topics: readonly {
    readonly topic: string;
    readonly partitions: readonly { readonly partition: number; readonly fetchOffset: string }[];
  }[];
}

/** A response of a broker that names an error of the protocol. */
export const refusal = (type: string): Error => Object.assign(new Error(type), { name: 'KafkaJSProtocolError', type });

/** Records of each partition that is asked for, from the wanted one to before `endOf`. */
export function respondTo({ topics }: FetchRequest, endOf: (partition: number, from: number) => number) {
  const of = ({ partition, fetchOffset }: { readonly partition: number; readonly fetchOffset: string }) => {
    const from = Number(fetchOffset);
    const end = endOf(partition, from);
    const messages = Array.from({ length: Math.max(0, end - from) }, (_, index) => ({
      offset: String(from + index),
      key: Buffer.from('k'),
      value: Buffer.from('v'),
      headers: {},
      timestamp: '0',
    }));
    return { partition, highWatermark: String(end), messages };
  };
  return { responses: topics.map(({ topic, partitions }) => ({ topicName: topic, partitions: partitions.map(of) })) };
}

/** A kafkajs cluster without network, whose group has one member at a time. A test overrides what it looks at. */
export abstract class StubCluster {
  /** Joins that were completed, each of which began a generation. */
  generation = 0;
  /** Ids of the brokers that lead the partitions of the topic, by partition. */
  leaders: Readonly<Record<number, number>> = { 0: 1, 1: 2 };
  readonly committed = new Map<number, string>();
  #isJoining = false;
  /** Names of the members at the brokers, by id. */
  readonly members = new Map<string, string>();

  /** A broker is asked for records. */
  abstract fetch(nodeId: string, request: FetchRequest): Promise<unknown>;

  async heartbeat(): Promise<void> {}
  /** A member joins. @returns its name */
  async join(memberId: string): Promise<string> {
    return memberId || 'm';
  }
  async sync(): Promise<void> {}
  async leave(_memberId: string): Promise<void> {}
  /** kafkajs asks for the positions right after a join. */
  async readPositions(): Promise<void> {}
  async commit(_generation: number, _partition: number): Promise<void> {}

  readonly #brokerOf = (clientId: string) => ({
    nodeId: 1,
    isConnected: () => true,
    describeGroups: async () => {
      const members = [...this.members].map(([memberId, name]) => ({ memberId, clientId: name }));
      return { groups: [{ state: this.#isJoining ? 'PreparingRebalance' : 'Stable', members }] };
    },
    heartbeat: () => this.heartbeat(),
    leaveGroup: async ({ memberId }: { readonly memberId: string }) => {
      this.members.delete(memberId);
      await this.leave(memberId);
    },
    joinGroup: async ({ memberId: given }: { readonly memberId: string }) => {
      this.#isJoining = true;
      const memberId = await this.join(given);
      this.generation += 1;
      this.members.set(memberId, clientId);
      const members = [{ memberId, memberMetadata: Buffer.alloc(0) }];
      return { generationId: this.generation, leaderId: memberId, memberId, members, groupProtocol: 'RoundRobinAssigner' };
    },
    syncGroup: async ({ groupAssignment }: SyncRequest) => {
      this.#isJoining = false;
      await this.sync();
      return { memberAssignment: groupAssignment[0]?.memberAssignment };
    },
    offsetFetch: async ({ topics }: PartitionsRequest) => {
      await this.readPositions();
      const positions = (partitions: PartitionsRequest['topics'][number]['partitions']) =>
        partitions.map(({ partition }) => ({ partition, offset: this.committed.get(partition) ?? '0' }));
      return { responses: topics.map(({ topic, partitions }) => ({ topic, partitions: positions(partitions) })) };
    },
    offsetCommit: async ({ groupGenerationId, topics }: PartitionsRequest & { readonly groupGenerationId: number }) => {
      for (const { partition, offset } of topics.flatMap(({ partitions }) => partitions)) {
        await this.commit(groupGenerationId, partition);
        this.committed.set(partition, offset);
      }
    },
  });

  /** What of a kafkajs cluster reaches for the network. */
  methods(clientId: string) {
    const broker = this.#brokerOf(clientId);
    const nothing = async (): Promise<void> => undefined;
    return {
      connect: nothing,
      disconnect: nothing,
      isConnected: () => true,
      refreshMetadata: nothing,
      refreshMetadataIfNecessary: nothing,
      addMultipleTargetTopics: nothing,
      getNodeIds: () => [...new Set(Object.values(this.leaders).map(String))],
      findTopicPartitionMetadata: () =>
        Object.entries(this.leaders).map(([partition, leader]) => ({ partitionId: Number(partition), leader, replicas: [], isr: [] })),
      findGroupCoordinator: async () => broker,
      findBroker: async ({ nodeId }: { readonly nodeId: string }) => ({
        ...broker,
        fetch: (request: FetchRequest) => this.fetch(String(nodeId), request),
      }),
    };
  }
}

/** Registers a hook that ends the consumers of a test. @returns starts one on a cluster; what it gets is finished unless `handle` says otherwise */
export function useStubCluster(): (cluster: StubCluster, handle?: BatchHandler) => void {
  const consumers: KafkaTopicConsumer[] = [];
  afterEach(async () => {
    await Promise.all(consumers.splice(0).map((consumer) => consumer.stop()));
    jest.restoreAllMocks();
  });
  return (cluster, handle = async (records) => ({ done: records.length, pauseMs: 0 })) => {
    const create = KafkaClient.prototype.consumer;
    jest.spyOn(KafkaClient.prototype, 'consumer').mockImplementation(function (this: KafkaClient, config) {
      const made = create.call(this, config);
      // The guard replaces some of them in the cluster of a member.
      Object.assign(made.cluster, cluster.methods(this.clientId));
      return made;
    });
    const connection = { brokers: ['127.0.0.1:1'], clientId: 'test', replica: '1' };
    const consumer = new KafkaTopicConsumer({ connection, group: 'g', topic: 't', logger: silentLogger, handle });
    consumers.push(consumer);
    consumer.start();
  };
}
