import type { FieldError } from '@parcelway/kernel/app-error';
import { type Cell, convertCell } from './convert-cell.ts';
import { fieldOfName, type ImportField } from './import-fields.ts';
import type { MappedColumn } from './map-columns.ts';

/** Most errors and warnings that are kept of a row. */
export const MAX_ROW_FINDINGS = 20;

export interface ReadRow {
  /** As the spreadsheet program shows it. */
  readonly row: number;
  readonly cells: readonly Cell[];
}

/** The values of a row, by the names of their fields. */
export type RowValues = Readonly<Record<string, string | number>>;

export interface ConvertedRow {
  readonly row: number;
  readonly values: RowValues;
  readonly errors: readonly FieldError[];
}

export interface Assembled {
  /** As a caller of the API would send it. */
  readonly body: Readonly<Record<string, unknown>>;
  /** Row → its errors; a forecast with one is not submitted. */
  readonly errors: ReadonlyMap<number, readonly FieldError[]>;
}

interface Used {
  readonly index: number;
  readonly title: string;
  readonly field: ImportField;
}

function usedColumns(columns: readonly MappedColumn[]): readonly Used[] {
  return columns.flatMap(({ title, field: name }, index) => {
    const field = name === null ? undefined : fieldOfName(name);
    return field === undefined ? [] : [{ index, title, field }];
  });
}

/** The values of a row, and what is wrong with its cells. */
export function convertRow({ row, cells }: ReadRow, columns: readonly MappedColumn[]): ConvertedRow {
  const values: Record<string, string | number> = {};
  const errors: FieldError[] = [];
  for (const { index, title, field } of usedColumns(columns)) {
    const { value, error } = convertCell(cells[index], field);
    if (error) errors.push({ field: title, rule: error.rule, message: `${title} ${error.message}` });
    else if (value !== undefined) values[field.name] = value;
  }
  return { row, values, errors };
}

/** The po_number of a row: what groups rows. Empty when the row has none that can be read. */
export function poNumberOf(cells: readonly Cell[], columns: readonly MappedColumn[]): string {
  const column = usedColumns(columns).find(({ field }) => field.name === 'po_number');
  const value = column && convertCell(cells[column.index], column.field).value;
  return value === undefined ? '' : String(value);
}

/**
 * Makes a forecast of its rows. A field of the forecast has the value of the first row that has one; another row leaves it empty, or repeats it.
 * @param rows at least one, in their order
 */
export function assembleForecast(rows: readonly ReadRow[], columns: readonly MappedColumn[]): Assembled {
  const head: Record<string, string | number> = {};
  const heldBy: Record<string, number> = {};
  const items: Record<string, string | number>[] = [];
  const errors = new Map<number, FieldError[]>();
  const ofFile = usedColumns(columns);
  for (const converted of rows.map((row) => convertRow(row, columns))) {
    const faults = [...converted.errors];
    const item: Record<string, string | number> = {};
    for (const { title, field } of ofFile) {
      const value = converted.values[field.name];
      if (value === undefined) continue;
      if (field.level === 'item') item[field.name] = value;
      else if (head[field.name] === undefined) {
        head[field.name] = value;
        heldBy[field.name] = converted.row;
      } else if (head[field.name] !== value) faults.push(conflict(title, heldBy[field.name] as number));
    }
    items.push(item);
    if (faults.length > 0) errors.set(converted.row, faults.slice(0, MAX_ROW_FINDINGS));
  }
  return { body: { ...head, items }, errors };
}

const conflict = (title: string, row: number): FieldError => ({
  field: title,
  rule: 'conflict',
  message: `${title} differs from row ${row} of the same forecast: enter the same value, or leave it empty`,
});

interface Finding {
  readonly field: string;
  readonly message: string;
}

/** Findings about fields, in terms of rows and columns: `items[3].sku_code` belongs to the fourth row, all else to the first. */
export function findingsByRow<T extends Finding>(
  findings: readonly T[],
  rows: readonly Pick<ReadRow, 'row'>[],
  columns: readonly MappedColumn[],
): ReadonlyMap<number, readonly T[]> {
  if (findings.length === 0) return new Map();
  const titleOf = new Map(usedColumns(columns).map(({ title, field }) => [field.name, title]));
  const byRow = new Map<number, T[]>();
  for (const finding of findings) {
    const [, place, ofItem] = /^items\[(\d+)\](?:\.([a-z_]+))?/.exec(finding.field) ?? [];
    const row = rows[Number(place ?? 0)] ?? rows[0];
    if (row === undefined) continue;
    const name = ofItem ?? finding.field;
    const title = titleOf.get(name) ?? name;
    const list = byRow.get(row.row) ?? [];
    byRow.set(row.row, list);
    // A function, because the title is a caller's text.
    if (list.length < MAX_ROW_FINDINGS)
      list.push({ ...finding, field: title, message: finding.message.replaceAll(finding.field || '\0', () => title) });
  }
  return byRow;
}

type ErrorsByRow = ReadonlyMap<number, readonly FieldError[]>;

interface FailedOutcome {
  readonly row: number;
  readonly state: 'failed';
  readonly forecastNo: null;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly [];
}

/**
 * The rows of a forecast that fails: a row without an error of its own says which row has one.
 * @param errors of cells, or of the whole check
 * @param further of the check of a forecast with errors in cells: what it says of these cells is left out, because they have no value then
 */
export function settledRows(
  rows: readonly Pick<ReadRow, 'row'>[],
  columns: readonly MappedColumn[],
  { errors, further = new Map() }: { readonly errors: ErrorsByRow; readonly further?: ErrorsByRow },
): FailedOutcome[] {
  const merged = new Map<number, readonly FieldError[]>();
  for (const { row } of rows) {
    const own = errors.get(row) ?? [];
    const faulty = new Set(own.map(({ field }) => field));
    const all = [...own, ...(further.get(row) ?? []).filter(({ field }) => !faulty.has(field))];
    if (all.length > 0) merged.set(row, all.slice(0, MAX_ROW_FINDINGS));
  }
  const first = rows.find(({ row }) => merged.has(row))?.row ?? rows[0]?.row ?? 0;
  const title = columns.find(({ field }) => field === 'po_number')?.title ?? 'po_number';
  const other: FieldError = { field: title, rule: 'forecast', message: `Row ${first} of the same forecast has an error` };
  return rows.map(({ row }) => ({ row, state: 'failed', forecastNo: null, errors: merged.get(row) ?? [other], warnings: [] }));
}
