import type { ForecastDetail } from '@parcelway/contracts/forecast-api';
import type { ForecastCorrection } from '@parcelway/contracts/forecast-correction-api';
import type { ForecastItem, ForecastSubmission } from '@parcelway/contracts/forecast-submission-api';
import { membersOf } from '@parcelway/page/members-of';

/** A field of an item. */
export type ItemField = keyof ForecastItem;

/** Fields of an item that a form has, those first that every item needs. */
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

/** True for a field whose value is a number. */
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

/** An item of a form that nothing is typed into yet. */
export const EMPTY_ITEM = Object.fromEntries(itemFields.map((field) => [field, ''])) as ItemValues;

/** What the form of a new forecast begins with. */
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

/** What the form of a correction begins with. */
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

/** A number as it is typed; what is none goes as it is: the platform says what is allowed. */
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
export function lastFaultyItem(fields: readonly string[]): number {
  return Math.max(-1, ...fields.map((field) => Number(/^items\[(\d+)\]/.exec(field)?.[1] ?? -1)));
}
