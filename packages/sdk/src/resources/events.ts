import { EventFeed, type FollowOptions } from '../event-feed.ts';
import type { EventFeedQuery, EventFeed as EventPage, WebhookEvent } from '../generated/types.ts';
import type { CallOptions } from '../options.ts';
import { Resource } from '../resource.ts';

/** Which events, and whether to wait for more. */
export interface EventListQuery extends Omit<EventFeedQuery, 'event_types'>, Pick<FollowOptions, 'follow' | 'pollMs' | 'maxOutageMs'> {
  /** Only these types; default all. */
  readonly event_types?: readonly WebhookEvent['type'][];
}

/** The events of a tenant, whether or not an endpoint is registered. */
export class Events extends Resource {
  /**
   * The feed, oldest first. `for await (const event of parcelway.events.list({ after, follow: true }))` goes on until
   * `options.signal` ends it; without `follow` it ends with the newest event.
   */
  list(query: EventListQuery = {}, options: CallOptions = {}): EventFeed {
    const { follow, pollMs, maxOutageMs, after, since, event_types, po_number, limit } = query;
    const chosen = {
      ...(event_types === undefined ? {} : { event_types: event_types.join(',') }),
      ...(po_number === undefined ? {} : { po_number }),
    };
    const fetch = (cursor: string | undefined): Promise<EventPage> => {
      // `since` names where to begin, and only that: a cursor takes its place.
      const from = cursor === undefined ? { ...(since === undefined ? {} : { since }) } : { after: cursor };
      return this.caller.call('listEvents', { query: { ...from, ...chosen, ...(limit === undefined ? {} : { limit }) } }, options);
    };
    return new EventFeed(fetch, after, { follow, pollMs, maxOutageMs, signal: options.signal, onRetry: options.onRetry });
  }
}
