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

/** An item as its warehouse sees it: without its price, unless the operator lets warehouses see prices (`WAREHOUSE_SEES_PRICES`). */
export function shownItem(item: ViewItem, seesPrices: boolean): ViewItem {
  if (seesPrices) return item;
  const { forecast_price: _price, ...rest } = item;
  return rest;
}
