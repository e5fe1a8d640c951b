import { relayTiming } from '@parcelway/platform/relay-timing';
import { pause } from '../../suite.ts';
import type { KafkaLog, PlainMessage } from '../../suites/kafka-log.ts';

interface Waiting {
  readonly message: PlainMessage;
  readonly resolve: () => void;
  readonly reject: (error: unknown) => void;
}

/** Messages that wait for the request before, at most. */
const MAX_WAITING = 20_000;
/** Messages of a request, at most: what a relay publishes in one go. A full request is followed by the next at once. */
const AT_ONCE = 500;

/**
 * Produces to one topic as the platform's own relay of an outbox does it: one request at a time, and at least the time of {@link relayTiming} between
 * the starts of two. What comes meanwhile goes together with the next.
 */
export class BatchedLog {
  readonly #log: Pick<KafkaLog, 'produce'>;
  readonly #topic: string;
  #waiting: Waiting[] = [];
  #busy = false;

  constructor(log: Pick<KafkaLog, 'produce'>, topic: string) {
    this.#log = log;
    this.#topic = topic;
  }

  /** Resolves once the message is acknowledged. @throws Error when it was not, or too many wait */
  produce(message: PlainMessage): Promise<void> {
    if (this.#waiting.length >= MAX_WAITING) return Promise.reject(new Error(`More than ${MAX_WAITING} messages wait for the log`));
    return new Promise((resolve, reject) => {
      this.#waiting.push({ message, resolve, reject });
      if (!this.#busy) void this.#work();
    });
  }

  async #work(): Promise<void> {
    this.#busy = true;
    while (this.#waiting.length > 0) {
      const begun = performance.now();
      const batch = this.#waiting.splice(0, AT_ONCE);
      try {
        await this.#log.produce(
          this.#topic,
          batch.map(({ message }) => message),
        );
        for (const { resolve } of batch) resolve();
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
      if (batch.length < AT_ONCE) await pause(Math.max(0, begun + relayTiming.gatherMs(batch.length) - performance.now()));
    }
    this.#busy = false;
  }
}
