import type { ImportPreviewRow } from '@parcelway/contracts/import-api';

/** A parcel that several of the previewed rows form. */
export interface PreviewParcel {
  readonly poNumber: string;
  /** Numbers of its rows, in ascending order; at least two. */
  readonly rows: readonly number[];
  /** SKU codes that more than one of these rows has. */
  readonly repeated: ReadonlyArray<{ readonly sku: string; readonly rows: readonly number[] }>;
}

/** Rows by a text of theirs; rows without one are left out. */
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
