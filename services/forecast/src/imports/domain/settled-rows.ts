import type { FieldError } from '@parcelway/kernel/app-error';
import { MAX_ROW_FINDINGS, type ReadRow } from './assemble-forecast.ts';
import type { MappedColumn } from './map-columns.ts';

/** Row → what is wrong with it. */
type ErrorsByRow = ReadonlyMap<number, readonly FieldError[]>;

/** A row of a forecast that failed. */
export interface FailedOutcome {
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
