import type { IntakeEvent } from '../matching/domain/event.ts';
import type { UnclaimedReason } from '../matching/domain/match.ts';
import type { ReportKind } from '../matching/domain/parcel-reports.ts';
import type { EventKey } from '../matching/domain/repeated-events.ts';
import type { Resolution } from '../matching/domain/resolution.ts';
import type { UnclaimedParcel } from '../matching/ports.ts';
import type { WaitingPosition } from './domain/event-outcome.ts';

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
  readonly after: WaitingPosition | undefined;
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
  waitingAt(query: WaitingQuery): Promise<{ readonly events: readonly WaitingEvent[]; readonly next: WaitingPosition | null }>;
  outcomeOf(key: EventKey): Promise<StoredOutcome | undefined>;
}

/** Which applied reports. */
export interface ReportQuery {
  /** Who reported them. */
  readonly warehouseCode: string;
  /** The forecast that they were applied to. */
  readonly forecastNo: string;
  readonly kind: ReportKind;
  /** Only those that occurred at this instant or before it, epoch milliseconds. */
  readonly until?: number | undefined;
  readonly limit: number;
}

/** A forecast at the warehouse that has reported of it. */
export type ReportedForecast = Pick<ReportQuery, 'warehouseCode' | 'forecastNo'>;

/** How many reports of a kind are wanted at most. */
export type ReportLimits = Readonly<Partial<Record<ReportKind, number>>>;

/** Reports by kind, the latest first; a kind of which there is none may be missing. */
export type LatestReports = Readonly<Partial<Record<ReportKind, readonly IntakeEvent[]>>>;

/** A dispatch of a parcel on hold. */
export interface DispatchOnHold extends EventKey {
  readonly forecastNo: string;
  /** When the hold began: ISO 8601, as the warehouse wrote it. */
  readonly heldAt: string;
}

/** Shows what warehouses have reported of forecasts: events that were applied, and no others. */
export interface AppliedReports {
  /** The first `limit` reports, latest by time of occurrence first; of one instant the one stored later first. */
  latest(query: ReportQuery): Promise<readonly IntakeEvent[]>;
  /** The latest reports of several forecasts, of each kind in `limits` as many, read together. In the order of the forecasts. */
  latestOf(forecasts: readonly ReportedForecast[], limits: ReportLimits): Promise<readonly LatestReports[]>;
  /** Those of the events that are applied dispatches of parcels which the warehouse held back, by its own reports, when they left. */
  dispatchedOnHold(keys: readonly EventKey[]): Promise<readonly DispatchOnHold[]>;
}

/** What a scanner has read, in the two forms in which warehouses claim numbers. */
export interface ScannedText {
  /** As a forecast number is compared. */
  readonly text: string;
  /** As a logistics number is compared, normalised. */
  readonly number: string;
}

/** Shows the numbers that warehouses have claimed for forecasts. */
export interface ClaimedNumbers {
  /** Numbers of the forecasts that the warehouse has claimed a logistics number for, at most `limit`, and a forecast number, at most `limit` again. */
  claimedFor(warehouseCode: string, scanned: ScannedText, limit: number): Promise<readonly string[]>;
}
