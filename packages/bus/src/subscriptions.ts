import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import { type DomainEventType, topicOf } from '@parcelway/contracts/domain-events';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { BatchRunner, type BatchRunnerOptions } from './batch-runner.ts';
import type { Bus, EventBatchHandler, EventHandlers, RawBatchHandler, SubscribeOptions, Subscription } from './bus.ts';
import { type TracedHandling, watchConsumer } from './consumer-telemetry.ts';
import type { BatchHandler, BusDriver, LogRecord, OutgoingRecord } from './driver.ts';

/** What subscriptions are made of. */
export interface SubscriptionsOptions {
  /** The log underneath. */
  readonly driver: BusDriver;
  readonly logger: Logger;
  readonly clock: Clock;
  /** 0 to 1, for the jitter of pauses. */
  readonly random: () => number;
  /** Counts and traces every message that is handled; default nothing. */
  readonly telemetry?: Telemetry | undefined;
}

/** A batch that is handled for so long does not end any more: every handler has deadlines below it. */
const STUCK_MS = 60_000;

/** A batch that is handled. */
interface RunningBatch {
  readonly group: string;
  readonly topic: string | undefined;
  /** An instant of `performance.now()`. */
  readonly begunAt: number;
}

const utf8 = new TextDecoder('utf-8', { fatal: true });

/** The embedded log gives every group the same record, so its event is decoded once. Handlers must not change it. */
const decoded = new WeakMap<LogRecord, DomainEvent>();

/**
 * The event in a record.
 * @throws AppError 40001 or 42201, which send the record to the dead letters
 */
function eventOf(record: LogRecord): DomainEvent {
  const known = decoded.get(record);
  if (known !== undefined) return known;
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
  decoded.set(record, event);
  return event;
}

/** The event with the trace of its handling; without one whose `traceparent` is malformed. */
const withTrace = (event: DomainEvent, traceparent: string | undefined): DomainEvent =>
  traceparent === event.traceparent ? event : { ...event, traceparent };

/** How one subscription reads and handles records. */
interface Consumption<T> extends Pick<BatchRunnerOptions<T>, 'read' | 'together'>, TracedHandling<T> {
  readonly group: string;
  readonly topics: readonly string[];
  readonly options?: SubscribeOptions | undefined;
}

/** How a bus subscribes: decoding, order, retries and dead letters are the same on every log. */
export function createSubscriptions(made: SubscriptionsOptions): Pick<Bus, 'subscribe' | 'subscribeBatch' | 'subscribeRawBatch' | 'check'> {
  const { driver, telemetry } = made;
  const running = new Set<RunningBatch>();
  const consume = async <T>(consumption: Consumption<T>): Promise<Subscription> => {
    const { group, topics, read, together, options } = consumption;
    const watched = watchConsumer({ group, topics, telemetry, lag: (topic) => driver.lag({ group, topic }) });
    const publish = (records: readonly OutgoingRecord[]) => driver.publish(records);
    const runner = new BatchRunner({ ...made, ...watched, group, read, handle: watched.inSpans(consumption), together, publish });
    const handle: BatchHandler = async (records, signal) => {
      const batch = { group, topic: records[0]?.topic, begunAt: performance.now() };
      running.add(batch);
      try {
        return await runner.run(records, signal);
      } finally {
        running.delete(batch);
      }
    };
    const consumer = await driver.consume({ ...options, group, topics, handle });
    return {
      stop: () => {
        watched.end();
        runner.halt();
        return consumer.stop();
      },
    };
  };
  const consumeEvents = (
    { types, ...given }: Pick<Consumption<DomainEvent>, 'group' | 'together' | 'options'> & { types: ReadonlySet<DomainEventType> },
    handle: (events: readonly DomainEvent[]) => Promise<void>,
  ): Promise<Subscription> =>
    consume<DomainEvent>({
      ...given,
      topics: [...new Set([...types].map((type) => topicOf[type]))],
      read: (record) => {
        const event = eventOf(record);
        return types.has(event.type) ? event : undefined;
      },
      traceOf: ({ content }) => content.traceparent,
      handle: (messages) => handle(messages.map(({ content, traceparent }) => withTrace(content, traceparent))),
    });

  return {
    async check() {
      for (const { group, topic, begunAt } of running) {
        const ms = performance.now() - begunAt;
        if (ms < STUCK_MS) continue;
        throw AppError.unavailable(`Group ${group} has been handling the same messages of topic ${topic} for ${Math.floor(ms / 1000)} s`);
      }
    },
    subscribe(group: string, handlers: EventHandlers, options?: SubscribeOptions) {
      const byType = new Map(Object.entries(handlers) as [DomainEventType, (event: DomainEvent) => Promise<void>][]);
      return consumeEvents({ group, types: new Set(byType.keys()), together: false, options }, async (events) => {
        for (const event of events) await byType.get(event.type)?.(event);
      });
    },
    subscribeBatch<T extends DomainEventType>(
      group: string,
      types: readonly T[],
      handle: EventBatchHandler<T>,
      options?: SubscribeOptions,
    ) {
      // `read` lets only events of these types through.
      return consumeEvents(
        { group, types: new Set(types), together: true, options },
        handle as unknown as (events: readonly DomainEvent[]) => Promise<void>,
      );
    },
    subscribeRawBatch: (group: string, topic: string, handle: RawBatchHandler) =>
      consume<LogRecord>({
        group,
        topics: [topic],
        read: (record) => record,
        together: true,
        traceOf: ({ record }) => record.headers['traceparent'],
        handle,
      }),
  };
}
