// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './forecast-api.ts';
import type { AdminStatus } from './tracking-api.ts';

/** Delivery */
export interface Delivery {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  /** Equals webhook-id of every attempt */
  readonly event_id: string;
  readonly event_type: string;
  readonly po_number: string | null;
  /** held: the endpoint was disabled; replay or resend sends it */
  readonly status: 'pending' | 'succeeded' | 'failed' | 'held';
  readonly attempt_count: number;
  /** When it is tried next, at the earliest */
  readonly next_attempt_time: string | null;
  /** Why then: see the list in the documentation of webhooks; null unless pending */
  readonly next_attempt_reason: 'first' | 'schedule' | 'retry_after' | 'paused' | 'circuit_open' | 'queued' | null;
  /** A test event: tried once, no part of the health of the endpoint */
  readonly test: boolean;
  /** HTTP status of the last answer */
  readonly last_status_code: number | null;
  /** When the event was taken for delivery */
  readonly create_time: string;
}

/** Delivery attempt */
export interface DeliveryAttempt {
  readonly attempt_id: string;
  /** From 1 */
  readonly attempt_number: number;
  /** Where it was sent */
  readonly url: string;
  /** When it started */
  readonly start_time: string;
  readonly duration_ms: number;
  /** succeeded: an answer of 200 to 299 in time */
  readonly outcome: 'succeeded' | 'failed';
  /** HTTP status; null when there was no answer */
  readonly status_code: number | null;
  /** Why there was no good answer */
  readonly error: string | null;
  /** The header Retry-After of the answer */
  readonly retry_after: string | null;
  /** First 1,024 bytes of the answer */
  readonly response_body: string | null;
}

/** Delivery attempt list */
export interface DeliveryAttemptList {
  readonly attempts: readonly DeliveryAttempt[];
}

/** Delivery detail */
export interface DeliveryDetail {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  /** Equals webhook-id of every attempt */
  readonly event_id: string;
  readonly event_type: string;
  readonly po_number: string | null;
  /** held: the endpoint was disabled; replay or resend sends it */
  readonly status: 'pending' | 'succeeded' | 'failed' | 'held';
  readonly attempt_count: number;
  /** When it is tried next, at the earliest */
  readonly next_attempt_time: string | null;
  /** Why then: see the list in the documentation of webhooks; null unless pending */
  readonly next_attempt_reason: 'first' | 'schedule' | 'retry_after' | 'paused' | 'circuit_open' | 'queued' | null;
  /** A test event: tried once, no part of the health of the endpoint */
  readonly test: boolean;
  /** HTTP status of the last answer */
  readonly last_status_code: number | null;
  /** When the event was taken for delivery */
  readonly create_time: string;
  /** The body of every attempt, byte for byte; what the signature covers */
  readonly body: string;
}

/** Delivery list */
export interface DeliveryList {
  readonly deliveries: readonly Delivery[];
  /** null on the last page */
  readonly next_cursor: string | null;
}

/** Delivery list query */
export interface DeliveryListQuery {
  /** Only this status */
  readonly status?: 'pending' | 'succeeded' | 'failed' | 'held';
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the page before */
  readonly cursor?: string;
}

/** Endpoint change */
export interface EndpointChange {
  /** Receiver; https and a public address */
  readonly url?: string;
  /** Events that the endpoint receives */
  readonly event_types?: readonly ('parcel.weighed' | 'tracking.changed')[];
  /** For people */
  readonly description?: string;
  /** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
  readonly filter?: EndpointFilter;
  /** Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Answers show the names, with `***` for each value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For your own use; the platform only keeps it. Names have at most 40 characters */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Attempts a second, at most; what is over it waits */
  readonly rate_limit?: number | null;
  /** paused: events wait and are sent on enabled; disabled: events are held until a replay; enabled starts deliveries again */
  readonly status?: 'enabled' | 'paused' | 'disabled';
}

/** Endpoint changed */
export interface EndpointChanged {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Attempts a second, at most; null: as fast as it answers */
  readonly rate_limit: number | null;
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, answer 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the pause becomes a disabling, 7 days after its beginning */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  /** Fields of the body that are not known and were ignored, at most 20 */
  readonly warnings: readonly Warning[];
}

