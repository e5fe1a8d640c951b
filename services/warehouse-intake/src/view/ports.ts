import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { DecideView, ViewChange } from './domain/decide-view.ts';
import type { ViewForecast, ViewItem } from './domain/forecast-copy.ts';
import type { ViewPosition } from './domain/view-round.ts';

/** Follows the forecasts. */
export interface ViewWriter {
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

/** What becomes of a forecast as it is stored; undefined when nothing does. Pure: may run several times. */
export type DecideForecast = (before: ViewForecast | undefined) => ViewChange | undefined;

/** Changes the view of one forecast; see {@link ViewWriter}. */
export function changeForecast(view: ViewWriter, forecastNo: string, decide: DecideForecast): Promise<void> {
  return view.change([forecastNo], (known) => {
    const change = decide(known.get(forecastNo));
    return change === undefined ? [] : [change];
  });
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
  /** Of each key (domain/scan) the first `limit` forecasts that have it, expected and present ones first. Keys that none has may be absent. */
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
