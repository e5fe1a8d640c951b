import { isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';
import { CsvError, parse } from 'csv-parse';
import type { ReadRow } from '../../domain/assemble-forecast.ts';
import type { SheetPart } from '../../domain/sheet-reading.ts';
import { inParts, MAX_ROW_CELLS, SheetRow, tooManyCells } from './sheet-row.ts';

/** A file as text. */
interface DecodedText {
  readonly text: string;
  readonly warnings: readonly string[];
}

/**
 * The text of a CSV file: UTF-8, UTF-16 with its mark, or else GB18030, as spreadsheet programs in Chinese write it.
 * @throws AppError 42205 when it is no text
 */
function decodeText(content: Uint8Array): DecodedText {
  const isUtf16 = (content[0] === 0xff && content[1] === 0xfe) || (content[0] === 0xfe && content[1] === 0xff);
  const encoding = isUtf16 ? (content[0] === 0xff ? 'utf-16le' : 'utf-16be') : isUtf8(content) ? 'utf-8' : 'gb18030';
  const text = new TextDecoder(encoding).decode(content);
  if (text.includes('\0')) throw new AppError('42205', 'The file is no text: save it as CSV, or upload a spreadsheet as .xlsx');
  const warnings =
    encoding === 'gb18030' ? ['The file is not UTF-8; it was read as GB18030. Check the characters, or save it as CSV UTF-8'] : [];
  return { text, warnings };
}

const SLICE = 64 * 1024;
/** More than all cells of a row may have together. An open quote makes the rest of the file one row. */
const MAX_RECORD_CHARACTERS = 1_000_000;
/** A row ends within so many slices: that is more than such a row with its separators can have, though the source is some slices ahead of the parser. */
const MAX_ROW_SLICES = 24;
/** Rows without anything in them. Each takes as long to read as one that has something. */
const MAX_EMPTY_ROWS = 100_000;
/** Cells, also empty ones: more than 50,000 rows of 100 columns have. */
const MAX_CELLS = 6_000_000;
const SEPARATORS = [',', ';', '\t'];

/** The character that separates cells: the one that the first line has most often outside quotes; a comma when it has none. */
export function detectSeparator(text: string): string {
  const counts = new Map(SEPARATORS.map((separator) => [separator, 0]));
  let isQuoted = false;
  for (const character of text.slice(0, SLICE)) {
    if (character === '"') isQuoted = !isQuoted;
    else if (isQuoted) continue;
    else if (character === '\n' || character === '\r') {
      if ([...counts.values()].some((count) => count > 0)) break;
    } else if (counts.has(character)) counts.set(character, (counts.get(character) as number) + 1);
  }
  return SEPARATORS.reduce((best, one) => ((counts.get(one) as number) > (counts.get(best) as number) ? one : best));
}

/**
 * The text piece by piece, as long as rows end in it: separators in front of line breaks in quotes are cells of one row.
 * @param endedRows how many have ended by now
 * @throws AppError 42206
 */
function* slices(text: string, endedRows: () => number): Generator<string> {
  let [known, since] = [0, 0];
  for (let from = 0; from < text.length; from += SLICE, since += 1) {
    if (endedRows() > known) [known, since] = [endedRows(), 0];
    if (since > MAX_ROW_SLICES) throw tooManyCells(`Row ${known + 1}`);
    yield text.slice(from, from + SLICE);
  }
}

function unreadable(error: unknown): unknown {
  if (!(error instanceof CsvError)) return error;
  const line = (error as { readonly lines?: unknown }).lines;
  const place = typeof line === 'number' ? ` near line ${line}` : '';
  if (error.code === 'CSV_QUOTE_NOT_CLOSED' || error.code === 'CSV_MAX_RECORD_SIZE') {
    return new AppError('42205', `The CSV file has a quote that is not closed${place}; double quotes inside a cell are written twice`);
  }
  return new AppError('42205', `The CSV file is not readable${place}: check its quotes`);
}

/**
 * Refuses what takes long to read and means nothing, before it is parsed. Line breaks and separators in quotes count as well: texts have few.
 * @throws AppError 42206
 */
function assertSize(text: string, separator: string): void {
  const lineBreak = /[\r\n]/g;
  let [cells, ofLine, lineEnd] = [1, 1, -1];
  for (let at = text.indexOf(separator); at >= 0; at = text.indexOf(separator, at + 1)) {
    if (at > lineEnd) {
      lineBreak.lastIndex = at;
      [ofLine, lineEnd] = [1, lineBreak.exec(text)?.index ?? text.length];
    }
    ofLine += 1;
    if (ofLine > MAX_ROW_CELLS) throw tooManyCells('A row of the CSV file');
    cells += 1;
  }
  if (cells <= MAX_CELLS) return;
  throw new AppError('42206', `The CSV file has more than ${MAX_CELLS} cells; remove empty columns and rows`);
}

/** The rows that have something in them. @throws AppError 42205, 42206 */
async function* rowsOf(parser: AsyncIterable<string[]>, maxEmptyRows: number): AsyncGenerator<ReadRow, void, void> {
  let number = 0;
  let emptyRows = 0;
  try {
    for await (const record of parser) {
      number += 1;
      const row = new SheetRow(number);
      for (const [column, cell] of record.entries()) row.put(column, cell);
      const read = row.read();
      if (read !== undefined) yield read;
      else {
        emptyRows += 1;
        if (emptyRows > maxEmptyRows) throw new AppError('42206', `The CSV file has more than ${maxEmptyRows} empty rows; remove them`);
      }
    }
  } catch (error) {
    throw unreadable(error);
  }
}

/**
 * The rows of a CSV file; separated by comma, semicolon or tab.
 * @param maxEmptyRows as many rows may have nothing in them
 * @throws AppError 42205, 42206
 */
export async function* readCsv(content: Uint8Array, maxEmptyRows = MAX_EMPTY_ROWS): AsyncGenerator<SheetPart, void, void> {
  const { text: decoded, warnings } = decodeText(content);
  // A line for spreadsheet programs, which do not show it.
  const [first = '', named] = /^sep=(.)\r?\n/.exec(decoded) ?? [];
  const text = decoded.slice(first.length);
  const delimiter = named ?? detectSeparator(text);
  assertSize(text, delimiter);
  const parser = parse({
    delimiter,
    bom: true,
    relax_column_count: true,
    relax_quotes: true,
    max_record_size: MAX_RECORD_CHARACTERS,
  });
  const source = Readable.from(slices(text, () => parser.info.records));
  source.once('error', (error) => parser.destroy(error)).pipe(parser);
  yield* inParts(rowsOf(parser, maxEmptyRows), { warnings, countsFrom1904: false });
}
