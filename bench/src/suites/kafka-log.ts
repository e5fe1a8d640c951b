import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import kafkajs, { type Admin, type Kafka, type Producer } from 'kafkajs';
import { createKafka } from '../processes/kafka-client.ts';
import { pause } from '../suite.ts';

const SETTLE_WITHIN_MS = 90_000;
const TOPIC_WITHIN_MS = 15_000;
/** The log counts as quiet when nobody lags and nothing has been appended for this long. */
const QUIET_MS = 600;
const SEND_AT_ONCE = 500;

/** A group and a topic that it consumes. */
export interface Consumer {
  readonly group: string;
  readonly topic: string;
}

/** Who consumes what. The gateways, which only hear of revoked keys, are left out. */
export const consumers = {
  intakeOfForecasts: { group: 'warehouse-intake', topic: topics.forecast },
  intakeOfEvents: { group: 'warehouse-intake', topic: topics.warehouseIntake },
  forecast: { group: 'forecast', topic: topics.warehouse },
  forecastOfTracking: { group: 'forecast', topic: topics.tracking },
  tracking: { group: 'tracking', topic: topics.forecast },
  webhook: { group: 'webhook', topic: topics.forecast },
  webhookOfTracking: { group: 'webhook', topic: topics.tracking },
} as const satisfies Readonly<Record<string, Consumer>>;

/** A message to produce. */
export interface PlainMessage {
  readonly key: string;
  readonly value: string;
}

/** The log of an installation as an outside system sees it: a plain kafkajs client. */
export class KafkaLog {
  readonly #prefix: string;
  readonly #admin: Admin;
  readonly #producer: Producer;

  private constructor(kafka: Kafka, prefix: string) {
    this.#prefix = prefix;
    this.#admin = kafka.admin();
    this.#producer = kafka.producer({ createPartitioner: kafkajs.Partitioners.DefaultPartitioner, allowAutoTopicCreation: false });
  }

  /** Connects to the brokers of KAFKA_BROKERS. @param prefix of the installation's topics and groups */
  static async open(prefix: string): Promise<KafkaLog> {
    // What goes wrong is thrown; while the broker is stopped on purpose the client would write of nothing else.
    const log = new KafkaLog(createKafka(kafkajs.logLevel.NOTHING), prefix);
    await Promise.all([log.#admin.connect(), log.#producer.connect()]);
    return log;
  }

  /** Name of a topic in the cluster. */
  nameOf(topic: string): string {
    return `${this.#prefix}${topic}`;
  }

  /** Produces messages, acknowledged by all replicas in sync; many in requests of some hundred. */
  async produce(topic: string, messages: readonly PlainMessage[]): Promise<void> {
    for (let from = 0; from < messages.length; from += SEND_AT_ONCE) {
      await this.#producer.send({ topic: this.nameOf(topic), acks: -1, messages: messages.slice(from, from + SEND_AT_ONCE) });
    }
  }

  /** Makes a topic with as many partitions as those of the product; it is removed with the installation. */
  async makeTopic(topic: string): Promise<void> {
    await this.#admin.createTopics({ topics: [{ topic: this.nameOf(topic), numPartitions: PARTITIONS }], waitForLeaders: false });
    // A broker that has much to do responds for a while that there is no such topic, which the client's own waiting takes for the end.
    const known = async (): Promise<boolean> => (await this.#admin.fetchTopicOffsets(this.nameOf(topic))).length === PARTITIONS;
    await until(known, { within: TOPIC_WITHIN_MS, what: `the topic ${topic}`, everyMs: 100 });
  }

  /** Messages that have ever been appended to a topic. */
  async appended(topic: string): Promise<number> {
    return (await this.#admin.fetchTopicOffsets(this.nameOf(topic))).reduce((sum, { high }) => sum + Number(high), 0);
  }

  /** Messages that a group has not finished. */
  async lag({ group, topic }: Consumer): Promise<number> {
    const name = this.nameOf(topic);
    const [position] = await this.#admin.fetchOffsets({ groupId: `${this.#prefix}${group}.${topic}`, topics: [name] });
    const finished = new Map(position?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const ends = await this.#admin.fetchTopicOffsets(name);
    // A group that has not finished anything in a partition has no position there, which is reported as -1.
    return ends.reduce((sum, { partition, high }) => sum + Number(high) - Math.max(0, finished.get(partition) ?? 0), 0);
  }

  /** Waits until a topic holds `count` messages. */
  async reaches(topic: string, count: number): Promise<void> {
    await until(async () => (await this.appended(topic)) >= count, { within: SETTLE_WITHIN_MS, what: `${count} messages in ${topic}` });
  }

  /** Waits until a group has finished all that is in its topic. */
  async finished(consumer: Consumer): Promise<void> {
    const { group, topic } = consumer;
    await until(async () => (await this.lag(consumer)) === 0, {
      within: SETTLE_WITHIN_MS,
      what: `${group} to finish ${topic}`,
      everyMs: 100,
    });
  }

  /** Waits until every consumer has finished everything and nothing is appended any more. */
  async settled(): Promise<void> {
    let last = '';
    let since = performance.now();
    await until(
      async () => {
        const lags = await Promise.all(Object.values(consumers).map((consumer) => this.lag(consumer)));
        const ends = await Promise.all([topics.forecast, topics.warehouse, topics.tracking].map((topic) => this.appended(topic)));
        const state = `${lags} ${ends}`;
        if (state !== last) since = performance.now();
        last = state;
        return lags.every((lag) => lag === 0) && performance.now() - since >= QUIET_MS;
      },
      { within: SETTLE_WITHIN_MS, what: 'the log to be processed', everyMs: 100 },
    );
    await pause(100);
  }

  /** Ends the connections. */
  async close(): Promise<void> {
    await Promise.all([this.#admin.disconnect(), this.#producer.disconnect()]);
  }
}
