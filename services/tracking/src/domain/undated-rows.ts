import type { UndatedRow } from './parcel-state.ts';

/** What makes two rows the same: every field. */
function rowKey({ address, content, status, adminStatus }: UndatedRow): string {
  return JSON.stringify([address, content, status, adminStatus]);
}

/** Known rows with others behind them, each once. */
export function withUndated(known: readonly UndatedRow[], more: readonly UndatedRow[]): readonly UndatedRow[] {
  return [...new Map([...known, ...more].map((row) => [rowKey(row), row])).values()];
}
