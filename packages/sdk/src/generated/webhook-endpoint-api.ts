// Made from the contract by `npm run docs`; do not edit.
import type { AdminStatus } from './tracking-api.ts';
import type { Warning } from './warnings.ts';

/** Endpoint change */
export interface EndpointChange {
  /** Receiver; https and a public address */
  readonly url?: string;
  /** Events that the endpoint receives; default when it is created: parcel.weighed, tracking.changed */
  readonly event_types?: readonly ('parcel.weighed' | 'tracking.changed' | 'forecast.accepted' | 'forecast.corrected' | 'forecast.cancelled' | 'parcel.arrived' | 'parcel.photographed' | 'parcel.put_away' | 'parcel.dispatched' | 'parcel.completed' | 'parcel.exception')[];
  /** For people */
  readonly description?: string;
  /** Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events. */
  readonly filter?: EndpointFilter;
  /** Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Responses show the names, with `***` for each value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For your own use; the platform only keeps it. Names have at most 40 characters */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Maximum number of attempts per second; further attempts wait */
  readonly rate_limit?: number | null;
  /** thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast` */
  readonly payload?: 'thin' | 'full';
  /** paused: events wait and are sent on enabled; disabled: events are held until a replay; enabled starts deliveries again */
  readonly status?: 'enabled' | 'paused' | 'disabled';
}

/** Endpoint changed */
export interface EndpointChanged {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Maximum number of attempts per second; null: as fast as the endpoint responds */
  readonly rate_limit: number | null;
  /** thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast` */
  readonly payload: 'thin' | 'full';
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the platform disables the endpoint, 7 days after the pause began */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** After a rotation: until when the previous secret also signs; null when one secret signs */
  readonly former_secret_end_time: string | null;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Endpoint created */
export interface EndpointCreated {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Maximum number of attempts per second; null: as fast as the endpoint responds */
  readonly rate_limit: number | null;
  /** thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast` */
  readonly payload: 'thin' | 'full';
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the platform disables the endpoint, 7 days after the pause began */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** After a rotation: until when the previous secret also signs; null when one secret signs */
  readonly former_secret_end_time: string | null;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
  /** whsec_…; shown once */
  readonly secret: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Endpoint creation */
export interface EndpointCreation {
  /** Receiver; https and a public address */
  readonly url: string;
  /** Events that the endpoint receives; default when it is created: parcel.weighed, tracking.changed */
  readonly event_types?: readonly ('parcel.weighed' | 'tracking.changed' | 'forecast.accepted' | 'forecast.corrected' | 'forecast.cancelled' | 'parcel.arrived' | 'parcel.photographed' | 'parcel.put_away' | 'parcel.dispatched' | 'parcel.completed' | 'parcel.exception')[];
  /** For people */
  readonly description?: string;
  /** Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events. */
  readonly filter?: EndpointFilter;
  /** Sent with every attempt, such as `Authorization`. Not `webhook-*` nor a name that HTTP or the platform uses. Responses show the names, with `***` for each value. */
  readonly headers?: Readonly<Record<string, string>>;
  /** For your own use; the platform only keeps it. Names have at most 40 characters */
  readonly metadata?: Readonly<Record<string, string>>;
  /** Maximum number of attempts per second; further attempts wait */
  readonly rate_limit?: number | null;
  /** thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast` */
  readonly payload?: 'thin' | 'full';
}

/** Endpoint deletion */
export interface EndpointDeletion {
  readonly endpoint_id: string;
  readonly deleted: true;
}

/** Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events. */
export interface EndpointFilter {
  readonly po_number?: string | readonly string[];
  readonly forecast_no?: string | readonly string[];
  readonly status?: number | readonly number[];
  /** Status sent before; empty when there was none */
  readonly previous_admin_status?: '' | AdminStatus | readonly ('' | AdminStatus)[];
  /** Status that the event reports */
  readonly admin_status?: AdminStatus | readonly AdminStatus[];
  readonly is_terminal?: boolean;
  readonly warehouse_code?: string | readonly string[];
  readonly carrier_code?: string | readonly string[];
  /** What the image shows */
  readonly image_type?: 'product' | 'package' | 'shipping' | 'document' | 'other' | readonly ('product' | 'package' | 'shipping' | 'document' | 'other')[];
  readonly reason?: string | readonly string[];
}

/** Endpoint health */
export interface EndpointHealth {
  /** failing: nothing has succeeded since failing_since. circuit_open: it failed so often that only single attempts are made, to check whether it works again */
  readonly state: 'ok' | 'failing' | 'circuit_open';
  /** When the first attempt failed after which none has succeeded */
  readonly failing_since: string | null;
  /** circuit_open: when the next single attempt is made at the earliest; past when nothing has been due since */
  readonly next_probe_time: string | null;
  /** While the endpoint is slowed down because it asked for less (429, 502, 504, `Retry-After`): nothing is sent to it before */
  readonly slowdown_end_time: string | null;
  /** When it will be disabled if nothing succeeds until then */
  readonly disable_time: string | null;
}

/** Rotation request */
export interface RotationRequest {
  /** true: only the new secret signs from now on, for example because the current one has leaked; a receiver without the new secret rejects all webhooks. Default false: the current secret also signs for 24 hours */
  readonly end_former_secret?: boolean;
}

/** Webhook endpoint */
export interface WebhookEndpoint {
  readonly endpoint_id: string;
  readonly url: string;
  readonly event_types: readonly string[];
  readonly description: string;
  /** Only events whose `data` matches every condition. A condition on a field that an event type does not have is ignored for events of this type. One of the listed values must match; a single value may be sent without a list. `{}` matches all events. */
  readonly filter: EndpointFilter;
  /** Names of the custom headers; values are not shown */
  readonly headers: Readonly<Record<string, '***'>>;
  readonly metadata: Readonly<Record<string, string>>;
  /** Maximum number of attempts per second; null: as fast as the endpoint responds */
  readonly rate_limit: number | null;
  /** thin (the default): what happened to which parcel; full: each attempt adds what the query returns at that moment, as `data.weighing`, `data.tracking` or `data.forecast` */
  readonly payload: 'thin' | 'full';
  /** paused and disabled endpoints keep their events but receive none */
  readonly status: 'enabled' | 'paused' | 'disabled';
  /** Why it is disabled: by the tenant, response 410, 5 days of failure, or a pause of 7 days */
  readonly disabled_reason: 'tenant' | 'gone' | 'failing' | 'pause_expired' | null;
  /** paused: when the platform disables the endpoint, 7 days after the pause began */
  readonly pause_end_time: string | null;
  readonly health: EndpointHealth;
  /** After a rotation: until when the previous secret also signs; null when one secret signs */
  readonly former_secret_end_time: string | null;
  /** When it was created */
  readonly create_time: string;
  /** When it last changed */
  readonly update_time: string;
}

/** Webhook endpoint list */
export interface WebhookEndpointList {
  readonly endpoints: readonly WebhookEndpoint[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** The endpoint after a rotation, with its new secret. */
export type SecretRotated = EndpointCreated;
