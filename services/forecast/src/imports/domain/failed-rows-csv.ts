import { type Cell, textOfCell } from './convert-cell.ts';
import { protectedText } from './formula-text.ts';
import { ERROR_TITLE, normaliseTitle } from './import-fields.ts';
import type { MappedColumn } from './map-columns.ts';

/** Has spreadsheet programs read the file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';

/** A failed row. */
export interface FailedRow {
  readonly cells: readonly Cell[];
  readonly errors: readonly { readonly message: string }[];
}

const quoted = (text: string): string => (/["\r\n,;\t]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);

/** A line of a CSV file (RFC 4180). */
export function csvLine(values: readonly string[]): string {
  return `${values.map(quoted).join(',')}\r\n`;
}

/** A number is left alone: it is none of its sender's texts. */
const shownCell = (cell: Cell | undefined): string => (typeof cell === 'number' ? textOfCell(cell) : protectedText(textOfCell(cell)));

/** Writes failed rows as they were, with a column that says why; the columns of an earlier such file are replaced. */
export class FailedRowsCsv {
  readonly #kept: readonly { readonly index: number; readonly title: string }[];

  constructor(columns: readonly MappedColumn[]) {
    this.#kept = columns.map(({ title }, index) => ({ index, title })).filter(({ title }) => normaliseTitle(title) !== ERROR_TITLE);
  }

  /** The beginning of the file. */
  head(): string {
    return BYTE_ORDER_MARK + csvLine([...this.#kept.map(({ title }) => protectedText(title)), ERROR_TITLE]);
  }

  /** One row. */
  line({ cells, errors }: FailedRow): string {
    const reason = errors.map(({ message }) => message).join('; ');
    return csvLine([...this.#kept.map(({ index }) => shownCell(cells[index])), protectedText(reason)]);
  }
}
