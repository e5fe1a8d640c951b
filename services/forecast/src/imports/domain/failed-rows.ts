import { MAX_CELL_CHARACTERS } from '@parcelway/contracts/import-limits';
import { type Cell, charactersOf, isCutNumber, MAX_ROW_CHARACTERS, textOfCell } from './convert-cell.ts';
import { ERROR_TITLE, fieldOfName, normaliseTitle } from './import-fields.ts';
import type { MappedColumn } from './map-columns.ts';

/** What a spreadsheet program may take for the beginning of a formula: also the wide forms of its characters. */
const BEGINS = '[=+\\-@\\uff1d\\uff0b\\uff0d\\uff20]';
/** At the beginning of a text. Some programs drop tabs and carriage returns there. */
const FIRST = `'*(?:${BEGINS}|[\\t\\r])`;
/** Behind what another program may take for the end of a cell; quotes may enclose the next one. */
const SEPARATORS = '[;,\\t\\r\\n]';
const NEXT = `'*"*${BEGINS}`;

const UNSAFE = new RegExp(`^(?=${FIRST})|(?<=${SEPARATORS})(?=${NEXT})`, 'g');
const PROTECTED = new RegExp(`^'(?=${FIRST})|(?<=${SEPARATORS})'(?=${NEXT})`, 'g');

/**
 * A text as the files that the platform writes have it: what would be taken for a formula gets an apostrophe in front. That is the beginning of the text,
 * and what is behind a semicolon, a comma, a tab or a line break, where a program that separates cells otherwise begins a cell.
 */
export function protectedText(text: string): string {
  return text.replace(UNSAFE, "'");
}

/** The text that {@link protectedText} was given. */
export function unprotectedText(text: string): string {
  return text.replace(PROTECTED, '');
}

/** Digits behind the point of a number that has lost some: with the one in front of it, those that are known. */
const KNOWN_DECIMALS = 14;
const CUT = '…';

export interface FailedRow {
  readonly cells: readonly Cell[];
  readonly errors: readonly { readonly message: string }[];
}

const quoted = (text: string): string => (/["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line of a CSV file (RFC 4180). */
export function csvLine(values: readonly string[]): string {
  return `${values.map(quoted).join(',')}\r\n`;
}

/**
 * The text of a cell. A number is protected from nothing: it is none of its sender's texts. One whose digits the spreadsheet program has cut is written so
 * that an import of the text refuses it as well.
 */
function shownCell(cell: Cell | undefined, field: string | null): string {
  if (typeof cell !== 'number') return protectedText(textOfCell(cell));
  const isNumber = field !== null && fieldOfName(field)?.kind === 'number-text';
  return isNumber && isCutNumber(cell) ? cell.toExponential(KNOWN_DECIMALS) : textOfCell(cell);
}

/** A text that is cut to some characters. */
function cutTo(text: string, most: number): string {
  if (text.length <= most) return text;
  return most <= 0 ? '' : `${text.slice(0, most - 1).replace(/[\ud800-\udbff]$/, '')}${CUT}`;
}

/** Failed rows as they were, with a column that says why: all as texts. The columns of an earlier such file are replaced. */
export class FailedRows {
  readonly #kept: readonly (MappedColumn & { readonly index: number })[];

  constructor(columns: readonly MappedColumn[]) {
    this.#kept = columns.map((column, index) => ({ ...column, index })).filter(({ title }) => normaliseTitle(title) !== ERROR_TITLE);
  }

  /** The titles of the columns. */
  titles(): string[] {
    return [...this.#kept.map(({ title }) => protectedText(title)), ERROR_TITLE];
  }

  /** The texts of one row. The reasons are cut where the row could not be imported again with them. */
  texts({ cells, errors }: FailedRow): string[] {
    const own = this.#kept.map(({ index, field }) => shownCell(cells[index], field));
    const reason = protectedText(errors.map(({ message }) => message).join('; '));
    return [...own, cutTo(reason, Math.min(MAX_CELL_CHARACTERS, MAX_ROW_CHARACTERS - charactersOf(own) - 1))];
  }
}
