import { type ForecastValues, type ItemValues, itemFields } from './forecast-values.ts';

/** A field that somebody else has changed. */
export interface ForeignChange {
  /** JSON path, such as `carton_count` or `items[0].forecast_quantity`; `items` when items came, went or moved. */
  readonly field: string;
  /** Value before; for `items` how many. Null for none. */
  readonly from: string | null;
  readonly to: string | null;
  /** What was entered here in its place; undefined when the field was left as it was. */
  readonly entered?: string | null;
}

/** Entries on the base of what a forecast is now. */
export interface Merged {
  readonly values: ForecastValues;
  readonly changes: readonly ForeignChange[];
}

/** Fields of a correction besides the items, as forms and as the API name them. */
const FIELDS = [
  ['warehouseCode', 'warehouse_code'],
  ['dueDate', 'due_date'],
  ['cartonCount', 'carton_count'],
  ['shippingLabel', 'shipping_label'],
  ['shippingNote', 'shipping_note'],
] as const;

/** One value three times: as it was read, as somebody else left it, as it was entered. */
interface Triple {
  readonly field: string;
  readonly before: string;
  readonly now: string;
  readonly entered: string;
}

/** What was entered wins; what was left as it was follows the other. */
const kept = ({ before, now, entered }: Triple): string => (entered.trim() === before ? now : entered);

function changeOf(triple: Triple): ForeignChange[] {
  const { field, before, now } = triple;
  if (before === now) return [];
  const mine = kept(triple).trim();
  return [{ field, from: before || null, to: now || null, ...(mine === now ? {} : { entered: mine || null }) }];
}

const equal = (one: readonly ItemValues[], other: readonly ItemValues[]): boolean => JSON.stringify(one) === JSON.stringify(other);

/** True when the items are the same ones in the same order, whatever else of them has changed. */
const aligned = (one: readonly ItemValues[], other: readonly ItemValues[]): boolean =>
  one.length === other.length && one.every((item, index) => item.sku_code.trim() === other[index]?.sku_code);

/** The items; one by one and field by field as long as all three have the same ones, else those that were entered as a whole. */
function mergedItems(
  before: ForecastValues,
  now: ForecastValues,
  entered: ForecastValues,
): { items: readonly ItemValues[]; changes: ForeignChange[] } {
  if (aligned(now.items, before.items) && aligned(entered.items, before.items)) {
    const triples = before.items.map((item, index) =>
      itemFields.map((name): Triple => {
        const valueIn = ({ items }: ForecastValues): string => items[index]?.[name] ?? '';
        return { field: `items[${index}].${name}`, before: item[name], now: valueIn(now), entered: valueIn(entered) };
      }),
    );
    return {
      items: triples.map((each) => Object.fromEntries(each.map((triple, place) => [itemFields[place], kept(triple)])) as ItemValues),
      changes: triples.flat().flatMap(changeOf),
    };
  }
  const isMine = !equal(entered.items, before.items);
  const count = ({ items }: ForecastValues): string => String(items.length);
  const change = { field: 'items', from: count(before), to: count(now), ...(isMine ? { entered: count(entered) } : {}) };
  return { items: isMine ? entered.items : now.items, changes: equal(now.items, before.items) ? [] : [change] };
}

/**
 * What was entered, on the base of what the forecast is now: a field that was left as it was takes the value of now, any other keeps its entry.
 * @param before what the form began with
 * @param extent what can be corrected now: of what cannot, nothing that was entered stays
 * @returns also what somebody else has changed, in the order of the form
 */
export function mergedValues(
  before: ForecastValues,
  now: ForecastValues,
  entered: ForecastValues,
  extent: 'all' | 'documents' = 'all',
): Merged {
  const isFixed = extent === 'documents';
  const { items, changes } = isFixed ? mergedItems(before, now, before) : mergedItems(before, now, entered);
  const triples = FIELDS.map(([name, field]): Triple & { readonly name: keyof ForecastValues } => {
    const mine = isFixed && !field.startsWith('shipping_') ? before[name] : entered[name];
    return { name, field, before: before[name], now: now[name], entered: mine };
  });
  return {
    values: { ...now, ...Object.fromEntries(triples.map((triple) => [triple.name, kept(triple)])), items },
    changes: [...triples.flatMap(changeOf), ...changes],
  };
}
