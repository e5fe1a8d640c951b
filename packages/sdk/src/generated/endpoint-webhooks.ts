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
  /** When the test was requested */
  readonly timestamp: string;
  readonly data: {
    readonly event_id: string;
    /** Environment */
    readonly environment: 'sandbox' | 'production';
    readonly endpoint_id: string;
  };
}
