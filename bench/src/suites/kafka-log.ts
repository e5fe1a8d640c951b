import { patchIdleTimers } from '@parcelway/bus/kafka-idle-timers';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import kafkajs, { type Admin, type Kafka, type Producer } from 'kafkajs';
import { pause } from '../suite.ts';

const SETTLE_WITHIN_MS = 90_000;
/** The log counts as quiet when nobody lags and nothing has been appended for this long. */
const QUIET_MS = 600;
const SEND_AT_ONCE = 500;

/** A group and a topic that it consumes. */
interface Consumer {
  readonly group: string;
  readonly topic: string;
}

/** Who consumes what. The gateways, which only hear of revoked keys, are left out. */
const consumers: readonly Consumer[] = [
  { group: 'warehouse-intake', topic: topics.forecast },
  { group: 'warehouse-intake', topic: topics.warehouseIntake },
  { group: 'forecast', topic: topics.warehouse },
  { group: 'forecast', topic: topics.tracking },
  { group: 'tracking', topic: topics.forecast },
  { group: 'webhook', topic: topics.forecast },
  { group: 'webhook', topic: topics.tracking },
];

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
    // A client that wakes up every millisecond would take the processor from what is measured.
    patchIdleTimers();
    const brokers = (process.env['KAFKA_BROKERS'] ?? '').split(',');
    const log = new KafkaLog(new kafkajs.Kafka({ brokers, clientId: 'bench', logLevel: kafkajs.logLevel.NOTHING }), prefix);
    await Promise.all([log.#admin.connect(), log.#producer.connect()]);
    return log;
  }

  /** Name of a topic in the cluster. */
  #nameOf(topic: string): string {
    return `${this.#prefix}${topic}`;
  }

  /** Produces messages, acknowledged by all replicas in sync; many in requests of some hundred. */
  async produce(topic: string, messages: readonly PlainMessage[]): Promise<void> {
    for (let from = 0; from < messages.length; from += SEND_AT_ONCE) {
      await this.#producer.send({ topic: this.#nameOf(topic), acks: -1, messages: messages.slice(from, from + SEND_AT_ONCE) });
    }
  }

  /** Messages that have ever been appended to a topic. */
  async #appended(topic: string): Promise<number> {
    return (await this.#admin.fetchTopicOffsets(this.#nameOf(topic))).reduce((sum, { high }) => sum + Number(high), 0);
  }

  /** Messages that a group has not finished. */
  async #lag({ group, topic }: Consumer): Promise<number> {
    const name = this.#nameOf(topic);
    const [position] = await this.#admin.fetchOffsets({ groupId: `${this.#prefix}${group}.${topic}`, topics: [name] });
    const finished = new Map(position?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    const ends = await this.#admin.fetchTopicOffsets(name);
    // A group that has not finished anything in a partition has no position there, which is reported as -1.
    return ends.reduce((sum, { partition, high }) => sum + Number(high) - Math.max(0, finished.get(partition) ?? 0), 0);
  }

  /** Waits until every consumer has finished everything and nothing is appended any more. */
  async settled(): Promise<void> {
    let last = '';
    let since = performance.now();
    await until(
      async () => {
        const lags = await Promise.all(consumers.map((consumer) => this.#lag(consumer)));
        const ends = await Promise.all([topics.forecast, topics.warehouse, topics.tracking].map((topic) => this.#appended(topic)));
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
