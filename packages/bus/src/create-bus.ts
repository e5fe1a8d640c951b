import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { type DomainEventType, topicOf } from '@parcelway/contracts/domain-events';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { deadLetterTopic } from '@parcelway/contracts/topics';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { createBatchRunner } from './batch-runner.ts';
import type { Bus, DeadLetter, EventHandlers, SubscribeOptions, Subscription } from './bus.ts';
import { type WatchedConsumer, watchConsumer } from './consumer-telemetry.ts';
import { describeTruncated, isTruncated, originOf, REDRIVE_GROUP, readDeadLetter, toOriginal } from './dead-letters.ts';
import { discardDeadLetters } from './discard-dead-letters.ts';
import type { BusDriver, LogRecord } from './driver.ts';

/** What a bus is made of. */
export interface BusOptions {
  /** The log underneath; closed with the bus. */
  readonly driver: BusDriver;
  readonly logger: Logger;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of pauses; default Math.random. */
  readonly random?: () => number;
  /** Told of every message that is handled; default nobody. */
  readonly telemetry?: Telemetry;
}

type RecordHandler = (record: LogRecord) => Promise<void>;
type AnyHandler = (event: DomainEvent) => Promise<void>;

/** Dead letters that a sentence for people names one by one. */
const MAX_NAMED = 10;

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * The event in a record.
 * @throws AppError 40001 or 42201, which send the record to the dead letters
 */
function eventOf(record: LogRecord): DomainEvent {
  if (record.value === null) throw new AppError('40001', 'The message is empty');
  let text: string;
  try {
    text = utf8.decode(record.value);
  } catch {
    // The decoder's error says no more than this.
    throw new AppError('40001', 'The message is not well-formed UTF-8');
  }
  const event = decodeEvent(text);
  if (topicOf[event.type] !== record.topic)
    throw new AppError('42201', `Events of type ${event.type} do not belong on topic ${record.topic}`);
  return event;
}

/** The event as it is handed on: with the trace of its handling, or without what is no `traceparent`. */
function withTrace({ traceparent: _given, ...event }: DomainEvent, traceparent: string | undefined): DomainEvent {
  return traceparent === undefined ? event : { ...event, traceparent };
}

/** Hands events to the handler of their type; those without one are finished at once. */
function handleByType(byType: ReadonlyMap<DomainEventType, AnyHandler>, { follow }: WatchedConsumer): RecordHandler {
  return async (record) => {
    const event = eventOf(record);
    const handle = byType.get(event.type);
    if (handle === undefined) return;
    await follow(record, event.traceparent, (traceparent) =>
      handle(traceparent === event.traceparent ? event : withTrace(event, traceparent)),
    );
  };
}

/** Says of dead letters that hold only the beginning of their message why they were not redriven. */
function refusalOf(topic: string, truncated: readonly DeadLetter[], redriven: number, logger: Logger): AppError {
  const named = truncated.slice(0, MAX_NAMED).map(describeTruncated).join('; ');
  const list = truncated.length > MAX_NAMED ? `${named}; and others` : named;
  const sentence =
    `${redriven} dead letters were redriven. ${truncated.length} were passed over, because they were too large and only their beginning was kept: ` +
    `${list}. Ask whoever published them to do so again, in smaller messages; what was kept stays in ${deadLetterTopic(topic)} until its retention ends`;
  logger.error({ topic, redriven, truncated: list }, 'Truncated dead letters were not redriven');
  return new AppError('40902', sentence);
}

/** Portable publish and subscribe over a driver: decoding, order, retries and dead letters are the same on every log. */
export function createBus({ driver, logger, clock, random = Math.random, telemetry }: BusOptions): Bus {
  const consume = async (
    group: string,
    topics: readonly string[],
    handlerOf: (watched: WatchedConsumer) => RecordHandler,
    options: SubscribeOptions = {},
  ): Promise<Subscription> => {
    const watched = watchConsumer({ group, topics, telemetry, lag: (topic) => driver.lag({ group, topic }) });
    const publish: BusDriver['publish'] = (records) => driver.publish(records);
    const runner = createBatchRunner({
      group,
      handle: handlerOf(watched),
      publish,
      logger,
      clock,
      random,
      observe: watched.observe,
    });
    const consumer = await driver.consume({ group, topics, handle: runner.run, settle: options.settle });
    return {
      stop: () => {
        watched.end();
        runner.halt();
        return consumer.stop();
      },
    };
  };

  const deadLetters = async (topic: string, limit: number): Promise<DeadLetter[]> => {
    const records = await driver.peek({ group: REDRIVE_GROUP, topic: deadLetterTopic(topic), limit });
    return records.map((record) => readDeadLetter(record, topic));
  };

  return {
    publish: (messages) => driver.publish(messages),
    subscribe(group: string, handlers: EventHandlers, options?: SubscribeOptions) {
      const byType = new Map(Object.entries(handlers) as [DomainEventType, AnyHandler][]);
      const topics = [...new Set([...byType.keys()].map((type) => topicOf[type]))];
      return consume(group, topics, (watched) => handleByType(byType, watched), options);
    },
    subscribeRaw: (group, topic, handle) =>
      consume(
        group,
        [topic],
        ({ follow }) =>
          (record) =>
            follow(record, record.headers['traceparent'], (traceparent) => handle(record, traceparent)),
      ),
    deadLetters,
    async redrive(topic, limit) {
      const letters = await deadLetters(topic, limit);
      if (letters.length === 0) return 0;
      const whole = letters.filter((letter) => !isTruncated(letter));
      // One message for the letters of all groups that gave it up: every group of the topic gets it again.
      const messages = new Map(whole.map((letter) => [originOf(letter), toOriginal(letter)]));
      // In this order: a crash in between publishes them twice, the other order would lose them.
      await driver.publish([...messages.values()]);
      // The truncated ones too: one that stayed in front would keep all behind it from being redriven.
      await driver.commit({ group: REDRIVE_GROUP, records: letters.map((letter) => letter.record) });
      if (whole.length < letters.length) throw refusalOf(topic, letters.filter(isTruncated), whole.length, logger);
      return letters.length;
    },
    discard: (topic, letters) => discardDeadLetters({ driver, logger }, topic, letters),
    lag: (group, topic) => driver.lag({ group, topic }),
    check: () => driver.check(),
    close: () => driver.close(),
  };
}
