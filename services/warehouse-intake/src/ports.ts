import type { WarehouseEventType } from '@parcelway/contracts/warehouse-api';
import type { AcceptedForecast, IntakeEvent } from './domain/event.ts';
import type { NoMatch, UnclaimedReason } from './domain/match.ts';

/** Names an event. */
export type EventKey = Pick<IntakeEvent, 'warehouseCode' | 'eventId'>;

/** What became of the events of one call. */
export interface RecordOutcome {
  /** Stored now. */
  readonly accepted: number;
  /** Stored before, or twice in the call. */
  readonly duplicates: number;
  /** Events among the duplicates whose content differs from what was stored first. The first stays. */
  readonly conflicts: readonly EventKey[];
  /** Events that are not stored, because the forecast that they are for takes none such. */
  readonly refused: readonly EventKey[];
  /** Events of the call, stored now or before, that wait for their forecast. */
  readonly waiting: readonly (EventKey & NoMatch)[];
  /** Events that found their forecast and wait in the outbox. */
  readonly published: number;
}

/** Takes reports. */
export interface EventRecorder {
  /**
   * Stores events, once per warehouse and event id, and in the same durable step writes the publication of each that
   * matches a forecast (domain/match); the others wait, but for those that their forecast does not take. Durable when it resolves. When it rejects, a part may have been
   * stored: calling it again with the same events completes that and doubles nothing.
   * @param traceparent of the report, handed on by what it has published; no part of the events as they are stored
   * @throws AppError 50301 when the store is out
   */
  record(events: readonly IntakeEvent[], traceparent?: string): Promise<RecordOutcome>;
}

/**
 * The directory of forecasts that events are matched with. Every method is idempotent. What had waited and is published now
 * hands on the `traceparent` of the call, for that caused it, and not that of the report long ago.
 */
export interface ForecastDirectory {
  /**
   * Adds a forecast and writes the publications of the events that waited for it, in the order in which they occurred. A
   * crowd of more than some hundred is taken in several steps; repeating the call goes on where a crash left off.
   * @returns how many events found their forecast
   */
  accept(forecast: AcceptedForecast, traceparent?: string): Promise<{ readonly published: number }>;
  /**
   * Takes a forecast out of the match by scanned number; events that were ambiguous because of it are matched again.
   * @param at epoch milliseconds
   */
  cancel(forecastNo: string, at: number, traceparent?: string): Promise<{ readonly published: number }>;
}

/** An event that waits for its forecast. */
export interface UnclaimedParcel {
  readonly event: IntakeEvent;
  readonly type: WarehouseEventType;
  readonly reason: UnclaimedReason;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
}

/** Events that wait for one reason are counted to so many: more are no other case, and the count stays cheap. */
export const MAX_COUNTED = 10_000;

/** Shows what waits. */
export interface UnclaimedParcels {
  /** The oldest `limit` events without a forecast, for one reason or for any. */
  unclaimed(limit: number, reason?: UnclaimedReason): Promise<readonly UnclaimedParcel[]>;
  /** How many events wait for each reason, each counted to {@link MAX_COUNTED}. */
  countUnclaimed(): Promise<Readonly<Record<UnclaimedReason, number>>>;
}

/** What one step of the clean-up deleted. */
export interface PurgeOutcome {
  readonly deleted: number;
  /** Of the deleted events, those that had still been waiting. */
  readonly unclaimed: readonly EventKey[];
}

/** Ends the keeping of old data. */
export interface Retention {
  /**
   * Deletes at most `limit` events received before `before`, and at most `limit` forecasts that were cancelled or left
   * the warehouse before it.
   * @param before epoch milliseconds
   */
  purge(before: number, limit: number): Promise<PurgeOutcome>;
}

/** What one step of the recovery did. */
export interface ResumeOutcome {
  /** Events whose last step was taken. */
  readonly resumed: number;
  /** Events that found their forecast by it. */
  readonly published: number;
}

/** Finishes what a crash cut short between two writes. */
export interface Recovery {
  /**
   * Takes the step that remains of at most `limit` events since before `before`. A store that writes everything in one
   * step has none. What is published by it belongs to no trace: whatever caused it is over.
   * @param before epoch milliseconds; long enough ago that nobody is still at it
   * @throws AppError 50301 when the store is out
   */
  resume(before: number, limit: number): Promise<ResumeOutcome>;
}

/** Everything that the service stores. */
export interface IntakeStore extends EventRecorder, ForecastDirectory, UnclaimedParcels, Retention, Recovery {
  /** Resolves when the store answers. */
  check(): Promise<void>;
}
