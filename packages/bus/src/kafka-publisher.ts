import { setTimeout as sleep } from 'node:timers/promises';
import { AppError } from '@parcelway/kernel/app-error';
import { backOffMs } from '@parcelway/kernel/back-off';
import type { Logger } from '@parcelway/kernel/logger';
import { Partitioners, type Producer } from 'kafkajs';
import type { OutgoingRecord } from './driver.ts';
import { KafkaClient } from './kafka-client.ts';
import { type KafkaConnection, kafkaTopic } from './kafka-connection.ts';
import { causeOf, isRefusal, isUnknownTopic, protocolErrorOf, unavailable, within } from './kafka-errors.ts';
import { sizeOf, toTopicMessages } from './kafka-records.ts';

/** Bytes of one request, and so of the records of one partition in it, which the brokers limit together. A larger record goes alone. */
const MAX_REQUEST_BYTES = 1_000_000;
/** Bytes that wait for their turn. */
const MAX_QUEUED_BYTES = 64_000_000;
const BACK_OFF = { firstMs: 50, maxMs: 500 };

/** A call of publish. */
interface Call {
  readonly records: readonly OutgoingRecord[];
  readonly bytes: number;
  /** Instant of `performance.now()`. */
  readonly deadline: number;
  readonly resolve: () => void;
  readonly reject: (error: AppError) => void;
}

/** A kafkajs producer on connections of its own. */
interface Line {
  readonly client: KafkaClient;
  readonly producer: Producer;
  readonly connected: Promise<void>;
}

/**
 * Appends records, acknowledged by all replicas in sync. One request is under way at a time, and what is published
 * meanwhile goes together with the next, so a retry cannot overtake records of its key or be overtaken by them.
 *
 * The idempotent producer of kafkajs is not used. It takes the sequence numbers of a failed request back and gives them
 * to the next one; if the failed one had been appended after all, the brokers take the next for its repetition, confirm
 * it and drop it. A record that is there twice can be recognized by its id, one that is lost cannot.
 *
 * kafkajs makes one attempt; the retries are here, because here they end in time: a client that is abandoned, at the
 * deadline or for a broken connection, is killed, so that nothing is sent by it behind the next request.
 */
export class KafkaPublisher {
  readonly #connection: KafkaConnection;
  readonly #timeoutMs: number;
  readonly #logger: Logger;
  readonly #queue: Call[] = [];
  #queuedBytes = 0;
  #working = false;
  #idle: Promise<void> = Promise.resolve();
  #line: Line | undefined;

  /** @param timeoutMs from the call to its response, all retries included */
  constructor(connection: KafkaConnection, timeoutMs: number, logger: Logger) {
    this.#connection = connection;
    this.#timeoutMs = timeoutMs;
    this.#logger = logger;
  }

  /** Connects in the background, so that the first publish need not. */
  warmUp(): void {
    const line = this.#openLine();
    line.connected.catch(() => {
      // The next publish says so if it still is like that.
      this.#drop(line);
    });
  }

