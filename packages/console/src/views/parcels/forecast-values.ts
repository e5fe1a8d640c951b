import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { membersOf } from '@parcelway/page/members-of';

export type ItemField = keyof ForecastItem;

/** All of them: a correction sends whole items. */
export const itemFields = membersOf<ItemField>({
  sku_code: true,
  product_name_en: true,
  forecast_quantity: true,
  product_name_cn: true,
  forecast_price: true,
  hs_code: true,
  tracking_number: true,
  barcode: true,
  product_image: true,
  declared_weight_kg: true,
  declared_length_cm: true,
  declared_width_cm: true,
  declared_height_cm: true,
});

/** Fields without which no item is accepted. */
export const requiredItemFields: readonly ItemField[] = ['sku_code', 'product_name_en', 'forecast_quantity'];

/** The fields of a forecast that the console has, besides `items`. */
export const fields = [
  'po_number',
  'forecast_type',
  'warehouse_code',
  'due_date',
  'shipping_label',
  'shipping_note',
  'carton_count',
] as const satisfies readonly (keyof ForecastSubmission)[];
export type Field = (typeof fields)[number];

const NUMBERS: readonly string[] = [
  'forecast_type',
  'carton_count',
  'forecast_quantity',
  'forecast_price',
  'declared_weight_kg',
  'declared_length_cm',
  'declared_width_cm',
  'declared_height_cm',
];

export const isNumber = (field: Field | ItemField): boolean => NUMBERS.includes(field);
/** An item as its form has it: texts as they are typed. */
export type ItemValues = Readonly<Record<ItemField, string>>;

/** A forecast as its form has it: texts as they are typed, empty for none. */
export interface ForecastValues extends Readonly<Record<Field, string>> {
  readonly items: readonly ItemValues[];
}

const textsOf = <Name extends string>(names: readonly Name[], from: Partial<Record<Name, unknown>>) =>
  Object.fromEntries(names.map((name) => [name, String(from[name] ?? '')])) as Record<Name, string>;

export const EMPTY_ITEM: ItemValues = textsOf(itemFields, {});
export const NEW_FORECAST: ForecastValues = { ...textsOf(fields, { forecast_type: '2' }), items: [EMPTY_ITEM] };

export const valuesOfForecast = (forecast: ForecastDetail): ForecastValues => ({
  ...textsOf(fields, forecast),
  items: forecast.items.map((item) => textsOf(itemFields, item)),
});

/** What is filled in, numbers as numbers. Text that is no number is kept, for the platform to reject. */
function filled<Name extends Field | ItemField>(names: readonly Name[], values: Readonly<Record<Name, string>>): Record<string, unknown> {
  const given = names.map((name) => [name, values[name].trim()] as const).filter(([, text]) => text !== '');
  return Object.fromEntries(given.map(([name, text]) => [name, isNumber(name) && !Number.isNaN(Number(text)) ? Number(text) : text]));
}

const itemOf = (values: ItemValues) => filled(itemFields, values) as unknown as ForecastItem;

/** The body that submits a forecast. What is empty is left out, unless it is required. */
export const submissionOf = (values: ForecastValues): ForecastSubmission =>
  ({ po_number: '', warehouse_code: '', ...filled(fields, values), items: values.items.map(itemOf) }) as unknown as ForecastSubmission;

/** What may be corrected: everything until the parcel arrives, then the documents until the dispatch, then nothing. @param status 1 to 7 */
export function correctable(status: number): 'all' | 'documents' | 'nothing' {
  if (status === 1) return 'all';
  return status >= 2 && status <= 4 ? 'documents' : 'nothing';
}

const CORRECTABLE = ['warehouse_code', 'due_date', 'carton_count', 'shipping_label', 'shipping_note'] as const;
const REMOVABLE: readonly string[] = ['due_date', 'carton_count'];

/** The body that changes a forecast to what its form says: only what is different, and null for what was removed. Empty when nothing is different. */
export function correctionOf(values: ForecastValues, forecast: ForecastDetail): ForecastCorrection {
  const before = valuesOfForecast(forecast);
  const changed = CORRECTABLE.filter((field) => values[field].trim() !== before[field]);
  const cleared = Object.fromEntries(changed.map((field) => [field, REMOVABLE.includes(field) ? null : '']));
  return { ...cleared, ...filled(changed, values), ...(equal(values.items, before.items) ? {} : { items: values.items.map(itemOf) }) };
}

/** The place of the last item that a fault names, such as 3 for `items[3].sku_code`; -1 when none does. @param fields JSON paths */
export const lastFaultyItem = (fields: readonly string[]): number =>
  Math.max(-1, ...fields.map((field) => Number(/^items\[(\d+)\]/.exec(field)?.[1] ?? -1)));

export interface ForeignChange {
  /** JSON path, such as `carton_count` or `items[0].forecast_quantity`; `items` when items came, went or moved. */
  readonly field: string;
  /** Value before; for `items` how many. Null for none. */
  readonly from: string | null;
  readonly to: string | null;
  /** What was entered here in its place; undefined when the field was left as it was. */
  readonly entered?: string | null;
}

export interface Merged {
  readonly values: ForecastValues;
  readonly changes: readonly ForeignChange[];
}

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
  const triples = CORRECTABLE.map((field) => {
    const mine = isFixed && !field.startsWith('shipping_') ? before[field] : entered[field];
    return { field, before: before[field], now: now[field], entered: mine };
  });
  return {
    values: { ...now, ...Object.fromEntries(triples.map((triple) => [triple.field, kept(triple)])), items },
    changes: [...triples.flatMap(changeOf), ...changes],
  };
}
