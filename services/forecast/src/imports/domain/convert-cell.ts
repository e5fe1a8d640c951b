import type { FieldError } from '@parcelway/kernel/app-error';
import type { ImportField } from './import-fields.ts';

/** A cell as it is read and stored. A formula has the value that was saved with it; `error` is one such as #N/A. */
export type Cell = string | number | boolean | null | { readonly error: string };

/** What a cell gives. At most one of both is set; neither when the cell is empty. */
export interface Converted {
  readonly value?: string | number;
  /** `field` is empty: the caller knows the column. The message begins behind its name. */
  readonly error?: Pick<FieldError, 'rule' | 'message'>;
}

/** Spreadsheet programs keep 15 digits of a number: the least integer that has more. */
const LEAST_CUT = 1e15;
const SCIENTIFIC = /^[+-]?\d(?:[.,]\d+)?e\+?\d{1,3}$/i;
const INTEGER = /^[+-]?\d{1,15}(?:\.0*)?$/;
const NUMBER = /^[+-]?(?:\d{1,15}(?:\.\d{0,20})?|\.\d{1,20})$/;
const DAY = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T ]00:00(?::00(?:\.0+)?)?Z?)?$/;
/** Serial numbers of 2000-01-01 and 2100-12-31. */
const SERIALS = { from: 36_526, to: 73_415 };
const DAY_MS = 86_400_000;
/** Texts that were errors of a spreadsheet program before the file was saved as CSV, or came back with failed rows. */
const ERROR_TEXT = /^#(?:N\/A|REF!|VALUE!|DIV\/0!|NAME\?|NUM!|NULL!|SPILL!|CALC!)$/;
/** What people write for a forecast_type, in lower case. */
const FORECAST_TYPES: ReadonlyMap<string, number> = new Map([
  ...['stock replenishment', 'replenishment', 'restock', '备货入仓', '备货'].map((word) => [word, 1] as const),
  ...['direct mail', '直邮贴单', '直邮'].map((word) => [word, 2] as const),
]);

const failed = (rule: string, message: string): Converted => ({ error: { rule, message } });
const lostDigits = (written: string): Converted =>
  failed(
    'lost_digits',
    `is ${written}: the spreadsheet program has cut its digits. Format the column as text, and enter the whole number again`,
  );

/** True for an integer whose last digits the spreadsheet program has not kept. */
export function isCutNumber(number: number): boolean {
  return Number.isInteger(number) && Math.abs(number) >= LEAST_CUT;
}

/** True when a cell has nothing in it. */
export function isEmptyCell(cell: Cell | undefined): boolean {
  return cell === undefined || cell === null || (typeof cell === 'string' && cell.trim() === '');
}

/** A cell as a spreadsheet program shows it without a format. */
export function textOfCell(cell: Cell | undefined): string {
  if (cell === undefined || cell === null) return '';
  if (typeof cell === 'object') return cell.error;
  if (typeof cell === 'boolean') return cell ? 'TRUE' : 'FALSE';
  return typeof cell === 'number' ? textOfNumber(cell) : cell;
}

/** Without an exponent as far as all digits are known. */
function textOfNumber(value: number): string {
  return Number.isInteger(value) && Math.abs(value) < 1e21 ? BigInt(value).toString() : String(value);
}

/** The day of a serial number of the date system from 1900, as YYYY-MM-DD. */
export function dayOfSerial(serial: number): string {
  return new Date(Date.UTC(1899, 11, 30) + Math.floor(serial) * DAY_MS).toISOString().slice(0, 10);
}

/** The error that a cell shows instead of a value; undefined when it shows a value. */
function errorOf(cell: Cell): string | undefined {
  if (cell !== null && typeof cell === 'object') return cell.error;
  const text = typeof cell === 'string' ? cell.trim() : '';
  return ERROR_TEXT.test(text) ? text : undefined;
}

/** The value of a cell as a field takes it. What the field allows beyond its type is checked by the submission. */
export function convertCell(cell: Cell | undefined, { kind }: Pick<ImportField, 'kind'>): Converted {
  if (cell === undefined || cell === null || isEmptyCell(cell)) return {};
  const error = errorOf(cell);
  if (typeof cell === 'object' || error !== undefined) return failed('cell_error', `has the error ${error} of the spreadsheet program`);
  if (kind === 'text') return { value: textOfCell(cell).trim() };
  if (kind === 'number-text') return numberText(cell);
  if (kind === 'day') return day(cell);
  if (kind === 'forecast-type') return forecastType(cell);
  return numeric(cell, kind);
}

/** A number goes as it is: the submission says which ones there are. */
function forecastType(cell: string | number | boolean): Converted {
  const type = FORECAST_TYPES.get(textOfCell(cell).trim().toLowerCase());
  if (type !== undefined) return { value: type };
  const { value } = numeric(cell, 'integer');
  return value === undefined ? failed('type', 'must be Stock replenishment or 1, or Direct mail or 2') : { value };
}

function numberText(cell: string | number | boolean): Converted {
  if (typeof cell === 'number') return isCutNumber(cell) ? lostDigits(String(cell)) : { value: textOfNumber(cell) };
  const text = textOfCell(cell).trim();
  return SCIENTIFIC.test(text) && text.includes('+') ? lostDigits(text) : { value: text };
}

function numeric(cell: string | number | boolean, kind: 'integer' | 'number'): Converted {
  const what = kind === 'integer' ? 'must be an integer, such as 12' : 'must be a number, such as 12.5';
  if (typeof cell === 'boolean') return failed('type', what);
  const text = typeof cell === 'number' ? String(cell) : cell.trim();
  if (kind === 'integer' && typeof cell === 'string' && SCIENTIFIC.test(text)) return lostDigits(text);
  const value = typeof cell === 'number' ? cell : Number((kind === 'integer' ? INTEGER : NUMBER).test(text) ? text : Number.NaN);
  if (Number.isNaN(value)) return failed('type', `${what}, without units and separators of thousands`);
  return kind === 'integer' && !Number.isInteger(value) ? failed('type', what) : { value };
}

function day(cell: string | number | boolean): Converted {
  const wrong = failed('format', 'must be a date, such as 2026-01-31');
  const number = typeof cell === 'number' ? cell : typeof cell === 'string' && /^\d{5}$/.test(cell.trim()) ? Number(cell) : undefined;
  if (number !== undefined) return number >= SERIALS.from && number < SERIALS.to + 1 ? { value: dayOfSerial(number) } : wrong;
  const [, year, month, date] = (typeof cell === 'string' && DAY.exec(cell.trim())) || [];
  if (year === undefined || month === undefined || date === undefined) return wrong;
  return { value: `${year}-${month.padStart(2, '0')}-${date.padStart(2, '0')}` };
}

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