  /** @throws AppError 50301 when the records are not acknowledged in time, 41301 when one is too large for its topic */
  publish(records: readonly OutgoingRecord[]): Promise<void> {
    const bytes = records.reduce((sum, record) => sum + sizeOf(record), 0);
    if (this.#queue.length > 0 && this.#queuedBytes + bytes > MAX_QUEUED_BYTES)
      return Promise.reject(AppError.unavailable('Too many messages wait to be published'));
    return new Promise((resolve, reject) => {
      this.#queue.push({ records, bytes, deadline: performance.now() + this.#timeoutMs, resolve, reject });
      this.#queuedBytes += bytes;
      if (!this.#working) this.#idle = this.#work();
    });
  }

  /** Ends the calls under way, each at its deadline at the latest, then the connections. */
  async close(): Promise<void> {
    await this.#idle;
    const line = this.#line;
    this.#line = undefined;
    if (!line) return;
    // The calls get a response; a failure to say goodbye changes nothing.
    await within(1000, 'Closing the producer', line.producer.disconnect()).catch(() => undefined);
    line.client.kill();
  }

  async #work(): Promise<void> {
    this.#working = true;
    // Lets the calls of one burst share a request.
    await Promise.resolve();
    for (let calls = this.#take(); calls.length > 0; calls = this.#take()) await this.#respond(calls);
    this.#working = false;
  }

  /** The calls that have waited longest, as many as fit into one request. */
  #take(): readonly Call[] {
    let count = 0;
    let bytes = 0;
    for (const call of this.#queue) {
      if (count > 0 && bytes + call.bytes > MAX_REQUEST_BYTES) break;
      count += 1;
      bytes += call.bytes;
    }
    this.#queuedBytes -= bytes;
    return this.#queue.splice(0, count);
  }

  async #respond(calls: readonly Call[]): Promise<void> {
    const records = calls.flatMap((call) => call.records);
    try {
      // The first has waited longest.
      await this.#append(records, calls[0]?.deadline ?? 0);
    } catch (error) {
      if (calls.length > 1 && isRefusal(error)) {
        // One call must not fail for what is wrong with another's records.
        for (const call of calls) await this.#respond([call]);
        return;
      }
      const reason = failureOf(this.#connection, error, records);
      for (const call of calls) call.reject(reason);
      return;
    }
    for (const call of calls) call.resolve();
  }

  async #append(records: readonly OutgoingRecord[], deadline: number): Promise<void> {
    for (let from = 0; from < records.length; ) {
      let to = from + 1;
      let bytes = sizeOf(records[from] as OutgoingRecord);
      for (; to < records.length; to += 1) {
        bytes += sizeOf(records[to] as OutgoingRecord);
        if (bytes > MAX_REQUEST_BYTES) break;
      }
      await this.#request(records.slice(from, to), deadline);
      from = to;
    }
  }

  async #request(records: readonly OutgoingRecord[], deadline: number): Promise<void> {
    let failure: unknown;
    for (let failures = 1; ; failures += 1) {
      const left = deadline - performance.now();
      if (left <= 0) throw failure ?? new Error('The deadline passed before these records were sent');
      const line = this.#line ?? this.#openLine();
      try {
        await within(left, 'Publishing', this.#send(line, records, left), () => this.#drop(line));
        return;
      } catch (error) {
        // What ends the last try is mostly the deadline, which says less.
        failure ??= error;
        // A topic that is gone would also fail the others that this client has published to.
        if (isUnknownTopic(error)) this.#drop(line);
        if (isRefusal(error)) throw error;
        // A broker has responded, or else the connection is not to be trusted any more.
        if (protocolErrorOf(error) === undefined) this.#drop(line);
        this.#logger.debug({ err: causeOf(error), records: records.length }, 'Publishing failed; it is retried until its deadline');
      }
      await sleep(Math.max(0, Math.min(backOffMs(BACK_OFF, failures, Math.random()), deadline - performance.now())));
    }
  }

  async #send({ producer, connected }: Line, records: readonly OutgoingRecord[], timeoutMs: number): Promise<void> {
    await connected;
    await producer.sendBatch({ acks: -1, timeout: Math.ceil(timeoutMs), topicMessages: toTopicMessages(this.#connection, records) });
  }

  #openLine(): Line {
    // Two attempts fit into the deadline when a broker does not respond.
    const client = new KafkaClient(this.#connection, this.#timeoutMs * 0.5, this.#logger);
    const producer = client.kafka.producer({
      createPartitioner: Partitioners.DefaultPartitioner,
      allowAutoTopicCreation: false,
      retry: { retries: 0 },
    });
    const connected = producer.connect();
    // Whoever publishes hears of it.
    connected.catch(() => undefined);
    this.#line = { client, producer, connected };
    return this.#line;
  }

  #drop(line: Line): void {
    line.client.kill();
    if (this.#line === line) this.#line = undefined;
  }
}

function failureOf(connection: KafkaConnection, error: unknown, records: readonly OutgoingRecord[]): AppError {
  const type = protocolErrorOf(error);
  if (type === 'MESSAGE_TOO_LARGE' || type === 'RECORD_LIST_TOO_LARGE')
    return new AppError('41301', 'The message is too large for its topic', { cause: causeOf(error) });
  const topics = records.map(({ topic }) => kafkaTopic(connection, topic));
  return unavailable(error, topics);
}
