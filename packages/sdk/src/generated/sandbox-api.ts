// Made from the contract by `npm run docs`; do not edit.
import type { AdminStatus } from './tracking-api.ts';
import type { ReceivedQuantity } from './warehouse-api.ts';
import type { Warning } from './warnings.ts';

/** Listen query */
export interface ListenQuery {
  /** `next_cursor` of the previous response; without it, only events from now on */
  readonly after?: string;
  /** Listen as this endpoint: its event types, its filter, its secret */
  readonly endpoint_id?: string;
  /** Only these, separated by commas; default: what the endpoint receives, without one what the feed shows by default */
  readonly event_types?: string;
  /** Seconds to wait for an event, 1 to 25; default 20 */
  readonly wait?: number;
}

/** Listen result */
export interface ListenResult {
  /** Signs the messages; the same for a tenant at every call. null only with `endpoint_id`: the secret of that endpoint signs, which its creation returned */
  readonly secret: string | null;
  /** Oldest first; empty when nothing came */
  readonly messages: readonly {
    readonly event_id: string;
    readonly event_type: string;
    /** Headers of the webhook, signature included */
    readonly headers: Readonly<Record<string, string>>;
    /** Body of the webhook, byte for byte */
    readonly body: string;
  }[];
  readonly next_cursor: string;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Simulation */
export interface Simulation {
  /** Business key of the forecast; case-sensitive and exact; begins and ends with a visible character */
  readonly po_number: string;
  /** What happens to the parcel */
  readonly step: 'arrive' | 'weigh' | 'process' | 'put_away' | 'dispatch' | 'track' | 'exception' | 'hold' | 'release';
  /** weigh: length in cm; default 30 */
  readonly length_cm?: number;
  /** weigh: width in cm; default 20 */
  readonly width_cm?: number;
  /** weigh: height in cm; default 10 */
  readonly height_cm?: number;
  /** weigh: weight in kg; default 1.25 */
  readonly weight_kg?: number;
  /** weigh, exception: number of photos; default 1 */
  readonly photos?: number;
  /** arrive: forecast photos taken on arrival */
  readonly image_types?: readonly ('product' | 'package' | 'shipping' | 'document' | 'other')[];
  /** arrive, process, put_away: the whole count of what was received; default none. A SKU that is left out counts as none; entries of one SKU are added. An empty list is no count */
  readonly received_items?: readonly ReceivedQuantity[];
  /** exception: what is wrong; default damaged */
  readonly exception_reason?: 'damaged' | 'wrong_content' | 'missing_items' | 'unreadable_label' | 'prohibited' | 'other';
  /** exception: in the warehouse's own words */
  readonly exception_text?: string;
  /** hold: in the warehouse's own words */
  readonly hold_reason?: string;
  /** dispatch: carrier; default simulated */
  readonly carrier_code?: string;
  /** dispatch: the carrier's number; default the forecast's first. track: the parcel, by that number; default the one that was dispatched last */
  readonly tracking_number?: string;
  /** track: status of the new node; required */
  readonly admin_status?: AdminStatus;
  /** track: description of the node */
  readonly content?: string;
  /** track: location of the node */
  readonly address?: string;
  /** Local time, yyyy-MM-dd HH:mm:ss */
  readonly create_time?: string;
  /** Time zone of create_time, such as (GMT+08:00) */
  readonly times?: string;
}

/** Simulation result */
export interface SimulationResult {
  readonly po_number: string;
  readonly forecast_no: string;
  readonly step: string;
  /** Ids of the warehouse's events that were sent; the events that webhooks carry have ids of their own */
  readonly event_ids: readonly string[];
  /** A step that has no effect on this forecast, and fields and parameters that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}
