import { pipeline } from 'node:stream/promises';
import { AppError } from '@parcelway/kernel/app-error';
import type { Response } from 'express';
import { csvLine, FailedRows } from '../domain/failed-rows.ts';
import type { ImportRecord, StoredRow } from '../import-collections.ts';
import type { ImportStore } from '../import-store.ts';
import type { SpreadsheetKind } from '../ports.ts';
import { textSheet } from './writing/text-sheet.ts';

const TYPES: Readonly<Record<SpreadsheetKind, string>> = {
  csv: 'text/csv; charset=utf-8',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
};

/** Sets the headers of a spreadsheet to save. @param name of ASCII letters, digits, hyphens and dots */
function fileHeaders(res: Response, name: string, kind: SpreadsheetKind): void {
  res.setHeader('Content-Type', TYPES[kind]);
  res.setHeader('Content-Disposition', `attachment; filename="${name}"`);
  res.setHeader('X-Content-Type-Options', 'nosniff');
}

export function sendFile(res: Response, name: string, kind: SpreadsheetKind, content: Buffer): void {
  fileHeaders(res, name, kind);
  res.setHeader('Content-Length', content.length);
  res.end(content);
}

/** Rows that are read together. */
const ROWS_AT_ONCE = 50;
/** Has spreadsheet programs read a CSV file as UTF-8. */
const BYTE_ORDER_MARK = '\ufeff';
/** No file takes longer, however slowly its client reads. */
const MAX_FILE_MS = 3_600_000;

/** The texts of the failed rows of an import, some at a time. @param first those that have been read already */
async function* textsOf(table: FailedRows, store: Pick<ImportStore, 'rows'>, record: ImportRecord, first: readonly StoredRow[]) {
  for (let rows = first; rows.length > 0; ) {
    yield rows.map((row) => table.texts(row));
    rows = await store.rows(record, { state: 'failed', after: rows.at(-1)?.row ?? 0, limit: ROWS_AT_ONCE });
  }
}

async function* csvOf(titles: readonly string[], parts: AsyncIterable<readonly (readonly string[])[]>): AsyncGenerator<string, void, void> {
  yield BYTE_ORDER_MARK + csvLine(titles);
  for await (const rows of parts) yield rows.map(csvLine).join('');
}

/**
 * Sends the failed rows of an import as they are read, no faster than the client takes them: there may be 50,000.
 * @throws AppError 50301, before the response has begun or in the middle of it: then the connection is cut, so that the file does not look complete
 */
export async function sendFailedRows(
  store: Pick<ImportStore, 'rows'>,
  record: ImportRecord,
  kind: SpreadsheetKind,
  res: Response,
): Promise<void> {
  const first = await store.rows(record, { state: 'failed', after: 0, limit: ROWS_AT_ONCE });
  const table = new FailedRows(record.columns);
  const texts = textsOf(table, store, record, first);
  fileHeaders(res, `failed-${record.importId}.${kind}`, kind);
  try {
    const file = kind === 'xlsx' ? textSheet(table.titles(), texts) : csvOf(table.titles(), texts);
    await pipeline(file, res, { signal: AbortSignal.timeout(MAX_FILE_MS) });
  } catch (error) {
    // A client that has left is no failure.
    if (error instanceof AppError || (error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
