import type { ContentSummary } from '../domain/canonical.ts';

/** The name of each field of a {@link ContentSummary} in both stores: its column, and its field of a document. */
const storedNames = {
  warehouseCode: 'warehouse_code',
  dueDate: 'due_date',
  itemCount: 'item_count',
} as const satisfies Readonly<Record<keyof ContentSummary, string>>;

export type StoredSummary = { readonly [F in keyof ContentSummary as (typeof storedNames)[F]]: ContentSummary[F] };

const entries = Object.entries(storedNames) as [keyof ContentSummary, keyof StoredSummary][];

/** Its columns or fields. */
export const summaryNames: readonly (keyof StoredSummary)[] = entries.map(([, name]) => name);

export function toStoredSummary(summary: ContentSummary): StoredSummary {
  return Object.fromEntries(entries.map(([field, name]) => [name, summary[field]])) as unknown as StoredSummary;
}

/** A summary from a row or document. */
export function fromStoredSummary(stored: StoredSummary): ContentSummary {
  return Object.fromEntries(entries.map(([field, name]) => [field, stored[name]])) as unknown as ContentSummary;
}
