import type { WarehouseForecast, WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';

/** What a correction of the merchant may change, as far as the warehouse sees it. */
export type ChangedField = 'shipping_label' | 'shipping_note' | 'items' | 'due_date' | 'carton_count' | 'tracking_numbers' | 'other';

/** Something that a correction has changed. */
export interface Change {
  readonly field: ChangedField;
  /** Of `items`: the SKU whose quantity is another one. */
  readonly sku?: string;
  readonly from?: string;
  readonly to?: string;
}

/** Changes that an alarm names. */
const MAX_CHANGES = 12;

/** A parcel as it was known: by the list alone, or with its details. */
interface Known {
  readonly forecast: WarehouseForecast;
  readonly detail?: WarehouseForecastDetail;
}

/** What a correction has changed. Of a parcel whose details were not known before, only what the list shows is compared. */
export function changesBetween({ forecast, detail }: Known, after: WarehouseForecastDetail): Change[] {
  const changes: Change[] = [];
  if (detail !== undefined) {
    if (detail.shipping_label !== after.shipping_label) changes.push({ field: 'shipping_label' });
    if (detail.shipping_note !== after.shipping_note) changes.push({ field: 'shipping_note' });
  }
  for (const field of ['due_date', 'carton_count'] as const) {
    if (forecast[field] !== after[field]) changes.push({ field, from: shown(forecast[field]), to: shown(after[field]) });
  }
  if (forecast.tracking_numbers.join('\n') !== after.tracking_numbers.join('\n'))
    changes.push({ field: 'tracking_numbers', from: forecast.tracking_numbers.join(' '), to: after.tracking_numbers.join(' ') });
  if (detail !== undefined) changes.push(...itemChanges(detail.items, after.items));
  else if (forecast.item_count !== after.item_count)
    changes.push({ field: 'items', from: shown(forecast.item_count), to: shown(after.item_count) });
  return changes.length > 0 ? changes.slice(0, MAX_CHANGES) : [{ field: 'other' }];
}

const shown = (value: string | number | null): string => (value === null ? '–' : String(value));

type Items = WarehouseForecastDetail['items'];

/** SKUs whose quantity is another one; when every quantity stays, that something else about the items has changed. */
function itemChanges(before: Items, after: Items): Change[] {
  const [former, present] = [quantities(before), quantities(after)];
  const changed = [...new Set([...former.keys(), ...present.keys()])].filter((sku) => former.get(sku) !== present.get(sku));
  if (changed.length > 0)
    return changed.map((sku) => ({ field: 'items', sku, from: String(former.get(sku) ?? 0), to: String(present.get(sku) ?? 0) }));
  return sorted(before) === sorted(after) ? [] : [{ field: 'items' }];
}

function quantities(items: Items): Map<string, number> {
  const bySku = new Map<string, number>();
  for (const { sku_code, forecast_quantity } of items) bySku.set(sku_code, (bySku.get(sku_code) ?? 0) + forecast_quantity);
  return bySku;
}

/** Items as one text, whatever the order of their fields. */
const sorted = (items: Items): string => JSON.stringify(items.map((item) => Object.entries(item).sort(([a], [b]) => (a < b ? -1 : 1))));

/** The changes of two corrections in a row: of each thing the first value and the last. */
export function joined(first: readonly Change[], second: readonly Change[]): Change[] {
  const all = new Map<string, Change>();
  for (const change of [...first, ...second]) {
    const key = `${change.field} ${change.sku ?? ''}`;
    const { from = change.from } = all.get(key) ?? {};
    all.set(key, { ...change, ...(from === undefined ? {} : { from }) });
  }
  return [...all.values()].slice(0, MAX_CHANGES);
}
