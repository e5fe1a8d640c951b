import type { WarehouseEventType } from '@parcelway/contracts/warehouse-api';
import type { RecordOutcome } from './domain/decide-reports.ts';
import type { DeclaredNumbers } from './domain/declared-numbers.ts';
import type { ScannedNumber } from './domain/directory.ts';
import type { IntakeEvent } from './domain/event.ts';
import type { ForecastFact } from './domain/forecast-fact.ts';
import type { UnclaimedReason } from './domain/match.ts';
import type { EventKey } from './domain/repeated-events.ts';
import type { Resolution, ResolutionRequest } from './domain/resolution.ts';
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

/** The directory of forecasts that events are matched with. */
export interface ForecastDirectory {
  /**
   * Applies facts to the directory, with the effect of applying them one after the other, and writes the publications of the waiting events that
   * they release, in the order in which these occurred. Idempotent. A crowd of more than some hundred waiting events is processed in several steps;
   * repeating the call continues where a crash ended it.
   *
   * - Accepted: adds the forecast. Events that waited for it are published.
   * - Corrected (domain/directory-correction): events that waited for what the forecast declares now are published, and events that were ambiguous
   *   because of what it declared before are matched again. Adds a forecast whose acceptance was not seen. A version that is not newer than the known
   *   one changes nothing.
   * - Cancelled: removes the forecast from the match by scanned number. Events that were ambiguous because of it are matched again.
   * - Refused: the same, and the report that was published for it is matched again, or waits. A report that names the forecast stays.
   * @returns how many events found their forecast
   * @throws AppError 50301 when the store is out
   */
  follow(facts: readonly ForecastFact[]): Promise<{ readonly published: number }>;
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

/** Counts the logistics numbers of tenants. */
export interface NumberCounts {
  /** Tenants with the most unseen numbers, at most `limit`. */
  declaredNumbers(limit: number): Promise<readonly DeclaredNumbers[]>;
  /** Tenants that the operator has set a limit for, at most `limit`. */
  limitedNumbers(limit: number): Promise<readonly DeclaredNumbers[]>;
  /** Those of the tenants that are suspect (domain/declared-numbers). */
  suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>>;
  /** Sets how many unseen numbers a tenant may have; null for any. */
  limitNumbers(tenantId: string, limit: number | null): Promise<DeclaredNumbers>;
}

/** Knows which numbers were seen on parcels. */
export interface SeenNumbers {
  /** Those of the forecasts to which an event under the number went at their warehouse. */
  seenUnder(scanned: ScannedNumber, forecastNos: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Everything that the service stores. */
export interface IntakeStore
  extends EventRecorder,
    ForecastDirectory,
    UnclaimedParcels,
    Resolutions,
    Retention,
    Recovery,
    NumberCounts,
    SeenNumbers {
  /** Resolves when the store responds. */
  check(): Promise<void>;
}
