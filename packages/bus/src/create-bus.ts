import { deadLetterTopic } from '@parcelway/contracts/topics';
import type { Bus } from './bus.ts';
import { REDRIVE_GROUP, readDeadLetter } from './dead-letters.ts';
import { deleteDeadLetters } from './delete-dead-letters.ts';
import { redriveDeadLetters } from './redrive-dead-letters.ts';
import { createSubscriptions, type SubscriptionsOptions } from './subscriptions.ts';

/** What a bus is made of; its driver is closed with it. */
export interface BusOptions extends Omit<SubscriptionsOptions, 'random'> {
  /** 0 to 1, for the jitter of pauses; default Math.random. */
  readonly random?: () => number;
}

/** Portable publish and subscribe over a driver: decoding, order, retries and dead letters are the same on every log. */
export function createBus({ driver, logger, clock, random = Math.random, telemetry }: BusOptions): Bus {
  return {
    publish: (messages) => driver.publish(messages),
    retract: (topic, keys) => driver.publish(keys.map((key) => ({ topic, key, value: null }))),
    ...createSubscriptions({ driver, logger, clock, random, telemetry }),
    async deadLetters(topic, limit) {
      const records = await driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), limit });
      return records.map((record) => readDeadLetter(record, topic));
    },
    async *deadLetterPages(topic) {
      const pages = driver.readOpen({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic) });
      for await (const page of pages) yield page.map((record) => readDeadLetter(record, topic));
    },
    redrive: (topic, limit, passOver) => redriveDeadLetters({ driver, logger }, topic, limit, passOver),
    deleteDeadLetters: (topic, positions) => deleteDeadLetters({ driver, logger }, topic, positions),
    lag: (group, topic) => driver.lag({ group, topic }),
    close: () => driver.close(),
  };
}
