import type { Store } from '@parcelway/store/store';
import { misplaced } from '../intake/domain/event-place.ts';
import { streamsOf } from '../intake/domain/event-stream.ts';
import { events } from '../intake/event-collections.ts';
import type { FeedOrder } from '../intake/feed-order.ts';
import type { EventFeed } from './ports.ts';

/** A place: behind an event, microseconds and id. */
const NOTATION = /^(\d{1,16})\.([\x21-\x7e]{0,80})$/;
/** Behind every id. */
const LAST_ID = '~';

/** @param text `<storedAt>.<eventId>` */
function placeOf(text: string): { readonly storedAt: number; readonly eventId: string } {
  const [, storedAt, eventId = ''] = NOTATION.exec(text) ?? [];
  if (storedAt === undefined) throw misplaced('after');
  return { storedAt: Number(storedAt), eventId };
}

/**
 * The event feed, in the order of the places that the writers have taken (feed-order.ts). The place of an event only ever rises. A reader's place is that of
 * an event it has seen: who reads from a primary that has been replaced sees too little, and skips nothing.
 */
export function createEventFeed(store: Store, order: FeedOrder): EventFeed {
  return {
    async page(tenantId, from, { types, poNumber }, limit) {
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
    async end() {
      const last = await order.shownUntil();
      await store.flushed();
      return `${last}.${LAST_ID}`;
    },
  };
}
