/** Field of a filter → parameter of the API. */
export const FILTER_PARAMETERS = {
  /** 1 to 7. */
  status: 'status',
  /** `true` or empty. */
  hasException: 'has_exception',
  onHold: 'on_hold',
  prefix: 'q',
  forecastNo: 'forecast_no',
  trackingNumber: 'tracking_number',
  skuCode: 'sku_code',
  warehouseCode: 'warehouse_code',
  /** Days of the reader, such as `2026-11-21`; the last one counts as a whole. */
  createdFrom: 'created_from',
  createdTo: 'created_to',
  updatedFrom: 'updated_from',
  updatedTo: 'updated_to',
} as const;

/** What a list of forecasts is narrowed to; empty for no condition. */
export type ForecastFilter = Readonly<Record<keyof typeof FILTER_PARAMETERS, string>>;

const fields = Object.keys(FILTER_PARAMETERS) as (keyof ForecastFilter)[];
const filledBy = (textOf: (field: keyof ForecastFilter) => string): ForecastFilter =>
  Object.fromEntries(fields.map((field) => [field, textOf(field)])) as unknown as ForecastFilter;

export const NO_FILTER: ForecastFilter = filledBy(() => '');
export const trimmed = (filter: ForecastFilter): ForecastFilter => filledBy((field) => filter[field].trim());

/** True when a filter has a condition. @param except fields to ignore */
export const isFiltered = (filter: ForecastFilter, except: readonly (keyof ForecastFilter)[] = []): boolean =>
  fields.some((field) => filter[field].trim() !== '' && !except.includes(field));

/** When a day begins in the local time zone, as RFC 3339. Other text is returned unchanged, for the platform to reject. */
export function startOf(day: string, daysLater: number): string {
  const [year, month, date] = day.split('-').map(Number);
  const at = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(at.getTime()) ? day : at.toISOString();
}

/** The parameters of the API for a filter. The API ends a range before an instant: the start of the day after the last one. */
export function apiQueryOf(filter: ForecastFilter): Readonly<Record<string, string>> {
  const query = fields.map((field) => [FILTER_PARAMETERS[field], filter[field].trim()] as const);
  return Object.fromEntries(
    query.flatMap(([name, value]) => {
      if (value === '') return [];
      if (name.endsWith('_from')) return [[name, startOf(value, 0)]];
      return [[name, name.endsWith('_to') ? startOf(value, 1) : value]];
    }),
  );
}
