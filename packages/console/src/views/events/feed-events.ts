import type { EventFeed } from '@parcelway/contracts/event-feed-api';

export type FeedEvent = EventFeed['events'][number];
/** Events that are kept on the page, the newest ones. */
export const MOST_EVENTS = 5000;

/** Adds a page (oldest first) to the known events (newest first). The feed may repeat an event. */
export function withNewer(page: readonly FeedEvent[], known: readonly FeedEvent[]): FeedEvent[] {
  const ids = new Set(known.map((event) => event.data.event_id));
  const further = page.filter((event) => !ids.has(event.data.event_id));
  return [...further.reverse(), ...known].slice(0, MOST_EVENTS);
}

/** The number of the parcel that an event is about; undefined without one. */
export function poNumberOf(event: FeedEvent): string | undefined {
  const { po_number } = event.data as { po_number?: unknown };
  return typeof po_number === 'string' ? po_number : undefined;
}

const HOUR_MS = 3_600_000;
const LENGTHS: Readonly<Record<string, number>> = { hour: HOUR_MS, day: 24 * HOUR_MS, week: 7 * 24 * HOUR_MS };

/** @param range `hour`, `day`, `week` or `all`; anything else is a day */
export function sinceOf(range: string, now: number): string | undefined {
  if (range === 'all') return undefined;
  return new Date(now - (LENGTHS[range] ?? 24 * HOUR_MS)).toISOString();
}
