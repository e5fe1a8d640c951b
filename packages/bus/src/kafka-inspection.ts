import { deadLetterTopic } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import kafkajs, { type Admin } from 'kafkajs';
import { REDRIVE_GROUP } from './dead-letters.ts';
import { KafkaClient } from './kafka-client.ts';
import { type KafkaConnection, kafkaGroup, kafkaTopic } from './kafka-connection.ts';
import { causeOf, within } from './kafka-errors.ts';
import { KafkaPositions } from './kafka-positions.ts';

const REQUEST_TIMEOUT_MS = 5000;
const CONNECT_MS = 6000;
const QUERY_MS = 8000;
const MIN_IN_SYNC = 'min.insync.replicas';
const CLEANUP_POLICY = 'cleanup.policy';

/** A topic as the cluster has it. */
export interface KafkaTopicState {
  /** Without the prefix; also a dead-letter topic. */
  readonly topic: string;
  /** In the cluster. */
  readonly name: string;
  /** 0 when it does not exist. */
  readonly partitions: number;
  /** Fewest copies of a partition. */
  readonly replication: number;
  /** Partitions that nobody leads: nothing can be written to them or read. */
  readonly leaderless: number;
  /** Partitions of which a copy is behind or gone. */
  readonly underReplicated: number;
  /** `min.insync.replicas`; null when it may not be read. */
  readonly minInSync: number | null;
  /** `cleanup.policy`; null when it may not be read. */
  readonly cleanupPolicy: string | null;
}

/** A consumer group of one topic. */
export interface KafkaGroupState {
  /** In the cluster. */
  readonly name: string;
  /** Processes that take part; 0 when nobody reads. */
  readonly members: number;
  /** `Stable`, `Empty`, … */
  readonly state: string;
}

/** Why the cluster cannot be used. */
export type KafkaTrouble = 'away' | 'credentials' | 'other';

/** The kind of a failure of this module's calls. */
export function kafkaTroubleOf(error: unknown): KafkaTrouble {
  const { name, message } = causeOf(error);
  if (name === 'KafkaJSSASLAuthenticationError' || /SASL|authenticat|authoriz/i.test(message)) return 'credentials';
  if (/connect|ECONN|ENOTFOUND|EAI_AGAIN|timed? ?out|longer than|closed/i.test(message)) return 'away';
  return 'other';
}

const numberOrNull = (text: string | undefined): number | null => (text === undefined ? null : Number(text));

/** Looks at a Kafka cluster from outside the services, with short deadlines. Close it. */
export class KafkaInspector {
  readonly #connection: KafkaConnection;
  readonly #client: KafkaClient;
  readonly #admin: Admin;
  readonly #positions: KafkaPositions;

  private constructor(connection: KafkaConnection, client: KafkaClient, admin: Admin) {
    this.#connection = connection;
    this.#client = client;
    this.#admin = admin;
    this.#positions = new KafkaPositions(connection, silentLogger);
  }

  /** @throws Error in the words of the broker or the system */
  static async connect(connection: KafkaConnection): Promise<KafkaInspector> {
    const client = new KafkaClient(connection, REQUEST_TIMEOUT_MS, silentLogger);
    const admin = client.kafka.admin();
    try {
      await within(CONNECT_MS, 'Connecting to Kafka', admin.connect());
    } catch (error) {
      client.kill();
      throw causeOf(error);
    }
    return new KafkaInspector(connection, client, admin);
  }

