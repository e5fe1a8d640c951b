import { type ForecastImportPreview, MAX_COUNTED_ROWS, MAX_PREVIEW_ROWS } from '@parcelway/contracts/import-api';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { ValidateForecast } from '../submission/validate-forecast.ts';
import { assembleForecast, convertRow, findingsByRow, type ReadRow, settledRows } from './domain/assemble-forecast.ts';
import { type Cell, textOfCell } from './domain/convert-cell.ts';
import type { MappedColumn, Mapping } from './domain/map-columns.ts';
import { type GroupedRow, SheetReading } from './domain/sheet-reading.ts';
import type { SpreadsheetKind, SpreadsheetReader } from './ports.ts';

/** Characters of a cell that are shown as a sample. */
const SAMPLE_CHARACTERS = 100;

export interface PreviewOptions {
  readonly reader: SpreadsheetReader;
  readonly validate: ValidateForecast;
}

/**
 * Reads the beginning of a file, counts its rows, and checks the first ones, as far as that is possible without the others.
 * @param signal aborted when no client waits for the preview any more
 * @throws AppError 42201, 42205, 42206 when the file cannot be imported; 50301
 */
export async function previewImport(
  { reader, validate }: PreviewOptions,
  tenantId: string,
  file: { readonly content: Uint8Array<ArrayBuffer>; readonly kind: SpreadsheetKind; readonly mapping: Mapping },
  signal?: AbortSignal,
): Promise<ForecastImportPreview> {
  const sheet = new SheetReading(file.mapping);
  const first: GroupedRow[] = [];
  for await (const part of reader.read(file.content, file.kind, { tenantId, purpose: 'preview', signal })) {
    const taken = sheet.take(part);
    first.push(...taken.slice(0, MAX_PREVIEW_ROWS - first.length));
    if (sheet.total > MAX_COUNTED_ROWS) break;
  }
  sheet.end();
  const columns = sheet.columns ?? [];
  const errors = await errorsOf(validate, tenantId, first, columns);
  const rows = first.map((row) => ({
    row: row.row,
    po_number: row.poNumber || null,
    values: { ...convertRow(row, columns).values },
    errors: [...(errors.get(row.row) ?? [])],
  }));
  return {
    columns: columns.map(({ title, field }, index) => ({ title, field, sample: sampleOf(first[0]?.cells[index]) })),
    missing: [...sheet.missing],
    rows,
    row_count: Math.min(sheet.total, MAX_COUNTED_ROWS),
    has_more_rows: sheet.total > MAX_COUNTED_ROWS,
    warnings: [...sheet.warnings],
  };
}

const sampleOf = (cell: Cell | undefined): string | null => textOfCell(cell).trim().slice(0, SAMPLE_CHARACTERS) || null;

async function errorsOf(
  validate: ValidateForecast,
  tenantId: string,
  rows: readonly GroupedRow[],
  columns: readonly MappedColumn[],
): Promise<ReadonlyMap<number, readonly FieldError[]>> {
  const groups = new Map<number, ReadRow[]>();
  for (const row of rows) groups.set(row.first, [...(groups.get(row.first) ?? []), row]);
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
