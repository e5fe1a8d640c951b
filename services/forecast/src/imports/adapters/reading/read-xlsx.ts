import { MAX_CELL_CHARACTERS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import type { ReadRow } from '../../domain/assemble-forecast.ts';
import type { Cell } from '../../domain/convert-cell.ts';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import { damaged, openPackage, type SpreadsheetPackage } from './open-package.ts';
import { inParts, SheetRow } from './sheet-row.ts';
import { readTexts, readWorkbook, withoutEscapes } from './xlsx-workbook.ts';
import { type XmlHandler, xmlEvents } from './xml-events.ts';

/** Last row that a spreadsheet can have. */
const LAST_ROW = 1_048_576;

/** Column of a reference such as AB12, counted from 0; undefined when it is none. */
export function columnOf(reference: string): number | undefined {
  const letters = /^\$?([A-Z]{1,3})/.exec(reference)?.[1];
  if (letters === undefined) return undefined;
  let column = 0;
  for (const letter of letters) column = column * 26 + letter.charCodeAt(0) - 64;
  return column - 1;
}

/** A number with the 15 digits that spreadsheet programs show: what they compute has some more, such as 0.30000000000000004. */
function asShown(number: number): number {
  return Number.isInteger(number) ? number : Number(number.toPrecision(15));
}

/** Makes rows of the elements of a sheet. A formula counts with the value that was saved with it. */
class SheetHandler implements XmlHandler {
  readonly rows: ReadRow[] = [];
  readonly #texts: readonly string[];
  #row: SheetRow | undefined;
  #number = 0;
  #column = -1;
  #type = 'n';
  #value = '';
  /** True inside `v`, or inside a text of `is` that is not phonetic. */
  #takesText = false;
  #inPhonetic = false;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  open(name: string, attributes: Readonly<Record<string, string>>): void {
    if (name === 'row') {
      this.#number = this.#numberOf(attributes['r']);
      this.#row = new SheetRow(this.#number);
      this.#column = -1;
    } else if (name === 'c') {
      this.#column = columnOf(attributes['r'] ?? '') ?? this.#column + 1;
      this.#type = attributes['t'] ?? 'n';
      this.#value = '';
    } else if (name === 'rPh') this.#inPhonetic = true;
    else if (name === 'v' || name === 't') this.#takesText = !this.#inPhonetic;
  }

  text(piece: string): void {
    if (this.#takesText && this.#value.length <= MAX_CELL_CHARACTERS) this.#value += piece.slice(0, MAX_CELL_CHARACTERS + 1);
  }

  close(name: string): void {
    if (name === 'v' || name === 't') this.#takesText = false;
    else if (name === 'rPh') this.#inPhonetic = false;
    else if (name === 'c') this.#row?.put(this.#column, this.#cell());
    else if (name === 'row') {
      const read = this.#row?.read();
      if (read) this.rows.push(read);
      this.#row = undefined;
    }
  }

  /** The number of the next row. It rises: a row that had the number of another would take its place. */
  #numberOf(given: string | undefined): number {
    const number = given === undefined ? this.#number + 1 : Number(given);
    if (Number.isInteger(number) && number > this.#number && number <= LAST_ROW) return number;
    throw new AppError('42205', `The spreadsheet is damaged: the rows behind row ${this.#number} are not in order. Save it again`);
  }

  #cell(): Cell {
    const value = this.#value;
    if (value === '') return null;
    if (this.#type === 's') return this.#texts[Number(value)] ?? null;
    if (this.#type === 'b') return value === '1' || value === 'true';
    if (this.#type === 'e') return { error: value.slice(0, 20) };
    if (this.#type !== 'n') return withoutEscapes(value);
    const number = Number(value);
    return Number.isFinite(number) ? asShown(number) : value;
  }
}

/** The rows of the first visible sheet of an XLSX file. @throws AppError 42205, 42206 */
export async function* readXlsx(content: Uint8Array<ArrayBuffer>): AsyncGenerator<SheetPart, void, void> {
  try {
    yield* sheetParts(content);
  } catch (error) {
    // What the libraries say while they unpack is about the file.
    throw error instanceof AppError ? error : damaged(error);
  }
}

async function* sheetParts(content: Uint8Array<ArrayBuffer>): AsyncGenerator<SheetPart, void, void> {
  const file = await openPackage(content);
  const { sheetPath, sheetName, sheets, textsPath, countsFrom1904 } = await readWorkbook(file);
  const warnings = sheets > 1 ? [`Only the first sheet, ${sheetName.slice(0, 100)}, is read; the file has ${sheets}`] : [];
  yield* inParts(rowsOf(file, sheetPath, await readTexts(file, textsPath)), { warnings, countsFrom1904 });
}

async function* rowsOf(file: SpreadsheetPackage, path: string, texts: readonly string[]): AsyncGenerator<ReadRow, void, void> {
  const handler = new SheetHandler(texts);
  for await (const _ of xmlEvents(await file.open(path), handler, file.elements)) yield* handler.rows.splice(0);
}
