import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { DecideView, ViewChange } from './domain/decide-view.ts';
import type { ScannedNumber } from './domain/directory.ts';
import type { EventKey, IntakeEvent } from './domain/event.ts';
import type { ViewForecast, ViewItem } from './domain/forecast-copy.ts';
import type { ForecastFact } from './domain/forecast-fact.ts';
import type { ReportKind } from './domain/parcel-reports.ts';
import type { ViewPosition } from './domain/view-round.ts';

/** The directory of forecasts that events are matched with. */
export interface ForecastDirectory {
  /**
   * Applies facts to the directory, with the effect of applying them one after the other, and writes the publications of the waiting events that
   * they release, in the order in which these occurred. Idempotent. A crowd of more than some hundred waiting events is processed in several steps;
   * repeating the call continues where a crash ended it.
   *
   * - Accepted: adds the forecast. Events that waited for it are published.
   * - Corrected (domain/directory): events that waited for what the forecast declares now are published, and events that were ambiguous
   *   because of what it declared before are matched again. Adds a forecast whose acceptance was not seen. A version that is not newer than the known
   *   one changes nothing.
   * - Cancelled: removes the forecast from the match by scanned number. Events that were ambiguous because of it are matched again.
   * - Refused: the same, and the report that was published for it is matched again, or waits. A report that names the forecast stays.
   * @param shown what warehouses are shown of those that are new
   * @returns how many events found their forecast
   * @throws AppError 50301 when the store is out
   */
  follow(facts: readonly ForecastFact[], shown?: FirstShown): Promise<{ readonly published: number }>;
}

/** Knows which numbers were seen on parcels. */
export interface SeenNumbers {
  /** Those of the forecasts to which an event under the number went at their warehouse. */
  seenUnder(scanned: ScannedNumber, forecastNos: readonly string[]): Promise<ReadonlySet<string>>;
}

/** Fields of an insert, and its messages. */
export interface Shown {
  readonly set: Readonly<Record<string, unknown>>;
  readonly messages: readonly EncodedMessage[];
}

/** What warehouses are shown of new forecasts, written together with what reports are matched with: one insert a forecast. */
export interface FirstShown {
  /** Forecasts that were inserted so. */
  readonly written: ReadonlySet<string>;
  /**
   * Runs the write that inserts these forecasts.
   * @param write given what to insert beside what it has; returns the numbers of those that it inserted
   */
  insert(forecastNos: readonly string[], write: (shown: ReadonlyMap<string, Shown>) => Promise<readonly string[]>): Promise<void>;
}

/** Follows the forecasts. */
export interface ViewWriter {
  /** Prepares inserts. @param changes of forecasts that are not known, with their items */
  first(changes: readonly ViewChange[]): Promise<FirstShown>;
  /**
   * Changes the view of forecasts: one read, one decision and one write for all of them, and again when another writer comes in between. Changes of
   * one forecast at the same time come one after the other. Once it has resolved, a poll shows the changes, also those that were written before and
   * whose caller did not live to hear of it. The notes of a change are written with it, if the store keeps them ({@link ViewChanges}). When a
   * forecast goes to another warehouse, polls of the former one show that ({@link ViewQuery.moved}) until it comes back.
   * @param forecastNos each once
   * @throws AppError 50301 when the store is out, or others were quicker each time. A part may be written then
   */
  change(forecastNos: readonly string[], decide: DecideView): Promise<void>;
}

/** A forecast of a warehouse, with its place in the order of changes. */
export interface SeenForecast {
  readonly forecast: ViewForecast;
  /** Stamp of the last change: epoch microseconds, by which the changes of a warehouse are ordered. */
  readonly stamp: number;
}

/** A forecast with its items. */
export interface CompleteForecast extends SeenForecast {
  readonly items: readonly ViewItem[];
}

