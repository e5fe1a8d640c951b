import { AppError } from '@parcelway/kernel/app-error';
import { newToken } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { BusDriver, ConsumeOptions, DriverConsumer, LogRecord, OutgoingRecord, PeekOptions, ReadOpenOptions } from './driver.ts';
import type { KafkaConnection } from './kafka-connection.ts';
import { KafkaTopicConsumer } from './kafka-consumer.ts';
import { KafkaPositions } from './kafka-positions.ts';
import { KafkaPublisher } from './kafka-publisher.ts';

const PUBLISH_TIMEOUT_MS = 5000;
const QUERY_TIMEOUT_MS = 5000;
const PEEK_TIMEOUT_MS = 10_000;
const CHECK_TIMEOUT_MS = 2000;
const CONSUMER_SILENCE_MS = 30_000;

/** Where the log is and how long to wait for it. */
export interface KafkaBusOptions {
  readonly connection: KafkaConnection;
  readonly logger: Logger;
  /** Time for a publish, all retries included, in milliseconds; default 5000. */
  readonly publishTimeoutMs?: number;
  /** A consumer that has had no sign of life from the cluster for this long fails the check; default 30 000 ms. */
  readonly consumerSilenceMs?: number;
}

class KafkaBusDriver implements BusDriver {
  readonly #options: KafkaBusOptions;
  readonly #publisher: KafkaPublisher;
  readonly #positions: KafkaPositions;
  /** `group\ntopic` → its consumer. */
  readonly #consumers = new Map<string, KafkaTopicConsumer>();
  #closed = false;

  constructor(options: KafkaBusOptions) {
    const { logger, publishTimeoutMs = PUBLISH_TIMEOUT_MS } = options;
    const connection = { replica: newToken(9), ...options.connection };
    this.#options = { ...options, connection };
    this.#publisher = new KafkaPublisher(connection, publishTimeoutMs, logger);
    this.#positions = new KafkaPositions(connection, logger);
    this.#publisher.warmUp();
  }

  async publish(records: readonly OutgoingRecord[]): Promise<void> {
    this.#assertOpen();
    if (records.length > 0) await this.#publisher.publish(records);
  }

  async consume({ group, topics, ...options }: ConsumeOptions): Promise<DriverConsumer> {
    this.#assertOpen();
    const { connection, logger } = this.#options;
    const names = topics.map((topic) => `${group}\n${topic}`);
    for (const [index, topic] of topics.entries()) {
      if (this.#consumers.has(names[index] as string)) throw new Error(`Group ${group} already consumes topic ${topic} in this process`);
    }
    const consumers = topics.map((topic) => new KafkaTopicConsumer({ ...options, connection, group, topic, logger }));
    for (const [index, consumer] of consumers.entries()) {
      this.#consumers.set(names[index] as string, consumer);
      consumer.start();
    }
    return {
      stop: async () => {
        await Promise.all(consumers.map((consumer) => consumer.stop()));
        for (const name of names) this.#consumers.delete(name);
      },
    };
  }

  async peek(options: PeekOptions): Promise<LogRecord[]> {
    this.#assertOpen();
    return this.#positions.peek(options, PEEK_TIMEOUT_MS);
  }

  async *readOpen({ group, topic }: ReadOpenOptions): AsyncGenerator<readonly LogRecord[]> {
    this.#assertOpen();
    const ranges = await this.#positions.open(group, topic, QUERY_TIMEOUT_MS);
    const inOrder = [...ranges].sort((one, other) => one.partition - other.partition);
    yield* this.#positions.read(topic, inOrder, PEEK_TIMEOUT_MS);
  }

  async commit({ group, records }: { readonly group: string; readonly records: readonly LogRecord[] }): Promise<void> {
    this.#assertOpen();
    for (const topic of new Set(records.map((record) => record.topic))) {
      const ofTopic = records.filter((record) => record.topic === topic);
      await this.#positions.commit(group, topic, ofTopic, QUERY_TIMEOUT_MS);
    }
  }

  async lag({ group, topic }: { readonly group: string; readonly topic: string }): Promise<number> {
    this.#assertOpen();
    return this.#positions.lag(group, topic, QUERY_TIMEOUT_MS);
  }

  async check(): Promise<void> {
    this.#assertOpen();
    await this.#positions.check(CHECK_TIMEOUT_MS);
    const { consumerSilenceMs = CONSUMER_SILENCE_MS } = this.#options;
    for (const [name, consumer] of this.#consumers) {
      const { silentForMs, problem } = consumer.state();
      if (silentForMs < consumerSilenceMs) continue;
      const [group, topic] = name.split('\n');
      const seconds = Math.round(silentForMs / 1000);
      throw AppError.unavailable(`Group ${group} has not read topic ${topic} for ${seconds} s${problem ? `: ${problem}` : ''}`);
    }
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    await Promise.all([...this.#consumers.values()].map((consumer) => consumer.stop()));
    this.#closed = true;
    await this.#publisher.close();
    this.#positions.close();
  }

  #assertOpen(): void {
    if (this.#closed) throw AppError.unavailable('The message log is closed');
  }
}

/**
 * Opens the bus on a Kafka cluster (3.x or 4.x). Does not wait for the cluster: services may start before it. Until it is
 * there, publishing fails with 50301 and the consumers keep trying. The topics must have been made before, by
 * createKafkaTopics; until then the consumers keep trying too and say so in the log and in the check.
 */
export async function openKafkaBus(options: KafkaBusOptions): Promise<BusDriver> {
  return new KafkaBusDriver(options);
}
