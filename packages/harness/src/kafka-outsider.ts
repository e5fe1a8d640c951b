import { randomUUID } from 'node:crypto';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { consumedTopics, type Topic } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import kafkajs, { type Admin, type Cluster, type Kafka, type Message, type Producer } from 'kafkajs';

/** A record of a topic. */
export interface RawRecord {
  readonly partition: number;
  readonly offset: string;
  readonly key: Buffer | null;
  readonly value: Buffer | null;
}

/** Collects what comes into a topic, from its beginning on. */
export interface TopicFollower {
  /** Grows; the records of a partition are in their order. */
  readonly records: readonly RawRecord[];
  stop(): Promise<void>;
}

const READ_WITHIN_MS = 30_000;

/** A system outside of the platform that reads and writes its topics with a plain Kafka client. */
export class KafkaOutsider {
  readonly #prefix: string;
  readonly #kafka: Kafka;
  readonly #producer: Producer;
  readonly #admin: Admin;

  private constructor(brokers: string, prefix: string) {
    this.#prefix = prefix;
    this.#kafka = new kafkajs.Kafka({ clientId: 'outsider', brokers: brokers.split(','), logLevel: kafkajs.logLevel.NOTHING });
    this.#producer = this.#kafka.producer({ allowAutoTopicCreation: false });
    this.#admin = this.#kafka.admin();
  }

  /** @param servers of a platform in distributed mode */
  static async connect(servers: Readonly<Record<string, string>>): Promise<KafkaOutsider> {
    const outsider = new KafkaOutsider(servers['KAFKA_BROKERS'] as string, servers['KAFKA_PREFIX'] as string);
    await Promise.all([outsider.#producer.connect(), outsider.#admin.connect()]);
    return outsider;
  }

  /** Appends messages. @param topic without the prefix of the installation */
  async produce(topic: string, ...messages: readonly Message[]): Promise<void> {
    await this.#producer.send({ topic: `${this.#prefix}${topic}`, messages: [...messages] });
  }

  /** Every record that a topic holds now. @param topic without the prefix of the installation */
  async read(topic: string): Promise<readonly RawRecord[]> {
    const total = (await this.#offsetsOf(topic)).reduce((sum, { low, high }) => sum + Number(high) - Number(low), 0);
    if (total === 0) return [];
    const { records, stop } = await this.follow(topic);
    try {
      await until(() => records.length >= total, { within: READ_WITHIN_MS, what: `${total} records of ${topic}` });
      return records;
    } finally {
      await stop();
    }
  }

  /** Reads a topic from its beginning on until it is stopped. @param topic without the prefix of the installation */
  async follow(topic: string): Promise<TopicFollower> {
    const groupId = `${this.#prefix}outsider-${randomUUID()}`;
    const consumer = this.#kafka.consumer({ groupId, allowAutoTopicCreation: false });
    const records: RawRecord[] = [];
    await consumer.connect();
    await consumer.subscribe({ topic: `${this.#prefix}${topic}`, fromBeginning: true });
    await consumer.run({
      async eachMessage({ partition, message: { offset, key, value } }) {
        records.push({ partition, offset, key, value });
      },
    });
    return { records, stop: () => consumer.disconnect() };
  }

  /** Waits until a group has finished every record that a topic holds now. @param topic without the prefix of the installation */
  async untilFinished(group: string, topic: string, within: number): Promise<void> {
    const groupId = `${this.#prefix}${group}.${topic}`;
    const wanted = (await this.#offsetsOf(topic)).filter(({ low, high }) => low !== high);
    const finished = async (): Promise<boolean> => {
      const [found] = await this.#admin.fetchOffsets({ groupId, topics: [`${this.#prefix}${topic}`] });
      const committed = new Map(found?.partitions.map(({ partition, offset }) => [partition, BigInt(offset)]));
      return wanted.every(({ partition, high }) => (committed.get(partition) ?? -1n) >= BigInt(high));
    };
    await until(finished, { within, everyMs: 200, what: `${group} to finish ${topic}` });
  }

  /** Id of the broker that coordinates a group of a topic. @param topic without the prefix of the installation @throws Error while none responds */
  async coordinatorOf(group: string, topic: string): Promise<number> {
    const groupId = `${this.#prefix}${group}.${topic}`;
    let cluster: Cluster | undefined;
    // kafkajs shows its cluster to assigners only. The consumer is never run.
    const assigner: (typeof kafkajs.PartitionAssigners)['roundRobin'] = (config) => {
      cluster = config.cluster;
      return kafkajs.PartitionAssigners.roundRobin(config);
    };
    const consumer = this.#kafka.consumer({ groupId, partitionAssigners: [assigner], retry: { retries: 0 } });
    try {
      await consumer.connect();
      const broker = await (cluster as unknown as Cluster).findGroupCoordinator({ groupId });
      return (broker as typeof broker & { readonly nodeId: number }).nodeId;
    } finally {
      await consumer.disconnect();
    }
  }

  /** Waits until every service has finished all its records. @throws Error with the first consumer group that misses the deadline */
  async untilQuiet(within: number, names: readonly Topic[] = consumedTopics): Promise<void> {
    for (const topic of names) for (const group of topicConsumers[topic]) await this.untilFinished(group, topic, within);
  }

  #offsetsOf(topic: string): ReturnType<Admin['fetchTopicOffsets']> {
    return this.#admin.fetchTopicOffsets(`${this.#prefix}${topic}`);
  }

  async close(): Promise<void> {
    await Promise.all([this.#producer.disconnect(), this.#admin.disconnect()]);
  }
}

/** Passes a plain Kafka client for a distributed platform to `work`, then closes it. */
export async function withOutsider<T>(
  { platform }: { readonly platform: { readonly servers: Readonly<Record<string, string>> } },
  work: (outsider: KafkaOutsider) => Promise<T>,
): Promise<T> {
  const outsider = await KafkaOutsider.connect(platform.servers);
  return work(outsider).finally(() => outsider.close());
}
