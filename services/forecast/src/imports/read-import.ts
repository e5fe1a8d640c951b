import { AppError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { SheetReading } from './domain/sheet-reading.ts';
import type { ImportRecord } from './import-collections.ts';
import type { ImportStore } from './import-store.ts';
import type { ImportFiles, SpreadsheetReader } from './ports.ts';

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
  for await (const part of reader.read(content, record.kind, { tenantId: record.tenantId, purpose: 'import' })) {
    const isFirst = sheet.columns === undefined;
    const rows = sheet.take(part);
    if (isFirst && sheet.columns !== undefined) {
      await store.note(record, { phase: 'reading', columns: sheet.columns, warnings: sheet.warnings });
      sheet.assertComplete();
    }
    await store.addRows(record, rows, sheet.total);
    await failpointAsync('import.rows-stored');
    if (!(await goesOn())) return false;
  }
  sheet.end();
  await store.note(record, { phase: 'submitting', total: sheet.total, warnings: sheet.warnings });
  // The rows have all of it.
  await files.delete(record.fileKey);
  return true;
}
