import type { SheetPart } from './domain/sheet-reading.ts';

export type SpreadsheetKind = 'csv' | 'xlsx';

/** What a spreadsheet is read for. Somebody waits for a preview. */
export type ReadingPurpose = 'import' | 'preview';

export interface Reading {
  readonly tenantId: string;
  readonly purpose: ReadingPurpose;
  /** Aborted when no client waits any more: ends the reading. */
  readonly signal?: AbortSignal | undefined;
}

export interface SpreadsheetReader {
  /**
   * The rows of the first visible sheet, some at a time. One file of a tenant is read at a time, and tenants take turns.
   * @param content must not be used afterwards
   * @throws AppError 42205 not readable; 42206 too large; 50301 when the reader is closed or reads too many others, or the signal is aborted
   */
  read(content: Uint8Array<ArrayBuffer>, kind: SpreadsheetKind, reading: Reading): AsyncGenerator<SheetPart, void, void>;
}

/** Files of imports. Each method throws AppError 50301 when the storage is out. */
export interface ImportFiles {
  /** The content of a file; undefined when there is none. */
  read(fileKey: string): Promise<Uint8Array<ArrayBuffer> | undefined>;
  /** Deletes a file; a missing one is no error. */
  delete(fileKey: string): Promise<void>;
}
