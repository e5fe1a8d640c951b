import { MAX_IMPORT_ROWS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { poNumberOf, type ReadRow } from './assemble-forecast.ts';
import {
  type Cell,
  charactersOf,
  dayOfSerial,
  isEmptyCell,
  MAX_FILE_CHARACTERS,
  MAX_FORECAST_CHARACTERS,
  textOfCell,
} from './convert-cell.ts';
import { unprotectedText } from './failed-rows.ts';
import { type ImportWarning, type MappedColumn, type Mapping, mapColumns, missingColumns } from './map-columns.ts';

/** Items that a forecast may have. */
const MAX_ITEMS = 2000;
const MAX_TITLE_CHARACTERS = 200;
/** Days between the first days of the two date systems of spreadsheets. */
const DAYS_1900_TO_1904 = 1462;
/** What may be the serial number of a day that a forecast can have, in either system. */
const SERIALS = { from: 35_000, to: 75_000 };

export interface GroupedRow extends ReadRow {
  /** Empty when the row has none. */
  readonly poNumber: string;
  /** The first row of its forecast: the row itself when it has no po_number. */
  readonly first: number;
}

export interface SheetPart {
  /** Rows that have something in them, in their order. */
  readonly rows: readonly ReadRow[];
  /** What is unusual about the file; known with the first part. */
  readonly warnings: readonly string[];
  /** True when days are counted from 1904. */
  readonly countsFrom1904: boolean;
}

/** A cell without the apostrophe that a file with failed rows gave it. */
const asItWas = (cell: Cell): Cell => (typeof cell === 'string' ? unprotectedText(cell) : cell);

/** The way through a spreadsheet: its first row that is not empty has the titles, the others are items. */
export class SheetReading {
  readonly #mapping: Mapping;
  /** Undefined until the first row has come. */
  columns: readonly MappedColumn[] | undefined;
  /** Required fields that no column fills. */
  missing: readonly string[] = [];
  /** What is unusual about the file. */
  warnings: readonly ImportWarning[] = [];
  /** Rows by now, without the one with the titles. */
  total = 0;
  #days: readonly number[] = [];
  #characters = 0;
  /** By po_number: as many as there may be rows. */
  readonly #forecasts = new Map<string, { readonly first: number; rows: number; characters: number }>();

  constructor(mapping: Mapping) {
    this.#mapping = mapping;
  }

  /**
   * Takes the next part.
   * @returns its rows with items
   * @throws AppError 42201 for titles or a forecast that cannot be; 42206 for too many rows or characters
   */
  take({ rows, warnings, countsFrom1904 }: SheetPart): GroupedRow[] {
    const [first] = rows;
    if (first === undefined) return [];
    const known = this.columns;
    const columns = known ?? this.#readTitles(first, warnings);
    const items = known === undefined ? rows.slice(1) : rows;
    return items.map((row) => this.#readRow(row, columns, countsFrom1904));
  }

  /** Call it behind the last part. @throws AppError 42201 when there is nothing to import */
  end(): void {
    if (this.columns === undefined) throw new AppError('42201', 'The file is empty: its first row must have the titles of the columns');
    if (this.total === 0) throw new AppError('42201', 'The file has no rows below the titles');
  }

  /** @throws AppError 42201 when a required field has no column */
  assertComplete(): void {
    const titles = (this.columns ?? []).map(({ title }) => title);
    if (this.missing.length > 0) throw missingColumns(titles, this.missing);
  }

  #readTitles({ cells }: ReadRow, warnings: readonly string[]): readonly MappedColumn[] {
    const titles = cells.map((cell) => unprotectedText(textOfCell(cell)).trim().slice(0, MAX_TITLE_CHARACTERS));
    const mapped = mapColumns(titles, this.#mapping);
    this.missing = mapped.missing;
    this.warnings = [...warnings.map((message) => ({ field: 'file', message })), ...mapped.warnings];
    this.#days = mapped.columns.flatMap(({ field }, index) => (field === 'due_date' ? [index] : []));
    this.columns = mapped.columns;
    return mapped.columns;
  }

  #readRow({ row, cells }: ReadRow, columns: readonly MappedColumn[], countsFrom1904: boolean): GroupedRow {
    this.total += 1;
    if (this.total > MAX_IMPORT_ROWS) {
      throw new AppError('42206', `The file has more than ${MAX_IMPORT_ROWS} rows; divide it into several files`);
    }
    const characters = charactersOf(cells);
    this.#characters += characters;
    if (this.#characters > MAX_FILE_CHARACTERS) {
      throw new AppError('42206', `The file has more than ${MAX_FILE_CHARACTERS} characters; divide it into several files`);
    }
    const shown = this.#withDays(cells.map(asItWas), countsFrom1904);
    const poNumber = poNumberOf(shown, columns);
    return { row, cells: this.#withinColumns(shown, columns.length), poNumber, first: this.#count(row, poNumber, characters) };
  }

  /** @returns the first row of the forecast */
  #count(row: number, poNumber: string, characters: number): number {
    if (poNumber === '') return row;
    const forecast = this.#forecasts.get(poNumber) ?? { first: row, rows: 0, characters: 0 };
    this.#forecasts.set(poNumber, forecast);
    forecast.rows += 1;
    forecast.characters += characters;
    const named = JSON.stringify(poNumber.slice(0, 64));
    if (forecast.characters > MAX_FORECAST_CHARACTERS) {
      const most = `more than ${MAX_FORECAST_CHARACTERS} characters`;
      throw new AppError('42206', `The forecast ${named} has ${most}; check the column of po_number, or divide the forecast`);
    }
    if (forecast.rows <= MAX_ITEMS) return forecast.first;
    const message = `The forecast ${named} has more than ${MAX_ITEMS} rows; check the column of po_number, or divide the forecast`;
    throw new AppError('42201', message);
  }

  /** Cells right of the last title belong to no column. */
  #withinColumns(cells: readonly Cell[], columns: number): readonly Cell[] {
    let length = Math.min(cells.length, columns);
    while (length > 0 && isEmptyCell(cells[length - 1])) length -= 1;
    return cells.slice(0, length);
  }

  /** Days as a person reads them: what is a number in the file is none any more in a file with failed rows. */
  #withDays(cells: readonly Cell[], countsFrom1904: boolean): readonly Cell[] {
    if (this.#days.length === 0) return cells;
    return cells.map((cell, index) => {
      if (!this.#days.includes(index) || typeof cell !== 'number' || cell < SERIALS.from || cell > SERIALS.to) return cell;
      return dayOfSerial(cell + (countsFrom1904 ? DAYS_1900_TO_1904 : 0));
    });
  }
}
