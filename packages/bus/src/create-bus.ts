import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { encodeEvent } from '@parcelway/contracts/encode-event';
import { deadLetterTopic } from '@parcelway/contracts/topics';
import type { Bus } from './bus.ts';
import { REDRIVE_GROUP, readDeadLetter } from './dead-letters.ts';
import { deleteDeadLetters } from './delete-dead-letters.ts';
import type { LogRecord } from './driver.ts';
import { FailedRecords } from './failed-records.ts';
import { redriveDeadLetters } from './redrive-dead-letters.ts';
import { createSubscriptions, type SubscriptionsOptions } from './subscriptions.ts';

/** What a bus is made of; its driver is closed with it. */
export interface BusOptions extends Omit<SubscriptionsOptions, 'random'> {
  /** 0 to 1, for the jitter of pauses; default Math.random. */
  readonly random?: () => number;
}

/** An event as a record of the log. Its id replaces the offset, which is no longer known: so no two records have the same offset. */
function recordOf(event: DomainEvent): LogRecord {
  const { topic, key, value } = encodeEvent(event);
  return { topic, partition: -1, offset: event.id, key, value: Buffer.from(value), headers: {}, timestamp: Date.parse(event.time) };
}

/** Portable publish and subscribe over a driver: decoding, order, retries and dead letters are the same on every log. */
export function createBus({ driver, logger, clock, random = Math.random, telemetry }: BusOptions): Bus {
  return {
    publish: (messages) => driver.publish(messages),
    retract: (topic, keys) => driver.publish(keys.map((key) => ({ topic, key, value: null }))),
    ...createSubscriptions({ driver, logger, clock, random, telemetry }),
    deadLetter(group, event, error) {
      const failed = new FailedRecords({ group, publish: (records) => driver.publish(records), logger, clock, random });
      return failed.store(recordOf(event), error);
    },
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
