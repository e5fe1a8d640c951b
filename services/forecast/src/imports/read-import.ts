import { AppError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { BATCH_CHARACTERS, charactersOf } from './domain/cell-characters.ts';
import { SheetReading } from './domain/sheet-reading.ts';
import type { ImportRecord } from './import-collections.ts';
import type { ImportStore, NewRow } from './import-store.ts';
import type { ImportFiles, SpreadsheetReader } from './ports.ts';

/** Rows that are stored together, or fewer with many characters. */
const BATCH = 500;

export interface ReadImportOptions {
  readonly store: ImportStore;
  readonly files: ImportFiles;
  readonly reader: SpreadsheetReader;
}

/**
 * Reads the file of an import and stores its rows. May be repeated from the beginning, also after a crash at any point.
 * @param goesOn asked now and then: false ends the reading, which is to be repeated
 * @returns true when all rows are stored
 * @throws AppError 42201, 42205, 42206 when the file cannot be imported; 50301 when a store is out
 */
export async function readImport(options: ReadImportOptions, record: ImportRecord, goesOn: () => Promise<boolean>): Promise<boolean> {
  const { store, files, reader } = options;
  const content = await files.read(record.fileKey);
  if (content === undefined) throw new AppError('42205', 'The file is not there any more; upload it again');
  const sheet = new SheetReading(record.mapping);
  let batch: NewRow[] = [];
  let characters = 0;
  const flush = async (): Promise<boolean> => {
    await store.addRows(record, batch, sheet.total);
    batch = [];
    characters = 0;
    await failpointAsync('import.rows-stored');
    return goesOn();
  };
  for await (const part of reader.read(content, record.kind, { tenantId: record.tenantId, purpose: 'import' })) {
    const isFirst = sheet.columns === undefined;
    const rows = sheet.take(part);
    if (isFirst && sheet.columns !== undefined) {
      await store.reading(record, sheet.columns, sheet.warnings);
      sheet.assertComplete();
    }
    for (const row of rows) {
      batch.push(row);
      characters += charactersOf(row.cells);
    }
    if ((batch.length >= BATCH || characters >= BATCH_CHARACTERS) && !(await flush())) return false;
  }
  sheet.end();
  if (!(await flush())) return false;
  await store.submitting(record, sheet.total, sheet.warnings);
  // The rows have all of it.
  await files.delete(record.fileKey);
  return true;
}
