// Made from the contract by `npm run docs`; do not edit.
/** Endpoint disabled webhook */
export interface EndpointDisabledWebhook {
  readonly type: 'endpoint.disabled';
  /** When the endpoint was disabled */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    /** The endpoint that was disabled */
    readonly endpoint_id: string;
    readonly url: string;
    /** Why */
    readonly reason: 'tenant' | 'gone' | 'failing' | 'pause_expired';
  };
}

/** Endpoint test webhook */
export interface EndpointTestWebhook {
  readonly type: 'endpoint.test';
  /** When the test was asked for */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly endpoint_id: string;
  };
}

/** Parcel weighed webhook */
export interface ParcelWeighedWebhook {
  readonly type: 'parcel.weighed';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Rises by one per event of a forecast, from 1 */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Status of the forecast: 1 ACCEPTED, 2 ARRIVED, 3 WEIGHED, 4 PROCESSING, 5 SHIPPED, 6 COMPLETED, 7 CANCELLED */
    readonly status: number;
    /** When the warehouse weighed it */
    readonly weighed_at: string;
  };
}

/** Tracking changed webhook */
export interface TrackingChangedWebhook {
  readonly type: 'tracking.changed';
  /** When the event happened */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Rises by one per event of a forecast, from 1 */
    readonly event_seq: number;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly forecast_no: string;
    readonly po_number: string;
    /** Empty when there was none */
    readonly previous_admin_status: string;
    readonly admin_status: string;
    readonly is_terminal: boolean;
  };
}

/** An event as a webhook and the feed carry it; `type` tells which. */
export type WebhookEvent = EndpointDisabledWebhook | EndpointTestWebhook | ParcelWeighedWebhook | TrackingChangedWebhook;
