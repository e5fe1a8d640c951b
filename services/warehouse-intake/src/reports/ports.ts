import type { WarehouseEventType } from '@parcelway/contracts/warehouse-api';
import type { EventKey, IntakeEvent } from '../expected/domain/event.ts';
import type { UnclaimedReason } from '../expected/domain/match.ts';
import type { Resolution, ResolutionRequest } from '../expected/domain/resolution.ts';
import type { ForecastDirectory } from '../expected/ports.ts';
import type { RecordOutcome } from './domain/decide-reports.ts';
import type { Rejection } from './domain/event-outcome.ts';
import type { ReportTrace } from './domain/trace.ts';

/** Takes reports. */
export interface EventRecorder {
  /**
   * Stores events, once per warehouse and event id, and in the same durable step writes the publication of each that matches a forecast
   * (domain/match). The others wait, except those that their forecast does not take. Durable when it resolves. When it rejects, a part may be
   * stored: calling it again with the same events completes that and doubles nothing.
   * @param traceOf `traceparent` of each report, which its publication carries; no part of the stored events
   * @throws AppError 50301 when the store is out
   */
  record(events: readonly IntakeEvent[], traceOf?: ReportTrace): Promise<RecordOutcome>;
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

/** What came of a claim or dismissal. */
export interface ResolveOutcome {
  readonly resolution: Resolution;
  /** It had been carried out before. */
  readonly repeated: boolean;
  /** Events that found their forecast by it and wait in the outbox. */
  readonly published: number;
}

/** Which resolutions: those of a warehouse or of all, behind one of them. */
export interface ResolutionQuery {
  readonly warehouseCode: string | undefined;
  readonly limit: number;
}

/** Ends the waiting of unclaimed parcels by hand, and remembers who did. */
export interface Resolutions {
  /**
   * Carries out a claim or dismissal (domain/resolution): of all events of the warehouse that wait under the number of the named one, in the order in
   * which they occurred. Durable when it resolves. A crash in between is finished by the same request again, or by {@link Recovery.resume}.
   * @throws AppError 40403, 40902, or 50301 when the store is out
   */
  resolve(request: ResolutionRequest, traceparent?: string): Promise<ResolveOutcome>;
  /** Finished resolutions, the newest first. */
  resolutions(query: ResolutionQuery): Promise<readonly Resolution[]>;
}

/** An event that waits at a warehouse, with what it may be for. */
export interface WaitingEvent extends UnclaimedParcel {
  /** Numbers of forecasts of the warehouse, when it is ambiguous. */
  readonly candidates: readonly string[];
}

/** Which events that wait at a warehouse. */
export interface WaitingQuery {
  readonly warehouseCode: string;
  /** At least one. */
  readonly reasons: readonly UnclaimedReason[];
  /** Where the page before ended. */
  readonly after: string | undefined;
  readonly limit: number;
}

/** What is known of a stored event. */
export interface StoredOutcome {
  readonly event: IntakeEvent;
  /** Epoch milliseconds. */
  readonly receivedAt: number;
  /** Null once it was applied or dismissed. */
  readonly waiting: UnclaimedReason | null;
  readonly candidates: readonly string[];
  /** Null while it waits, and once it is dismissed. */
  readonly forecastNo: string | null;
  readonly isDismissed: boolean;
  readonly resolution: Resolution | undefined;
}

/** Shows what became of events. */
export interface EventOutcomes {
  /** The oldest events that wait at a warehouse, and where the next page begins. */
  waitingAt(query: WaitingQuery): Promise<{ readonly events: readonly WaitingEvent[]; readonly next: string | null }>;
  outcomeOf(key: EventKey): Promise<StoredOutcome | undefined>;
}

/** Remembers rejected reports: of each warehouse the newest MAX_REJECTIONS. */
export interface Rejections {
  /** In one step for all of them. @param rejected of one call, at least one */
  remember(rejected: readonly Rejection[], at: number): Promise<void>;
  /** The newest of the id, with the instant at which it came in. */
  rejectionOf(key: EventKey): Promise<(Rejection & { readonly at: number }) | undefined>;
}

/** The reports of warehouses, and the forecasts that they are matched with. */
export interface IntakeStore extends EventRecorder, ForecastDirectory, UnclaimedParcels, Resolutions, Retention, Recovery {}
