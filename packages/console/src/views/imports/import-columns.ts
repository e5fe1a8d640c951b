import type { ForecastImport, ImportColumn, ImportPreviewRow } from '@parcelway/contracts/import-api';
import type { ApiFailure } from '@parcelway/page/api/failure';
import type { Mapping } from '../../api/files.ts';
import { type Field, fields, type ItemField, itemFields, requiredItemFields } from '../parcels/forecast-values.ts';

type ImportField = Field | ItemField;
export const importFields: readonly ImportField[] = [...fields, ...itemFields];
export const requiredFields: readonly ImportField[] = ['po_number', 'warehouse_code', ...requiredItemFields];

/** The column that fills a field besides the one at `index`; undefined when none does. */
export const holderOf = <T extends ImportColumn>(columns: readonly T[], index: number, field: string): T | undefined =>
  columns.find((column, each) => each !== index && column.field === field);

/** Assigns a field to a column, unless another column fills it already. @param field null ignores the column */
export function withField<T extends ImportColumn>(columns: readonly T[], index: number, field: string | null): readonly T[] {
  if (field !== null && holderOf(columns, index, field) !== undefined) return columns;
  return columns.map((column, each) => (each === index ? { ...column, field } : column));
}

export const ignoredWithData = <T extends ImportColumn & { readonly sample: string | null }>(columns: readonly T[]): readonly T[] =>
  columns.filter(({ field, sample }) => field === null && sample !== null && sample !== '');

export const mappingOf = (columns: readonly ImportColumn[]): Mapping =>
  Object.fromEntries(columns.map(({ title, field }) => [title, field]));

/** Required fields that no column fills. */
export const missingIn = (columns: readonly ImportColumn[]): readonly ImportField[] =>
  requiredFields.filter((name) => !columns.some(({ field }) => field === name));

/** Titles of the columns that would fill a field which an earlier column fills already. @param failure of a preview */
export const duplicatesIn = (failure: ApiFailure | undefined): readonly string[] =>
  (failure?.faults ?? []).filter(({ rule }) => rule === 'duplicate_column').map(({ field }) => field);

export const ignoring = (titles: readonly string[]): Mapping => Object.fromEntries(titles.map((title) => [title, null]));

interface Progress {
  readonly done: number;
  /** Undefined while the rows are not counted yet. */
  readonly total: number | undefined;
  /** Whole percent; undefined while the rows are not counted yet. */
  readonly percent: number | undefined;
}

export function progressOf({ phase, total, accepted, failed }: ForecastImport): Progress {
  const done = accepted + failed;
  if (phase === 'finished') return { done, total, percent: 100 };
  if (phase !== 'submitting' || total === 0) return { done, total: undefined, percent: undefined };
  return { done, total, percent: Math.min(99, Math.floor((done / total) * 100)) };
}

interface PreviewParcel {
  readonly poNumber: string;
  /** Numbers of its rows, in ascending order; at least two. */
  readonly rows: readonly number[];
  readonly repeated: ReadonlyArray<{ readonly sku: string; readonly rows: readonly number[] }>;
}

function rowsBy(rows: readonly ImportPreviewRow[], textOf: (row: ImportPreviewRow) => string): Map<string, ImportPreviewRow[]> {
  const found = new Map<string, ImportPreviewRow[]>();
  for (const row of rows) {
    const text = textOf(row);
    if (text !== '') found.set(text, [...(found.get(text) ?? []), row]);
  }
  return found;
}

/** Parcels that the previewed rows form together, in the order of their first rows. A row that is a parcel by itself is left out. */
export function parcelsOf(rows: readonly ImportPreviewRow[]): readonly PreviewParcel[] {
  const numbers = (some: readonly ImportPreviewRow[]): number[] => some.map(({ row }) => row);
  return [...rowsBy(rows, ({ po_number }) => po_number ?? '')]
    .filter(([, of]) => of.length > 1)
    .map(([poNumber, of]) => ({
      poNumber,
      rows: numbers(of),
      repeated: [...rowsBy(of, ({ values }) => String(values['sku_code'] ?? ''))]
        .filter(([, same]) => same.length > 1)
        .map(([sku, same]) => ({ sku, rows: numbers(same) })),
    }));
}
