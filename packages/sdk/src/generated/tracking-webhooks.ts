// Made from the contract by `npm run docs`; do not edit.
import type { TrackingResult } from './tracking-api.ts';

/** Tracking changed webhook */
export interface TrackingChangedWebhook {
  readonly type: 'tracking.changed';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Increases by one with each event of a forecast, from 1; event types that an endpoint receives only if it names them have a separate sequence */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Empty when there was none */
    readonly previous_admin_status: string;
    /** Of the newest node of the parcel */
    readonly admin_status: string;
    /** true when that is a final status */
    readonly is_terminal: boolean;
    /** The parcel, by the number of its carrier */
    readonly tracking_number: string;
    readonly tracking?: TrackingResult;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}
