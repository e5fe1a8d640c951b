import { deadLetterTopic } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { Bus, DeadLetter } from './bus.ts';
import { describeTruncated, isTruncated, originOf, REDRIVE_GROUP, readDeadLetter, toOriginal } from './dead-letters.ts';
import { deleteDeadLetters } from './delete-dead-letters.ts';
import { createSubscriptions, type SubscriptionsOptions } from './subscriptions.ts';

/** What a bus is made of; its driver is closed with it. */
export interface BusOptions extends Omit<SubscriptionsOptions, 'random'> {
  /** 0 to 1, for the jitter of pauses; default Math.random. */
  readonly random?: () => number;
}

/** Dead letters that a sentence for people names one by one. */
const MAX_NAMED = 10;

/** Says of dead letters that hold only the beginning of their message why they were not redriven. */
function refusalOf(topic: string, truncated: readonly DeadLetter[], redriven: number, logger: Logger): AppError {
  const named = truncated.slice(0, MAX_NAMED).map(describeTruncated).join('; ');
  const list = truncated.length > MAX_NAMED ? `${named}; and others` : named;
  const sentence =
    `${redriven} dead letters were redriven. ${truncated.length} were passed over, because they were too large and only their beginning was kept: ` +
    `${list}. Ask the publisher to publish them again, in smaller messages; what was kept stays in ${deadLetterTopic(topic)} until its retention ends`;
  logger.error({ topic, redriven, truncated: list }, 'Truncated dead letters were not redriven');
  return new AppError('40902', sentence);
}

/** Portable publish and subscribe over a driver: decoding, order, retries and dead letters are the same on every log. */
export function createBus({ driver, logger, clock, random = Math.random, telemetry }: BusOptions): Bus {
  const deadLetters = async (topic: string, limit: number): Promise<DeadLetter[]> => {
    const records = await driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), limit });
    return records.map((record) => readDeadLetter(record, topic));
  };

  return {
    publish: (messages) => driver.publish(messages),
    retract: (topic, keys) => driver.publish(keys.map((key) => ({ topic, key, value: null }))),
    ...createSubscriptions({ driver, logger, clock, random, telemetry }),
    deadLetters,
    async *deadLetterPages(topic) {
      const pages = driver.readOpen({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic) });
      for await (const page of pages) yield page.map((record) => readDeadLetter(record, topic));
    },
    async redrive(topic, limit) {
      const found = await deadLetters(topic, limit);
      if (found.length === 0) return 0;
      const whole = found.filter((deadLetter) => !isTruncated(deadLetter));
      // One message for the dead letters of all groups: every group of the topic gets it again.
      const messages = new Map(whole.map((deadLetter) => [originOf(deadLetter), toOriginal(deadLetter)]));
      // In this order: a crash in between publishes them twice, the other order would lose them.
      await driver.publish([...messages.values()]);
      // The truncated ones too: one that stayed in front would keep all behind it from being redriven.
      await driver.commit({ group: REDRIVE_GROUP, records: found.map(({ record }) => record) });
      if (whole.length < found.length) throw refusalOf(topic, found.filter(isTruncated), whole.length, logger);
      return found.length;
    },
    deleteDeadLetters: (topic, positions) => deleteDeadLetters({ driver, logger }, topic, positions),
    lag: (group, topic) => driver.lag({ group, topic }),
    check: () => driver.check(),
    close: () => driver.close(),
  };
}
