// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';
import type { WebhookEvent } from './webhook-event.ts';

/** Event feed */
export interface EventFeed {
  readonly events: readonly WebhookEvent[];
  /** Never null: use it in the next request to read later events */
  readonly next_cursor: string;
  /** True when the next page has events already */
  readonly has_more: boolean;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Event feed query */
export interface EventFeedQuery {
  /** `next_cursor` of the previous page */
  readonly after?: string;
  /** Instead of `after`: events received at or after this instant; default: the oldest event that is kept */
  readonly since?: string;
  /** Only these, separated by commas, out of parcel.weighed, tracking.changed, forecast.accepted, forecast.corrected, forecast.cancelled, parcel.arrived, parcel.photographed, parcel.put_away, parcel.dispatched, parcel.completed, parcel.exception, endpoint.disabled; default: parcel.weighed, tracking.changed and endpoint.disabled */
  readonly event_types?: string;
  /** Only events of this parcel; those that belong to no parcel are left out */
  readonly po_number?: string;
  /** Page size, 1 to 100; default 100 */
  readonly limit?: number;
}
