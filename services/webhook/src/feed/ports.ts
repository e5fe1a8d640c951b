import type { SentEventType } from '@parcelway/contracts/webhook-event-types';

export interface FeedEvent {
  readonly eventId: string;
  readonly type: SentEventType;
  /** As sent. */
  readonly body: string;
}

export interface FeedChoice {
  readonly types: readonly SentEventType[] | null;
  readonly poNumber: string | null;
}

/** The events of a tenant in the order in which they were stored, test events left out. */
export interface EventFeed {
  /**
   * A page behind a place. Nothing that is stored later ever has an earlier place, so a reader that goes on from `next`
   * misses nothing; an event may come twice.
   * @param from.after place to go on from, from `next` of the previous page
   * @param from.since instead of a place: what was stored at or after this instant; null for all that is kept
   * @param choice.types only these; null for all
   * @param choice.poNumber only events of this parcel; null for those of every parcel and of none
   * @param limit events looked at
   * @returns `more` when the next page has events already; `next` is never null: at the end of the feed it waits for what comes
   */
  page(
    tenantId: string,
    from: { readonly after: string } | { readonly since: number | null },
    choice: FeedChoice,
    limit: number,
  ): Promise<{ readonly events: readonly FeedEvent[]; readonly next: string; readonly more: boolean }>;
  /** The place behind everything that has been stored. */
  end(tenantId: string): Promise<string>;
}
