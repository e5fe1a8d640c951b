import type { ViewItem } from './forecast-copy.ts';

/** An item as its warehouse sees it: without its price, unless the operator lets warehouses see prices (`WAREHOUSE_SEES_PRICES`). */
export function shownItem(item: ViewItem, seesPrices: boolean): ViewItem {
  if (seesPrices) return item;
  const { forecast_price: _price, ...rest } = item;
  return rest;
}
