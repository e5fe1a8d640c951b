import { type KeptNode, type KnownForecast, type ParcelKey, parcelKey, type Registration, type Shipment } from './shipment.ts';

/** A dispatch that the warehouse has reported. */
export interface Dispatch extends KnownForecast {
  /** True when its forecast had been cancelled before. */
  readonly isCancelled: boolean;
  readonly carrierCode: string;
  readonly trackingNumber: string;
  /** Orders the dispatches of a forecast: of two, the one whose text is greater is the later one. */
  readonly sequence: string;
  /** When the watch begins, and the first poll is due; epoch milliseconds. */
  readonly at: number;
  /** When the warehouse dispatched the parcel, epoch milliseconds; default `at`. */
  readonly dispatchedAt?: number | undefined;
  /** See {@link Shipment}; absent when none were reported. */
  readonly sealedDetails?: string | undefined;
}

/** A node that has no place in a history yet. */
export type NewNode = Omit<KeptNode, 'seq'>;

/** What a carrier responded for a shipment. */
export interface CarrierResponse {
  /** As it was when the carrier was asked. */
  readonly shipment: Shipment;
  /** Oldest first. */
  readonly nodes: readonly NewNode[];
  /** Epoch milliseconds. */
  readonly now: number;
  /** `traceparent` of what had the carrier asked. */
  readonly traceparent?: string | undefined;
  /** Of a source that limits how often it is asked, or that pushes. */
  readonly report?: SourceReport | undefined;
}

/** What a source reports of a parcel beside its nodes, at `now` of the response. */
export interface SourceReport {
  /** Null when the source has lost it; undefined to leave it as it is: a push says nothing of it. */
  readonly registration?: Registration | null | undefined;
}

/** A source is about to be asked for a parcel that it may be asked for only so often, or has refused its number. */
export interface Question {
  readonly shipment: Shipment;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Least time between two questions, milliseconds. */
  readonly gapMs: number;
  /** True when it was asked already, and refused the number. */
  readonly isRefused?: true | undefined;
}

/** The end of a poll. */
export interface Reschedule {
  readonly shipment: Shipment;
  /** Epoch milliseconds; null ends the watch. A parcel with a final status is looked at as schedule pollAfterEnd says. */
  readonly nextPollAt: number | null;
  /** Epoch milliseconds. */
  readonly now: number;
  /** Polls that failed in a row. */
  readonly failures: number;
}

/**
 * A fact that may change a parcel. Facts arrive in any order and any number of times. Each is idempotent, except that `news` has
 * the carrier asked once more for each time.
 */
export type ParcelFact =
  | ({ readonly type: 'dispatched' } & Dispatch)
  | ({ readonly type: 'response' } & CarrierResponse)
  | ({ readonly type: 'rescheduled' } & Reschedule)
  | ({ readonly type: 'asked' } & Question)
  /** A source reports the parcel from now on. */
  | { readonly type: 'registered'; readonly shipment: Shipment; readonly registration: Registration }
  /** The carrier has news, so the shipment is due at once. */
  | ({ readonly type: 'news'; readonly now: number } & ParcelKey);

/** The parcel that a fact is about. A dispatch is about the first parcel of the forecast, or about the further one of its number: the first one decides. */
export function parcelOf(fact: ParcelFact): ParcelKey {
  if ('shipment' in fact) return fact.shipment;
  return fact.type === 'news' ? fact : parcelKey(fact);
}

/** Every parcel that a fact may change. */
export function parcelsOf(fact: ParcelFact): readonly ParcelKey[] {
  return fact.type === 'dispatched' ? [parcelOf(fact), parcelKey(fact, fact.trackingNumber)] : [parcelOf(fact)];
}
