import { MAX_CELL_CHARACTERS, MAX_IMPORT_COLUMNS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import type { ReadRow } from '../../domain/assemble-forecast.ts';
import { BATCH_CHARACTERS, type Cell, charactersOf, charactersOfCell, isEmptyCell, MAX_ROW_CHARACTERS } from '../../domain/convert-cell.ts';
import type { SheetPart } from '../../domain/sheet-reading.ts';

/** Cells of a row, also empty ones: as many as a spreadsheet program can have. */
export const MAX_ROW_CELLS = 16_384;

/** The refusal of a row with more cells than that. @param what names the row */
export function tooManyCells(what: string): AppError {
  return new AppError('42206', `${what} has more than ${MAX_ROW_CELLS} cells, also empty ones; remove the columns that are not needed`);
}

/** A row that is being read: it takes no more than an import may have. */
export class SheetRow {
  readonly row: number;
  readonly #cells: Cell[] = [];
  #characters = 0;
  #puts = 0;

  constructor(row: number) {
    this.row = row;
  }

  /** Puts a cell into a column, counted from 0. @throws AppError 42206 for a cell too far right or too long, and for a row too long or of too many cells */
  put(column: number, cell: Cell): void {
    // Every one counts, also one that comes twice: each takes time.
    this.#puts += 1;
    if (column >= MAX_ROW_CELLS || this.#puts > MAX_ROW_CELLS) throw tooManyCells(`Row ${this.row}`);
    if (isEmptyCell(cell)) return;
    if (column >= MAX_IMPORT_COLUMNS) {
      throw new AppError('42206', `Row ${this.row} has more than ${MAX_IMPORT_COLUMNS} columns; remove the columns that are not needed`);
    }
    if (typeof cell === 'string' && cell.length > MAX_CELL_CHARACTERS) {
      throw new AppError('42206', `A cell of row ${this.row} has more than ${MAX_CELL_CHARACTERS} characters; shorten it`);
    }
    // Every cell counts, also one that comes twice.
    this.#characters += charactersOfCell(cell);
    if (this.#characters > MAX_ROW_CHARACTERS) {
      throw new AppError('42206', `Row ${this.row} has more than ${MAX_ROW_CHARACTERS} characters; shorten its texts`);
    }
    while (this.#cells.length < column) this.#cells.push(null);
    this.#cells[column] = cell;
  }

  /** The row; undefined when it is empty. */
  read(): ReadRow | undefined {
    return this.#cells.length === 0 ? undefined : { row: this.row, cells: this.#cells };
  }
}

/** Rows of a part, or fewer with {@link BATCH_CHARACTERS}. */
const PART_ROWS = 500;

/** Rows in parts, in their order. @param about what each part says of the file */
export async function* inParts(rows: AsyncIterable<ReadRow>, about: Omit<SheetPart, 'rows'>): AsyncGenerator<SheetPart, void, void> {
  let part: ReadRow[] = [];
  let characters = 0;
  for await (const row of rows) {
    part.push(row);
    characters += charactersOf(row.cells);
    if (part.length < PART_ROWS && characters < BATCH_CHARACTERS) continue;
    yield { ...about, rows: part };
    part = [];
    characters = 0;
  }
  yield { ...about, rows: part };
}
