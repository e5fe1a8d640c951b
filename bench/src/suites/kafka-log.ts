import { patchIdleTimers } from '@parcelway/bus/kafka-idle-timers';
import { topics } from '@parcelway/contracts/topics';
import { until } from '@parcelway/kernel/testing/until';
import kafkajs, { type Admin, type Kafka, type Producer } from 'kafkajs';
import { pause } from '../suite.ts';

const SETTLE_WITHIN_MS = 90_000;
/** The log counts as quiet when nobody lags and nothing has been appended for this long. */
const QUIET_MS = 600;
const SEND_AT_ONCE = 500;

/** Topic → groups that consume it. The gateways, which only hear of revoked keys, are left out. */
const consumers: Readonly<Record<string, readonly string[]>> = {
  [topics.forecast]: ['warehouse-intake', 'tracking', 'webhook'],
  [topics.warehouseIntake]: ['warehouse-intake'],
  [topics.warehouse]: ['forecast'],
  [topics.tracking]: ['forecast', 'webhook'],
};

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

  /** Messages that have ever been appended to a topic, and those that each of its groups has not finished. */
  async #stateOf(topic: string, groups: readonly string[]): Promise<{ readonly appended: number; readonly lags: readonly number[] }> {
    const name = this.#nameOf(topic);
    const sum = (of: readonly { readonly offset?: string; readonly high?: string }[]): number =>
      // A group that has not finished anything in a partition has no position there, which is reported as -1.
      of.reduce((total, { offset, high }) => total + Math.max(0, Number(offset ?? high)), 0);
    const positions = groups.map((group) => this.#admin.fetchOffsets({ groupId: `${this.#prefix}${group}.${topic}`, topics: [name] }));
    const finished = (await Promise.all(positions)).map(([position]) => sum(position?.partitions ?? []));
    const appended = sum((await this.#admin.fetchTopicOffsets(name)).map(({ high }) => ({ high })));
    return { appended, lags: finished.map((done) => appended - done) };
  }

  /** Waits until every consumer has finished everything and nothing is appended any more. */
  async settled(): Promise<void> {
    let last = '';
    let since = performance.now();
    await until(
      async () => {
        const states = await Promise.all(Object.entries(consumers).map(([topic, groups]) => this.#stateOf(topic, groups)));
        const now = JSON.stringify(states);
        if (now !== last) since = performance.now();
        last = now;
        return states.every(({ lags }) => lags.every((lag) => lag === 0)) && performance.now() - since >= QUIET_MS;
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
