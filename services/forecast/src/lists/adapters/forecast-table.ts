import { stringify } from 'csv-stringify/sync';
import type { ListedForecast } from '../../store/ports.ts';
import { summaryData } from './representations.ts';

/** A forecast as a row: what the list shows of it, its current measurement and its latest dispatch. */
function rowOf(forecast: ListedForecast) {
  const { measurements: [measurement] = [], dispatch } = forecast.progress ?? {};
  return {
    ...summaryData(forecast),
    weight_kg: measurement?.weight_kg ?? null,
    length_cm: measurement?.length_cm ?? null,
    width_cm: measurement?.width_cm ?? null,
    height_cm: measurement?.height_cm ?? null,
    carrier_code: dispatch?.carrier_code ?? null,
    tracking_number: dispatch?.tracking_number ?? null,
  };
}

/** Names of the columns, in their order. */
export const tableColumns: readonly (keyof ReturnType<typeof rowOf>)[] = [
  'forecast_no',
  'po_number',
  'forecast_type',
  'warehouse_code',
  'due_date',
  'status',
  'status_name',
  'item_count',
  'version',
  'create_time',
  'update_time',
  'weight_kg',
  'length_cm',
  'width_cm',
  'height_cm',
  'carrier_code',
  'tracking_number',
  'has_exception',
  'on_hold',
];

/** By it spreadsheets know that the text is UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** Lines as RFC 4180 has them. A text that a spreadsheet would take for a formula gets an apostrophe in front; a number is left alone. */
const options = { record_delimiter: 'windows', escape_formulas: true, cast: { boolean: String } } as const;

/** The first line of the table, with the mark of its encoding before it. */
export const tableHead: string = BYTE_ORDER_MARK + stringify([tableColumns], options);

export function tableRows(forecasts: readonly ListedForecast[]): string {
  const rows = forecasts.map((forecast) => {
    const row = rowOf(forecast);
    return tableColumns.map((column) => row[column]);
  });
  return stringify(rows, options);
}
