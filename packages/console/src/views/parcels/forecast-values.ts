import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { membersOf } from '@parcelway/page/members-of';

export type ItemField = keyof ForecastItem;

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

const NUMBERS: readonly ItemField[] = [
  'forecast_quantity',
  'forecast_price',
  'declared_weight_kg',
  'declared_length_cm',
  'declared_width_cm',
  'declared_height_cm',
];

export const isNumber = (field: ItemField): boolean => NUMBERS.includes(field);
/** An item as its form has it: texts as they are typed. */
export type ItemValues = Readonly<Record<ItemField, string>>;

/** A forecast as its form has it: texts as they are typed, empty for none. */
export interface ForecastValues {
  readonly poNumber: string;
  /** `1` or `2`. */
  readonly forecastType: string;
  readonly warehouseCode: string;
  readonly dueDate: string;
  readonly cartonCount: string;
  readonly shippingLabel: string;
  readonly shippingNote: string;
  readonly items: readonly ItemValues[];
}

export const EMPTY_ITEM = Object.fromEntries(itemFields.map((field) => [field, ''])) as ItemValues;

export const NEW_FORECAST: ForecastValues = {
  poNumber: '',
  forecastType: '2',
  warehouseCode: '',
  dueDate: '',
  cartonCount: '',
  shippingLabel: '',
  shippingNote: '',
  items: [EMPTY_ITEM],
};

export function valuesOfForecast(forecast: ForecastDetail): ForecastValues {
  return {
    poNumber: forecast.po_number,
    forecastType: String(forecast.forecast_type),
    warehouseCode: forecast.warehouse_code,
    dueDate: forecast.due_date ?? '',
    cartonCount: forecast.carton_count === null ? '' : String(forecast.carton_count),
    shippingLabel: forecast.shipping_label ?? '',
    shippingNote: forecast.shipping_note ?? '',
    items: forecast.items.map((item) => Object.fromEntries(itemFields.map((field) => [field, String(item[field] ?? '')])) as ItemValues),
  };
}

/** A typed number. Other text is returned unchanged, for the platform to reject. */
function numberOf(text: string): number {
  const value = Number(text);
  return (Number.isNaN(value) ? text : value) as number;
}

function itemOf(values: ItemValues): ForecastItem {
  const filled = itemFields.flatMap((field) => {
    const text = values[field].trim();
    if (text === '') return [];
    return [[field, isNumber(field) ? numberOf(text) : text] as const];
  });
  return Object.fromEntries(filled) as unknown as ForecastItem;
}

const textIn = <Name extends string>(name: Name, text: string): Partial<Record<Name, string>> =>
  text.trim() === '' ? {} : ({ [name]: text.trim() } as Record<Name, string>);

/** The body that submits a forecast. What is empty is left out. */
export function submissionOf(values: ForecastValues): ForecastSubmission {
  return {
    po_number: values.poNumber.trim(),
    forecast_type: Number(values.forecastType) as 1 | 2,
    warehouse_code: values.warehouseCode.trim(),
    ...textIn('due_date', values.dueDate),
    ...textIn('shipping_label', values.shippingLabel),
    ...textIn('shipping_note', values.shippingNote),
    ...(values.cartonCount.trim() === '' ? {} : { carton_count: numberOf(values.cartonCount) }),
    items: values.items.map(itemOf),
  };
}

/** What may be corrected: everything until the parcel arrives, then the documents until the dispatch, then nothing. @param status 1 to 7 */
export function correctable(status: number): 'all' | 'documents' | 'nothing' {
  if (status === 1) return 'all';
  return status >= 2 && status <= 4 ? 'documents' : 'nothing';
}

/** The body that changes a forecast to what its form says: only what is different, and null for what was removed. Empty when nothing is different. */
export function correctionOf(values: ForecastValues, forecast: ForecastDetail): ForecastCorrection {
  const before = valuesOfForecast(forecast);
  const { shippingLabel, shippingNote, warehouseCode, dueDate, cartonCount, items } = values;
  const isNew = (field: Exclude<keyof ForecastValues, 'items'>): boolean => values[field].trim() !== before[field];
  return {
    ...(isNew('shippingLabel') ? { shipping_label: shippingLabel.trim() } : {}),
    ...(isNew('shippingNote') ? { shipping_note: shippingNote.trim() } : {}),
    ...(isNew('warehouseCode') ? { warehouse_code: warehouseCode.trim() } : {}),
    ...(isNew('dueDate') ? { due_date: dueDate.trim() || null } : {}),
    ...(isNew('cartonCount') ? { carton_count: cartonCount.trim() === '' ? null : numberOf(cartonCount) } : {}),
    ...(JSON.stringify(items) === JSON.stringify(before.items) ? {} : { items: items.map(itemOf) }),
  };
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
