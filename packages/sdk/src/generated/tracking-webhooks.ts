// Made from the contract by `npm run docs`; do not edit.
import type { TrackingResult } from './tracking-api.ts';

/** Tracking changed webhook */
export interface TrackingChangedWebhook {
  readonly type: 'tracking.changed';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Rises by one per event of a forecast, from 1; types that only endpoints receive which name them have a sequence of their own */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Empty when there was none */
    readonly previous_admin_status: string;
    readonly admin_status: string;
    readonly is_terminal: boolean;
    readonly tracking?: TrackingResult;
    /** Endpoints with `payload: full`: why the full data is missing, out of too_large, not_found, unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}
