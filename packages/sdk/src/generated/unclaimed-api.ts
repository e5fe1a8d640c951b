// Made from the contract by `npm run docs`; do not edit.
import type { FieldError } from './warehouse-api.ts';
import type { Warning } from './warnings.ts';

/** Event outcome */
export interface EventOutcome {
  readonly event_id: string;
  /** What was reported; null of a rejected report that does not say */
  readonly type: 'arrival' | 'weighing' | 'photo' | 'processing' | 'put_away' | 'dispatch' | 'exception' | 'hold' | 'release' | null;
  /** applied: to a forecast; waiting: for one; rejected: the report was refused; dismissed: the warehouse or the operator dismissed it */
  readonly state: 'applied' | 'waiting' | 'rejected' | 'dismissed';
  /** The forecast that it was applied to; null otherwise, and where it is not known any more */
  readonly forecast_no: string | null;
  /** no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast */
  readonly waiting_for: 'no_forecast' | 'ambiguous' | 'takes_no_dispatch' | null;
  /** Numbers of the forecasts of this warehouse that it may be for, when it is ambiguous; at most 50 */
  readonly candidates: readonly string[];
  /** Of a rejected report */
  readonly code: string | null;
  /** Faults of a rejected report; at most 20 */
  readonly errors: readonly FieldError[];
  /** As reported; null of a rejected report that does not say */
  readonly occurred_at: string | null;
  /** When the platform received it */
  readonly received_at: string;
  /** Id of the key that claimed or dismissed it; `admin` for the operator */
  readonly resolved_by: string | null;
  /** When it was claimed or dismissed */
  readonly resolved_at: string | null;
  /** Of a dismissal */
  readonly reason: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Resolution result */
export interface ResolutionResult {
  /** The event that the first call named */
  readonly id: string;
  /** What was done */
  readonly action: 'claim' | 'dismiss';
  /** Of a claim */
  readonly forecast_no: string | null;
  /** Of a dismissal */
  readonly reason: string | null;
  /** Number of events that no longer wait because of it */
  readonly events: number;
  /** When it was done */
  readonly resolved_at: string;
  /** Id of the key that did it; `admin` for the operator */
  readonly resolved_by: string;
}

/** Unclaimed claim */
export interface UnclaimedClaim {
  /** Forecast of this warehouse that the parcel belongs to */
  readonly forecast_no: string;
}

/** Unclaimed dismissal */
export interface UnclaimedDismissal {
  /** Why the parcel is dismissed, as text for people; has a visible character */
  readonly reason: string;
}

/** Waiting event */
export interface WaitingEvent {
  /** The `event_id` that was reported */
  readonly id: string;
  /** What was reported */
  readonly type: 'arrival' | 'weighing' | 'photo' | 'processing' | 'put_away' | 'dispatch' | 'exception' | 'hold' | 'release';
  /** As scanned */
  readonly express_no: string | null;
  /** As reported */
  readonly forecast_no: string | null;
  /** no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast */
  readonly reason: 'no_forecast' | 'ambiguous' | 'takes_no_dispatch';
  /** Numbers of the forecasts of this warehouse that it may be for, when it is ambiguous; at most 50 */
  readonly candidates: readonly string[];
  /** When it happened in the warehouse */
  readonly occurred_at: string;
  /** When the platform received it */
  readonly received_at: string;
}

/** Waiting event list */
export interface WaitingEventList {
  readonly parcels: readonly WaitingEvent[];
  /** null on the last page */
  readonly next_cursor: string | null;
  /** Parameters of the query that are not known and were ignored, at most 20; absent when there are none */
  readonly warnings?: readonly Warning[];
}

/** Waiting event query */
export interface WaitingEventQuery {
  /** no_forecast: none is known at this warehouse; ambiguous: several declare the number; takes_no_dispatch: a dispatch of a type 1 forecast */
  readonly reason?: 'no_forecast' | 'ambiguous' | 'takes_no_dispatch';
  /** Page size, 1 to 100; default 50 */
  readonly limit?: number;
  /** `next_cursor` of the previous page */
  readonly cursor?: string;
}
