import type { ViewForecast, ViewItem } from './forecast-copy.ts';

/*
 * A warehouse sees the forecasts that are its own, and no others:
 * - The warehouse is that of the key. No parameter of a request names another one: the routes take it from the key alone.
 * - A forecast belongs to the warehouse that its newest version names. Until its acceptance is known it has none, and nobody sees it.
 * - A correction may move a forecast away. To its former warehouse it is then like any that it never had: no number, key or scan finds it.
 *   Only a list of changes still shows it there, as moved, so that the warehouse forgets the parcel. A list of what there is does not.
 * - When the forecast comes back, the warehouse sees it as its own again, and no longer as moved.
 * The stores keep to this in every read: each one selects by the warehouse.
 */

/**
 * What the former warehouse is shown once a correction has moved the forecast to another: what it needs to forget the parcel,
 * nothing of the new warehouse, and no files. Undefined when the warehouse stays.
 */
export function movedAway(before: ViewForecast | undefined, after: ViewForecast): ViewForecast | undefined {
  if (before === undefined || before.warehouseCode === null || before.warehouseCode === after.warehouseCode) return undefined;
  const content = before.content && { ...before.content, shippingLabel: null, shippingNote: null, sscc: undefined };
  return { ...before, content, itemsVersion: 0, dispatch: null, holding: null, isMoved: true };
}

/** Status under which the stores keep what {@link movedAway} shows: none that a forecast has. */
export const MOVED_STATUS = 0;

/** Under which id the stores keep what {@link movedAway} shows: one for each former warehouse. A forecast's number holds no blank. */
export function movedId(forecastNo: string, warehouseCode: string): string {
  return `${forecastNo} ${warehouseCode}`;
}

/** Where the ids of {@link movedId} of a forecast lie, whatever the warehouses: from the first one on, and before the other. No other id lies there. */
export function movedIds(forecastNo: string): { readonly from: string; readonly before: string } {
  // The character behind the blank.
  return { from: `${forecastNo} `, before: `${forecastNo}!` };
}

/** An item as its warehouse sees it: without its price, unless the operator lets warehouses see prices (`WAREHOUSE_SEES_PRICES`). */
export function shownItem(item: ViewItem, seesPrices: boolean): ViewItem {
  if (seesPrices) return item;
  const { forecast_price: _price, ...rest } = item;
  return rest;
}

/** A forecast that goes to another warehouse. */
export interface ViewMove {
  /** What the former warehouse is shown. */
  readonly away: ViewForecast;
  /** The forecast at its new warehouse. */
  readonly after: ViewForecast;
}

/** A move as it is stored: the version of the forecast that it is true of. */
export interface KnownMove {
  readonly version: number;
}

/** A move to be shown or hidden, by its id. */
export interface MoveWrite {
  readonly id: string;
  /** Version of the forecast that it is true of from now on. */
  readonly version: number;
  /** What the former warehouse is shown; null when the forecast has come back, and nothing is shown any more. */
  readonly shown: ViewForecast | null;
}

/** The move of a forecast to another warehouse; undefined when the warehouse stays. */
export function moveOf(before: ViewForecast | undefined, after: ViewForecast): ViewMove | undefined {
  const away = movedAway(before, after);
  return away && { away, after };
}

const leftId = ({ away }: ViewMove): string => movedId(away.forecastNo, String(away.warehouseCode));
const reachedId = ({ after }: ViewMove): string => movedId(after.forecastNo, String(after.warehouseCode));

/** Ids of the stored moves that the decision on a move depends on. */
export function idsOf(move: ViewMove): readonly string[] {
  return [leftId(move), reachedId(move)];
}

/**
 * Shows the move at the former warehouse and hides an earlier one at the new warehouse. Neither replaces what a newer version of the forecast has
 * written: a process that is late changes nothing.
 * @param known the stored moves by their ids
 */
export function decideMove(move: ViewMove, known: ReadonlyMap<string, KnownMove>): readonly MoveWrite[] {
  const version = move.after.content?.version ?? 1;
  const [left, reached] = [leftId(move), reachedId(move)];
  const isNew = (known.get(left)?.version ?? 0) <= version;
  const hasReturned = (known.get(reached)?.version ?? version) < version;
  return [...(isNew ? [{ id: left, version, shown: move.away }] : []), ...(hasReturned ? [{ id: reached, version, shown: null }] : [])];
}
