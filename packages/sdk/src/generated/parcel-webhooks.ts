// Made from the contract by `npm run docs`; do not edit.
import type { ForecastDetail } from './forecast-api.ts';
import type { WeighingData } from './weighing-api.ts';

/** Parcel arrived webhook */
export interface ParcelArrivedWebhook {
  readonly type: 'parcel.arrived';
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
    /** Warehouse that reported it */
    readonly warehouse_code: string;
    /** When it happened in the warehouse */
    readonly occurred_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Parcel completed webhook */
export interface ParcelCompletedWebhook {
  readonly type: 'parcel.completed';
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
    /** What completed the forecast: put_away or tracking_ended */
    readonly reason: string;
    /** When the platform recorded it */
    readonly completed_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Parcel dispatched webhook */
export interface ParcelDispatchedWebhook {
  readonly type: 'parcel.dispatched';
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
    readonly carrier_code: string;
    /** Of the carrier, normalised */
    readonly tracking_number: string;
    /** When the warehouse handed it over */
    readonly dispatched_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Parcel exception webhook */
export interface ParcelExceptionWebhook {
  readonly type: 'parcel.exception';
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
    /** Warehouse that reported it */
    readonly warehouse_code: string;
    /** When it happened in the warehouse */
    readonly occurred_at: string;
    /** What is wrong with the parcel: damaged, wrong_content, missing_items, unreadable_label, prohibited, other. More reasons may be added */
    readonly reason: string;
    /** The warehouse's own words */
    readonly text: string | null;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Parcel photographed webhook */
export interface ParcelPhotographedWebhook {
  readonly type: 'parcel.photographed';
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
    /** Warehouse that reported it */
    readonly warehouse_code: string;
    /** When it happened in the warehouse */
    readonly occurred_at: string;
    /** What the image shows */
    readonly image_type: 'product' | 'package' | 'shipping' | 'document' | 'other';
    readonly image_order: number;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Parcel put away webhook */
export interface ParcelPutAwayWebhook {
  readonly type: 'parcel.put_away';
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
    /** Warehouse that reported it */
    readonly warehouse_code: string;
    /** When it happened in the warehouse */
    readonly occurred_at: string;
    readonly forecast?: ForecastDetail;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}

/** Parcel weighed webhook */
export interface ParcelWeighedWebhook {
  readonly type: 'parcel.weighed';
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
    /** Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
    readonly status: number;
    /** When the warehouse weighed it */
    readonly weighed_at: string;
    readonly weighing?: WeighingData;
    /** Endpoints with `payload: full`: why the full data is missing: too_large, not_found or unavailable; call the query instead. More reasons may be added */
    readonly full_omitted?: string;
  };
}
