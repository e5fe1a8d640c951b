import type { Cell } from './convert-cell.ts';

/** Most characters of a row. */
export const MAX_ROW_CHARACTERS = 65_536;
/** Most characters of the rows of one forecast, which are held together. */
export const MAX_FORECAST_CHARACTERS = 4_000_000;
/** Most characters of a file: more than a CSV file of 20 MB can have. In an XLSX file, cells share texts. */
export const MAX_FILE_CHARACTERS = 40_000_000;
/** Rows that are read, sent or written together have so many characters, and those of one more row. */
export const BATCH_CHARACTERS = 1_000_000;

/** Characters that a cell would have in a CSV file, with its separator. */
export function charactersOfCell(cell: Cell | undefined): number {
  if (cell === undefined || cell === null) return 1;
  if (typeof cell === 'object') return cell.error.length + 1;
  return String(cell).length + 1;
}

/** Characters of a row, see {@link charactersOfCell}. */
export function charactersOf(cells: readonly Cell[]): number {
  return cells.reduce<number>((sum, cell) => sum + charactersOfCell(cell), 0);
}

/** Parts of rows, in their order: each ends with the row that brings it to {@link BATCH_CHARACTERS}. */
export function* inBatches<T extends { readonly cells: readonly Cell[] }>(rows: readonly T[]): Generator<readonly T[], void, void> {
  let from = 0;
  let characters = 0;
  for (const [index, { cells }] of rows.entries()) {
    characters += charactersOf(cells);
    if (characters < BATCH_CHARACTERS) continue;
    yield rows.slice(from, index + 1);
    from = index + 1;
    characters = 0;
  }
  if (from < rows.length) yield rows.slice(from);
}
