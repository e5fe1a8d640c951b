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
