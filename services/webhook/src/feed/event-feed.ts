import type { SentEventType } from '@parcelway/contracts/webhook-event-types';
import type { Store } from '@parcelway/store/store';
import { streamsOf } from '../intake/domain/event-stream.ts';
import { events } from '../intake/event-collections.ts';
import type { FeedOrder } from '../intake/feed-order.ts';

/** Behind every id. */
const LAST_ID = '~';

/** A place behind an event, microseconds and id. @param text `<storedAt>.<eventId>` */
function placeOf(text: string): { readonly storedAt: number; readonly eventId: string } {
  const [storedAt, eventId = ''] = text.split('.');
  return { storedAt: Number(storedAt), eventId };
}

export interface FeedEvent {
  readonly eventId: string;
  readonly type: SentEventType;
  /** As sent. */
  readonly body: string;
}

export interface FeedChoice {
  /** Only these; null for all. */
  readonly types: readonly SentEventType[] | null;
  /** Only events of this parcel; null for those of every parcel and of none. */
  readonly poNumber: string | null;
}

export type EventFeed = ReturnType<typeof createEventFeed>;

/**
 * The events of a tenant, test events left out, in the order of the places that the writers have taken (feed-order.ts). The place of an event only ever
 * rises. A reader's place is that of an event it has seen: who reads from a primary that has been replaced sees too little, and skips nothing.
 */
export function createEventFeed(store: Store, order: FeedOrder) {
  return {
    /**
     * A page behind a place. Nothing that is stored later ever has an earlier place, so a reader that goes on from `next` misses nothing; an event may come twice.
     * @param from a place to go on from, from `next` of the previous page; or what was stored at or after an instant, null for all that is kept
     * @param limit events looked at
     * @returns `more` when the next page has events already; `next` is never null: at the end of the feed it waits for what comes
     */
    async page(
      tenantId: string,
      from: { readonly after: string } | { readonly since: number | null },
      { types, poNumber }: FeedChoice,
      limit: number,
    ): Promise<{ readonly events: readonly FeedEvent[]; readonly next: string; readonly more: boolean }> {
      const streams = streamsOf(types);
      const by = poNumber === null ? events.by.feed : events.by.parcel;
      const eq = poNumber === null ? [tenantId, streams] : [tenantId, poNumber, streams];
      const place = 'after' in from ? placeOf(from.after) : { storedAt: (from.since ?? 0) * 1000, eventId: '' };
      const after = store.placeIn(by, eq.length, { value: place });
      const { items, next } = await store.find(by, { eq, after, to: (await order.shownUntil()) + 1, limit });
      // No place that somebody was given is used again.
      await store.flushed();
      const last = items.at(-1)?.value ?? place;
      const shown = items.map(({ value }) => value).filter(({ type }) => types === null || types.includes(type));
      return {
        events: shown.map(({ eventId, type, body }) => ({ eventId, type, body })),
        next: `${last.storedAt}.${last.eventId}`,
        more: next !== null,
      };
    },
    /** The place behind everything that has been stored. */
    async end(): Promise<string> {
      const last = await order.shownUntil();
      await store.flushed();
      return `${last}.${LAST_ID}`;
    },
  };
}