/** Endpoint created */
export interface EndpointCreated {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Attempts a second, at most; null: as fast as it answers */
  readonly rate_limit: number | null;
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, answer 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the pause becomes a disabling, 7 days after its beginning */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  /** whsec_…; shown once */
  readonly secret: string;
  /** Fields of the body that are not known and were ignored, at most 20 */
  readonly warnings: readonly Warning[];
}

/** Endpoint creation */
export interface EndpointCreation {
  /** Receiver; https and a public address */
  readonly url: string;
  /** Events that the endpoint receives */
  readonly event_types?: readonly ('parcel.weighed' | 'tracking.changed')[];
  /** For people */
  readonly description?: string;
  /** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
  readonly filter?: EndpointFilter;
  /** Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Answers show the names, with `***` for each value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For your own use; the platform only keeps it. Names have at most 40 characters */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Attempts a second, at most; what is over it waits */
  readonly rate_limit?: number | null;
}

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

/** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
export interface EndpointFilter {
  readonly po_number?: string | readonly string[];
  readonly forecast_no?: string | readonly string[];
  readonly status?: number | readonly number[];
  /** Status told before; empty when there was none */
  readonly previous_admin_status?: '' | AdminStatus | readonly ('' | AdminStatus)[];
  /** Status told */
  readonly admin_status?: AdminStatus | readonly AdminStatus[];
  readonly is_terminal?: boolean;
}

/** Endpoint health */
export interface EndpointHealth {
  /** failing: nothing has succeeded since failing_since. circuit_open: it failed so often that only single attempts are made, to see whether it is back */
  readonly state: 'ok' | 'failing' | 'circuit_open';
  /** When the first attempt failed after which none has succeeded */
  readonly failing_since: string | null;
  /** circuit_open: when the next single attempt is made */
  readonly next_probe_time: string | null;
  /** When it will be disabled if nothing succeeds until then */
  readonly disable_time: string | null;
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

/** Event feed */
export interface EventFeed {
  readonly events: readonly WebhookEvent[];
  /** Never null: ask with it again for what comes later */
  readonly next_cursor: string;
  /** True when the next page has events already */
  readonly has_more: boolean;
}

/** Event feed query */
export interface EventFeedQuery {
  /** `next_cursor` of the page before */
  readonly after?: string;
  /** Instead of `after`: events taken in at or after this instant; default: the oldest that is kept */
  readonly since?: string;
  /** Only these, separated by commas: parcel.weighed, tracking.changed, endpoint.disabled */
  readonly event_types?: string;
  /** Page size, 1 to 100; default 100 */
  readonly limit?: number;
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

/** Replay request */
export interface ReplayRequest {
  /** Events at or after this instant */
  readonly since: string;
  /** Events before this instant; default now */
  readonly until?: string;
  /** undelivered (the default): all that has not succeeded; failed: what has used up its schedule; all: what has succeeded, too */
  readonly only?: 'undelivered' | 'failed' | 'all';
}

/** Replay result */
export interface ReplayResult {
  /** Deliveries that will be sent now */
  readonly scheduled: number;
}

/** Test request */
export interface TestRequest {
  /** Type of the event; default endpoint.test. Any other has made-up data, marked with `test: true` */
  readonly event_type?: 'endpoint.test' | 'parcel.weighed' | 'tracking.changed';
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

/** Webhook endpoint */
export interface WebhookEndpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Attempts a second, at most; null: as fast as it answers */
  readonly rate_limit: number | null;
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, answer 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the pause becomes a disabling, 7 days after its beginning */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
}

/** Webhook endpoint list */
export interface WebhookEndpointList {
  readonly endpoints: readonly WebhookEndpoint[];
}

/** Webhook endpoint with secret */
export interface WebhookEndpointWithSecret {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` fits every condition. A condition on a field that an event of some type does not have leaves events of that type alone. `{}` lets everything through. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Attempts a second, at most; null: as fast as it answers */
  readonly rate_limit: number | null;
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, answer 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the pause becomes a disabling, 7 days after its beginning */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  /** whsec_…; shown once */
  readonly secret: string;
}

/** An event as a webhook and the feed carry it; `type` tells which. */
export type WebhookEvent = EndpointDisabledWebhook | EndpointTestWebhook | ParcelWeighedWebhook | TrackingChangedWebhook;
