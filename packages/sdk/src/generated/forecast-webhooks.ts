// Made from the contract by `npm run docs`; do not edit.
import type { ForecastDetail } from './forecast-api.ts';

/** Forecast accepted webhook */
export interface ForecastAcceptedWebhook {
  readonly type: 'forecast.accepted';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
    readonly status: number;
    /** Of the content of the forecast; begins at 1 and rises with each correction */
    readonly version: number;
    /** Warehouse of the forecast */
    readonly warehouse_code: string;
    /** Acceptance */
    readonly accepted_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Forecast cancelled webhook */
export interface ForecastCancelledWebhook {
  readonly type: 'forecast.cancelled';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
    readonly status: number;
    /** Cancellation */
    readonly cancelled_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Forecast corrected webhook */
export interface ForecastCorrectedWebhook {
  readonly type: 'forecast.corrected';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Increases by one with each event of a forecast, from 1; parcel.weighed and tracking.changed have a sequence of their own */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
    readonly status: number;
    /** Of the content of the forecast; begins at 1 and rises with each correction */
    readonly version: number;
    /** Warehouse of the forecast */
    readonly warehouse_code: string;
    /** JSON paths of the corrected fields, at most 100 */
    readonly changed: readonly string[];
    /** Correction */
    readonly corrected_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}
