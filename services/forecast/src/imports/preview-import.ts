import type { FieldError } from '@parcelway/kernel/app-error';
import { assembleForecast, convertRow, findingsByRow, type ReadRow, type RowValues } from './domain/assemble-forecast.ts';
import type { ImportWarning, MappedColumn, Mapping } from './domain/map-columns.ts';
import { settledRows } from './domain/settled-rows.ts';
import { type GroupedRow, SheetReading } from './domain/sheet-reading.ts';
import type { SpreadsheetKind, SpreadsheetReader, ValidateForecast } from './ports.ts';

const SHOWN = 10;

/** A row of a preview. */
export interface PreviewRow {
  readonly row: number;
  readonly poNumber: string;
  readonly values: RowValues;
  readonly errors: readonly FieldError[];
}

/** What a file would become. */
export interface Preview {
  readonly columns: readonly MappedColumn[];
  readonly missing: readonly string[];
  readonly rows: readonly PreviewRow[];
  readonly warnings: readonly ImportWarning[];
}

/** What a preview needs. */
export interface PreviewOptions {
  readonly reader: SpreadsheetReader;
  readonly validate: ValidateForecast;
}

/**
 * Reads the beginning of a file and checks its first rows, as far as that is possible without the others.
 * @throws AppError 42201, 42205, 42206 when the file cannot be imported; 50301
 */
export async function previewImport(
  { reader, validate }: PreviewOptions,
  tenantId: string,
  file: { readonly content: Uint8Array<ArrayBuffer>; readonly kind: SpreadsheetKind; readonly mapping: Mapping },
): Promise<Preview> {
  const sheet = new SheetReading(file.mapping);
  const first: GroupedRow[] = [];
  for await (const part of reader.read(file.content, file.kind)) {
    first.push(...sheet.take(part));
    if (first.length >= SHOWN) break;
  }
  sheet.end();
  const columns = sheet.columns ?? [];
  const shown = first.slice(0, SHOWN);
  const errors = await errorsOf(validate, tenantId, shown, columns);
  const rows = shown.map((row) => ({
    row: row.row,
    poNumber: row.poNumber,
    values: convertRow(row, columns).values,
    errors: errors.get(row.row) ?? [],
  }));
  return { columns, missing: sheet.missing, rows, warnings: sheet.warnings };
}

async function errorsOf(
  validate: ValidateForecast,
  tenantId: string,
  rows: readonly GroupedRow[],
  columns: readonly MappedColumn[],
): Promise<ReadonlyMap<number, readonly FieldError[]>> {
  const groups = new Map<string, ReadRow[]>();
  for (const row of rows) {
    // Rows without a po_number belong to nobody else.
    const key = row.poNumber === '' ? `row ${row.row}` : `po ${row.poNumber}`;
    groups.set(key, [...(groups.get(key) ?? []), row]);
  }
  const found = new Map<number, readonly FieldError[]>();
  for (const group of groups.values()) {
    const { body, errors } = assembleForecast(group, columns);
    const { errors: further } = await validate(tenantId, body);
    if (errors.size === 0 && further.length === 0) continue;
    const settled = settledRows(group, columns, { errors, further: findingsByRow(further, group, columns) });
    for (const one of settled) found.set(one.row, one.errors);
  }
  return found;
}