/** Which forecasts of a warehouse a page shows. */
export interface ViewQuery {
  readonly statuses: readonly ForecastStatus[];
  /** Also what corrections have moved to other warehouses, in whatever status it was. */
  readonly moved?: boolean;
  readonly tenantId?: string | undefined;
  /** Expected on one of these days, YYYY-MM-DD. */
  readonly dueDays?: readonly string[] | undefined;
  /** Changed after this stamp. */
  readonly above: number;
  /** Behind this place. */
  readonly behind?: ViewPosition | undefined;
  readonly limit: number;
}

/** Forecasts by the key that they were found by. */
export type FoundByKey = ReadonlyMap<string, readonly SeenForecast[]>;

/** Shows a warehouse its forecasts. Every method sees those of the one warehouse and no others (domain/seen-by-warehouse.ts). */
export interface ForecastView {
  /** The forecasts of these numbers, in any order, as far as the warehouse has them. */
  get(warehouseCode: string, forecastNos: readonly string[]): Promise<readonly SeenForecast[]>;
  /** A forecast with its items; undefined when the warehouse has none of this number. */
  read(warehouseCode: string, forecastNo: string): Promise<CompleteForecast | undefined>;
  /** The first `limit` forecasts of a page, latest change first. */
  list(warehouseCode: string, query: ViewQuery): Promise<readonly SeenForecast[]>;
  /** A stamp: every change that is recorded from now on has a later one. */
  settled(): Promise<number>;
  /** The first `limit` forecasts of each key (domain/scan-keys), expected and present ones first. Keys without a forecast may be absent. */
  find(warehouseCode: string, keys: readonly string[], limit: number): Promise<FoundByKey>;
}

/** Changes that systems outside the platform are still to hear of. Only stores of an installation whose log they can read keep them. */
export interface ViewChanges {
  /** How large the forecasts are in the store with their items, bytes; without those that are gone. @throws AppError 50301 */
  sizes(forecastNos: readonly string[]): Promise<ReadonlyMap<string, number>>;
  /** The forecasts as they are now, of whichever warehouse; without those that are gone. @throws AppError 50301 */
  current(forecastNos: readonly string[]): Promise<readonly CompleteForecast[]>;
  /** Notes changes once more. @param entries one for each forecast @throws AppError 50301 */
  repeat(entries: readonly EncodedMessage[]): Promise<void>;
}

/** Ends the keeping of what has left. */
export interface ViewRetention {
  /**
   * Deletes at most `limit` forecasts that left, were cancelled, moved to another warehouse, or were never accepted, before `before`.
   * @param before epoch milliseconds
   * @returns how many
   */
  purge(before: number, limit: number): Promise<number>;
}

/** Everything that the view stores. */
export interface ViewStore extends ViewWriter, ForecastView, ViewRetention {}

/** A forecast, and the warehouse that has reported events of it. */
export interface ReportedForecast {
  readonly warehouseCode: string;
  readonly forecastNo: string;
}

/** The most reports of each kind. */
export type ReportLimits = Readonly<Partial<Record<ReportKind, number>>>;

/** Reports by kind, the latest first. A kind without reports may be missing. */
export type LatestReports = Readonly<Partial<Record<ReportKind, readonly IntakeEvent[]>>>;

/** A dispatch of a parcel on hold. */
export interface DispatchOnHold extends EventKey {
  readonly forecastNo: string;
  /** When the hold began: ISO 8601, as the warehouse wrote it. */
  readonly heldAt: string;
}

/** Shows what warehouses have reported of forecasts: events that were applied, and no others. */
export interface AppliedReports {
  /**
   * The latest reports of several forecasts, in the order of the forecasts. `limits` says how many of each kind. Sorted by time of occurrence; of
   * reports with the same time, the one stored later comes first.
   */
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

/** Names a forecast. */
export interface ForecastName {
  readonly tenantId: string;
  readonly forecastNo: string;
}

/** Forecasts that their service has deleted. */
export interface ExpiredForecasts {
  /**
   * Takes forecasts out of the directory and of the warehouses' view, with what former warehouses are shown of them, what was reported of them and how
   * it was resolved: nothing else says any more whose it was. A repeat has no effect.
   * @throws AppError 50301
   */
  drop(forecasts: readonly ForecastName[]): Promise<void>;
}
