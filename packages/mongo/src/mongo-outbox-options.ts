import type { Clock } from '@parcelway/kernel/clock';

/** Options of an outbox. */
export interface MongoOutboxOptions {
  readonly clock?: Clock;
  /** Time after which what a process held may be taken by another; default 15 s, above the deadline of a publication. */
  readonly leaseMs?: number;
  /**
   * True: the store writes its documents through `holding` and `update` of the outbox, so the collection is searched only now and
   * then, for what other processes left. Default false: it is searched at each lease.
   */
  readonly holdsFromWrite?: boolean;
  /**
   * True: a document gets messages once, so nobody appends to what this process holds, and nothing can wait in a document once its messages are
   * removed. Default false: the collection is searched after each removal.
   */
  readonly hasMessagesOnce?: boolean;
}