  /** How many brokers the cluster has now. */
  async brokers(): Promise<number> {
    return (await this.#ask('the cluster', this.#admin.describeCluster())).brokers.length;
  }

  /** The topics by these names without prefix, in this order. */
  async topics(topics: readonly string[]): Promise<readonly KafkaTopicState[]> {
    const present = new Set(await this.#ask('the topics', this.#admin.listTopics()));
    const names = topics.map((topic) => kafkaTopic(this.#connection, topic)).filter((name) => present.has(name));
    const metadata = names.length === 0 ? [] : (await this.#ask('the topics', this.#admin.fetchTopicMetadata({ topics: names }))).topics;
    const settings = await this.#settings(names);
    return topics.map((topic) => {
      const name = kafkaTopic(this.#connection, topic);
      const partitions = metadata.find((entry) => entry.name === name)?.partitions ?? [];
      return {
        topic,
        name,
        partitions: partitions.length,
        replication: partitions.length === 0 ? 0 : Math.min(...partitions.map(({ replicas }) => replicas.length)),
        leaderless: partitions.filter(({ leader }) => leader < 0).length,
        underReplicated: partitions.filter(({ isr, replicas }) => isr.length < replicas.length).length,
        minInSync: numberOrNull(settings.get(name)?.get(MIN_IN_SYNC)),
        cleanupPolicy: settings.get(name)?.get(CLEANUP_POLICY) ?? null,
      };
    });
  }

  /** A setting of each broker, a number. */
  async brokerSetting(setting: string): Promise<readonly number[]> {
    const { brokers } = await this.#ask('the cluster', this.#admin.describeCluster());
    const resources = brokers.map(({ nodeId }) => ({
      type: kafkajs.ConfigResourceTypes.BROKER,
      name: String(nodeId),
      configNames: [setting],
    }));
    const response = await this.#ask('the brokers', this.#admin.describeConfigs({ resources, includeSynonyms: false }));
    return response.resources.flatMap(({ configEntries }) => configEntries.map(({ configValue }) => Number(configValue)));
  }

  /** Groups whose names begin with the prefix, over every topic. */
  async groups(): Promise<readonly KafkaGroupState[]> {
    const { prefix = '' } = this.#connection;
    const listed = await this.#ask('the groups', this.#admin.listGroups());
    const names = listed.groups.map(({ groupId }) => groupId).filter((name) => name.startsWith(prefix));
    if (names.length === 0) return [];
    const { groups } = await this.#ask('the groups', this.#admin.describeGroups(names));
    return groups.map(({ groupId, members, state }) => ({ name: groupId, members: members.length, state }));
  }

  /** Name in the cluster of the group by which `group` reads `topic`. */
  groupName(group: string, topic: string): string {
    return kafkaGroup(this.#connection, group, topic);
  }

  /** Messages of `topic` that `group` has not finished. @throws AppError 50301 */
  lag(group: string, topic: string): Promise<number> {
    return this.#positions.lag(group, topic, QUERY_MS);
  }

  /** Dead letters of a topic that were neither redriven nor deleted. @throws AppError 50301 */
  deadLetters(topic: string): Promise<number> {
    return this.#positions.lag(REDRIVE_GROUP, deadLetterTopic(topic), QUERY_MS);
  }

  /** Ends the connections. */
  close(): void {
    this.#positions.close();
    // It may wait for a broker that never responds; the sockets are broken in any case.
    this.#admin.disconnect().catch(() => undefined);
    this.#client.kill();
  }

  /** Topic → setting → value. */
  async #settings(names: readonly string[]): Promise<ReadonlyMap<string, ReadonlyMap<string, string>>> {
    if (names.length === 0) return new Map();
    const resources = names.map((name) => ({
      type: kafkajs.ConfigResourceTypes.TOPIC,
      name,
      configNames: [MIN_IN_SYNC, CLEANUP_POLICY],
    }));
    const response = await this.#ask('the settings of the topics', this.#admin.describeConfigs({ resources, includeSynonyms: false }));
    return new Map(
      response.resources.map(({ resourceName, configEntries }) => [
        resourceName,
        new Map(configEntries.map(({ configName, configValue }) => [configName, configValue])),
      ]),
    );
  }

  async #ask<T>(what: string, question: Promise<T>): Promise<T> {
    try {
      return await within(QUERY_MS, `Asking Kafka for ${what}`, question);
    } catch (error) {
      throw causeOf(error);
    }
  }
}
