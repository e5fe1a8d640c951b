import type { DomainEvent } from '@parcelway/contracts/cloud-event';
import type { DomainEventType } from '@parcelway/contracts/domain-events';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { AppError } from '@parcelway/kernel/app-error';
import type { LogRecord } from './driver.ts';

/**
 * Handler of one event type. Idempotent; throws AppError to say what becomes of the message (kernel/error-codes). It passes
 * the event's `traceparent` on to whatever it causes.
 */
export type EventHandler<T extends DomainEventType> = (event: DomainEvent<T>) => Promise<void>;

/** An event of one of the types: `type` determines its `data`. */
export type EventOf<T extends DomainEventType> = { readonly [K in T]: DomainEvent<K> }[T];

/**
 * Handler of the events that a poll brought of all partitions, those of a partition in the order of the log: at least one, at most 200, of all
 * types together. When it resolves, all of them are finished. Idempotent, because an event can come again, also with other events.
 *
 * It throws AppError to say what becomes of them. While a dependency is out (`50301` and other codes that a consumer retries
 * without limit), all of them come again after a pause. After any other error each event of a batch comes by itself, in the order
 * of its key, so that only what cannot be processed goes to the dead letters.
 */
export type EventBatchHandler<T extends DomainEventType> = (events: readonly EventOf<T>[]) => Promise<void>;

/** Handlers by event type; other types on the same topics are skipped. */
export type EventHandlers = { readonly [T in DomainEventType]?: EventHandler<T> };

/** A message that is no CloudEvent, and its trace. */
export interface RawMessage {
  readonly record: LogRecord;
  /** Of the message's header `traceparent`, or of the span of its handling; undefined when it has none. */
  readonly traceparent: string | undefined;
}

/** Handler of the messages of a poll; as {@link EventBatchHandler}. */
export type RawBatchHandler = (messages: readonly RawMessage[]) => Promise<void>;

/** A message that could not be handled, in a dead-letter topic. */
export interface DeadLetter {
  readonly record: LogRecord;
  /** Topic that it was taken from. */
  readonly topic: string;
  /** Consumer group that could not process it. */
  readonly group: string;
  /** Error code and sentence. */
  readonly reason: string;
  /** ISO 8601. */
  readonly failedAt: string;
}

/** Where a dead letter is in the dead-letter topic. */
export type DeadLetterPosition = Pick<LogRecord, 'partition' | 'offset'>;

/**
 * Picks those of some dead letters that are not to be published again, because what they are about was deleted.
 * @throws AppError 50301 when that cannot be known now; then none of them is redriven
 */
export type PassOver = (deadLetters: readonly DeadLetter[]) => Promise<ReadonlySet<DeadLetter>>;

/** How events are consumed. */
export interface SubscribeOptions {
  /**
   * Resolves once everything that was handled is durable, for handlers that do not wait for that; default nothing. Called before the group's
   * position is written. Until it has resolved, what was handled comes again when the process ends or the power is lost.
   */
  readonly settle?: () => Promise<void>;
  /**
   * Nobody waits for the group, so its events gather while they come: a handler of batches reads and writes its store a few times a second for all of them.
   * The first event after a rest comes at once, and so does a backlog. Default false.
   */
  readonly isUnhurried?: boolean;
}

/** A running subscription. */
export interface Subscription {
  /** Waits for the handlers that run and commits what they finished. */
  stop(): Promise<void>;
}

/** Publish and subscribe over whichever log runs underneath. */
export interface Bus {
  /** Appends messages; durable when it resolves. @throws AppError 50301 */
  publish(messages: readonly EncodedMessage[]): Promise<void>;
  /** Appends tombstones to a compacted topic: its messages of these keys go with the next compaction. @throws AppError 50301 */
  retract(topic: string, keys: readonly string[]): Promise<void>;
  /**
   * Subscribes a group to the topics of its handlers' event types. Events of one key are handled one after the
   * other; different keys side by side. What fails for now pauses its partition and comes again; what fails for good
   * goes to the dead-letter topic of its topic.
   */
  subscribe(group: string, handlers: EventHandlers, options?: SubscribeOptions): Promise<Subscription>;
  /**
   * Subscribes a group to event types, whose events come in batches: those that a poll brings together. Events of other types are skipped. For consumers that read and write their store once for
   * many events.
   */
  subscribeBatch<T extends DomainEventType>(
    group: string,
    types: readonly T[],
    handle: EventBatchHandler<T>,
    options?: SubscribeOptions,
  ): Promise<Subscription>;
  /** As subscribeBatch, for a topic whose messages are not CloudEvents. */
  subscribeRawBatch(group: string, topic: string, handle: RawBatchHandler): Promise<Subscription>;
  /**
   * Moves an event to the dead letters after its handler has returned, because work that the handler began has failed. The dead letter names the event
   * by its id, because its offset is no longer known.
   * @param group that could not process it
   * @throws AppError 50301 when the log is out; the dead letter may be stored nevertheless
   */
  deadLetter(group: string, event: DomainEvent, error: AppError): Promise<void>;
  /** Dead letters neither redriven nor deleted yet, oldest first. */
  deadLetters(topic: string, limit: number): Promise<DeadLetter[]>;
  /**
   * All dead letters neither redriven nor deleted when it begins, in pages: partition by partition, oldest first. A page has at least one, all of one
   * partition, and takes no more memory than 20 of the largest messages. What is redriven or deleted meanwhile may still come.
   * @throws AppError 50301
   */
  deadLetterPages(topic: string): AsyncIterable<readonly DeadLetter[]>;
  /**
   * Publishes dead letters to the topic they came from, then forgets them. Those that are redriven or deleted before `passOver` has resolved are not
   * published.
   * @param passOver picks those that are forgotten without being published; default none
   * @returns how many were published
   * @throws AppError 40902, after the others were redriven, naming those of which only the beginning was kept (`dlq-truncated`); they are passed over
   */
  redrive(topic: string, limit: number, passOver?: PassOver): Promise<number>;
  /**
   * Deletes dead letters, all that are named or none.
   * @param positions at least one; of each partition the oldest ones, because its position covers all before it
   * @returns them, as they were
   * @throws AppError 40902 when older ones are not named, 40403 when one is not there
   */
  deleteDeadLetters(topic: string, positions: readonly DeadLetterPosition[]): Promise<readonly DeadLetter[]>;
  /** Messages that `group` has not finished in a topic. */
  lag(group: string, topic: string): Promise<number>;
  /** @throws AppError 50301 when a handler has been busy with the same messages for a minute: it does not end any more, and its partition waits */
  check(): Promise<void>;
  close(): Promise<void>;
}
