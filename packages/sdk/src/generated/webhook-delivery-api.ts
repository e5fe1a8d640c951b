// Made from the contract by `npm run docs`; do not edit.
import type { Warning } from './warnings.ts';

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
  /** When it is tried next, at the earliest; null unless pending, and while the endpoint is paused */
  readonly next_attempt_time: string | null;
  /** Why then: see the list in the documentation of webhooks; null unless pending */
  readonly next_attempt_reason: 'first' | 'schedule' | 'retry_after' | 'paused' | 'circuit_open' | 'queued' | null;
  /** A test event: sent once; it does not affect the health of the endpoint */
  readonly test: boolean;
  /** HTTP status of the last response */
  readonly last_status_code: number | null;
  /** When the event was accepted for delivery */
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
  /** succeeded: a response of 200 to 299 in time */
  readonly outcome: 'succeeded' | 'failed';
  /** HTTP status; null when there was no response */
  readonly status_code: number | null;
  /** Why there was no good response, as a sentence */
  readonly error: string | null;
  /** Why there was no good response, for programs: status, timeout, address_not_allowed, name_not_resolved, connect_timeout, connection_refused, connection_reset, connection_closed, unreachable, tls, headers_too_large, failed; null when there was one. Treat an unknown code as `failed` */
  readonly error_code: string | null;
  /** The header Retry-After of the response */
  readonly retry_after: string | null;
  /** First 1,024 bytes of the response */
  readonly response_body: string | null;
}

/** Delivery attempt list */
export interface DeliveryAttemptList {
  readonly attempts: readonly DeliveryAttempt[];
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
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
  /** When it is tried next, at the earliest; null unless pending, and while the endpoint is paused */
  readonly next_attempt_time: string | null;
  /** Why then: see the list in the documentation of webhooks; null unless pending */
  readonly next_attempt_reason: 'first' | 'schedule' | 'retry_after' | 'paused' | 'circuit_open' | 'queued' | null;
  /** A test event: sent once; it does not affect the health of the endpoint */
  readonly test: boolean;
  /** HTTP status of the last response */
  readonly last_status_code: number | null;
  /** When the event was accepted for delivery */
  readonly create_time: string;
  /** The body of every attempt, byte for byte; what the signature covers. An endpoint with `payload: full` is sent this with the full data added */
  readonly body: string;
}

/** Delivery list */
export interface DeliveryList {
  readonly deliveries: readonly Delivery[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Delivery list query */
export interface DeliveryListQuery {
  /** Only this status */
  readonly status?: 'pending' | 'succeeded' | 'failed' | 'held';
  /** Only the delivery of this event: `data.event_id`, which is `webhook-id` too. `limit` and `cursor` have no effect beside it */
  readonly event_id?: string;
  /** Page size, 1 to 100; default 20 */
  readonly limit?: number;
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
}

/** Replay request */
export interface ReplayRequest {
  /** Events at or after this instant */
  readonly since: string;
  /** Events before this instant; default now */
  readonly until?: string;
  /** undelivered (the default): all that has not succeeded; failed: what has used up its schedule; all: what has succeeded, too */
  readonly only?: 'undelivered' | 'failed' | 'all';
  /** `next_cursor` of the previous call; continues the replay. Send the other fields of that call again */
  readonly cursor?: string;
}

/** Replay result */
export interface ReplayResult {
  /** Deliveries that this call has made due; at most 10,000 */
  readonly scheduled: number;
  /** Where the rest of the range begins; null when the whole range was processed */
  readonly next_cursor: string | null;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Test delivery */
export interface TestDelivery {
  readonly delivery_id: string;
  readonly endpoint_id: string;
  /** Equals webhook-id of every attempt */
  readonly event_id: string;
  readonly event_type: string;
  readonly po_number: string | null;
  /** held: the endpoint was disabled; replay or resend sends it */
  readonly status: 'pending' | 'succeeded' | 'failed' | 'held';
  readonly attempt_count: number;
  /** When it is tried next, at the earliest; null unless pending, and while the endpoint is paused */
  readonly next_attempt_time: string | null;
  /** Why then: see the list in the documentation of webhooks; null unless pending */
  readonly next_attempt_reason: 'first' | 'schedule' | 'retry_after' | 'paused' | 'circuit_open' | 'queued' | null;
  /** A test event: sent once; it does not affect the health of the endpoint */
  readonly test: boolean;
  /** HTTP status of the last response */
  readonly last_status_code: number | null;
  /** When the event was accepted for delivery */
  readonly create_time: string;
  /** Fields of the body and parameters of the query that are not known and were ignored, at most 20 of each */
  readonly warnings: readonly Warning[];
}

/** Test request */
export interface TestRequest {
  /** Type of the event; default endpoint.test. Any other has made-up data, marked with `test: true` */
  readonly event_type?: 'endpoint.test' | 'parcel.weighed' | 'tracking.changed' | 'forecast.accepted' | 'forecast.corrected' | 'forecast.cancelled' | 'parcel.arrived' | 'parcel.photographed' | 'parcel.put_away' | 'parcel.dispatched' | 'parcel.completed' | 'parcel.exception';
}
