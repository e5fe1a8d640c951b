import type { EncodedMessage } from '@parcelway/contracts/encode-event';

/** A message waiting in an outbox. */
export interface OutboxMessage extends EncodedMessage {
  /** Position in the outbox; rises in the order of the writes. */
  readonly id: string;
}

/**
 * Where a service's unpublished messages wait. They are written in the same durable write as the state change (that
 * part belongs to the service's store); the relay takes them from here.
 */
export interface OutboxSource {
  /** The oldest messages, leased to this process; empty when there are none or another holds the lease. */
  lease(limit: number): Promise<readonly OutboxMessage[]>;
  /** Forgets published messages: they are not leased again by this process. */
  remove(ids: readonly string[]): Promise<void>;
  /** Writes down removals that were put off, called some moments after them. For stores whose removals are cheaper together. */
  settle?(): Promise<void>;
  /** Writes down removals that were put off, and gives back what this process holds; called when the relay stops. For stores that do either. */
  flush?(): Promise<void>;
  /** How many wait, and since when (epoch milliseconds; null when none). */
  depth(): Promise<{ readonly count: number; readonly oldestAt: number | null }>;
}

/** Publishes a service's outbox in the background. */
export interface Relay {
  /** Says that messages were written; the relay starts at once. Cheap, call it after each write. */
  notify(): void;
  /** As `notify`, for messages that nobody waits for. In distributed mode, the relay publishes those of some 300 ms together. */
  notifyUnhurried(): void;
}
