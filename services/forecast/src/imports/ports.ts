import type { ImportError, ImportPhase, ImportRowState, ImportState } from '@parcelway/contracts/import-api';
import type { Warning } from '@parcelway/contracts/warnings';
import type { FieldError } from '@parcelway/kernel/app-error';
import type { ReadRow } from './domain/assemble-forecast.ts';
import type { ImportStop } from './domain/import-stop.ts';
import type { ImportWarning, MappedColumn, Mapping } from './domain/map-columns.ts';

/** Says that another process has taken an import: nothing was written, and who had it before leaves it alone. */
export class TakenOver extends Error {
  constructor() {
    super('Another process has taken the import');
  }
}

export type SpreadsheetKind = 'csv' | 'xlsx';

/** An import as it begins. Instants are epoch milliseconds. */
export interface NewImport {
  readonly tenantId: string;
  /** Orders the imports of a tenant by their creation. */
  readonly importId: string;
  readonly fileName: string;
  /** Key of the file in the object storage. */
  readonly fileKey: string;
  readonly kind: SpreadsheetKind;
  /** Id of the API key that begins it, which its forecasts have as well. */
  readonly keyId: string;
  /** Arrival of the request. */
  readonly createdAt: number;
}

/** What the fields of the upload's form say; known once the file has come. */
export interface ImportChoice {
  readonly mapping: Mapping;
  readonly validateOnly: boolean;
}

export interface ImportCounts {
  readonly total: number;
  readonly accepted: number;
  readonly failed: number;
  readonly forecastsAccepted: number;
  readonly forecastsFailed: number;
}

export interface ImportRecord extends NewImport, ImportChoice, ImportCounts {
  /** `receiving` while the file arrives: callers do not see it. */
  readonly state: ImportState | 'receiving';
  readonly phase: ImportPhase;
  /** How often processes have taken it, see {@link ImportJobs.take}. */
  readonly attempt: number;
  readonly columns: readonly MappedColumn[];
  readonly warnings: readonly ImportWarning[];
  readonly error: ImportError | null;
  readonly finishedAt: number | null;
}

export type ImportName = Pick<NewImport, 'tenantId' | 'importId'>;

/** An import as one process has it: of those that took it, only the last one writes. */
export type HeldImport = ImportName & Pick<ImportRecord, 'attempt'>;

export interface ImportEnd {
  readonly state: ImportState;
  readonly error: ImportError | null;
  readonly at: number;
}

export interface NewRow extends ReadRow {
  /** What groups rows; empty when the row has none. */
  readonly poNumber: string;
}

export interface RowOutcome {
  readonly row: number;
  readonly state: Exclude<ImportRowState, 'pending'>;
  readonly forecastNo: string | null;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

export interface StoredRow extends NewRow, Omit<RowOutcome, 'state'> {
  readonly state: ImportRowState;
}

export interface RowQuery {
  readonly state?: RowOutcome['state'];
  /** Only rows after it; 0 begins. */
  readonly after: number;
  readonly limit: number;
}

/** How much is read at a time: it ends with the row that reaches one of both. */
export interface RowLimit {
  readonly rows: number;
  readonly characters: number;
}

export type ReadyOutcome =
  /** It waits for its turn. */
  | { readonly kind: 'ready'; readonly record: ImportRecord }
  /** An earlier attempt at the same request has made this import; the new one is to be discarded. */
  | { readonly kind: 'repeated'; readonly record: ImportRecord }
  /** It was swept or erased since. */
  | { readonly kind: 'gone' };

/** Imports as callers see them. Each method throws AppError 50301 when the store is out. */
export interface ImportReads {
  /** Undefined also while it is `receiving`. */
  find(name: ImportName): Promise<ImportRecord | undefined>;
  /** Newest first, without those that are `receiving`. @param before only those older than this import; undefined begins */
  list(tenantId: string, before: string | undefined, limit: number): Promise<readonly ImportRecord[]>;
  /** Rows in their order. */
  rows(name: ImportName, query: RowQuery): Promise<readonly StoredRow[]>;
}

/** Begins and ends imports. Each method throws AppError 50301 when the store is out. */
export interface ImportJobs {
  /** Adds an import that is `receiving`, durably; the same again changes nothing. @returns false when the tenant has `most` other unfinished ones */
  begin(job: NewImport, most: number): Promise<boolean>;
  /**
   * Lets an import begin whose file is stored; the same again changes nothing, and gives the import as it is then.
   * @param seed the same for every attempt at a request; undefined when it has no idempotency key
   */
  ready(name: ImportName, choice: ImportChoice, seed: string | undefined): Promise<ReadyOutcome>;
  /** The import that the attempts at a request have made; undefined when there is none. */
  ofSeed(tenantId: string, seed: string): Promise<ImportRecord | undefined>;
  /** Takes a running import to work on it, durably. Whoever had it before cannot write any more. @returns undefined when it does not run */
  take(name: ImportName): Promise<ImportRecord | undefined>;
  /** Ends a running import, whoever has it. @returns false when it does not run */
  finish(name: ImportName, end: ImportEnd): Promise<boolean>;
  /** Ends a running import that this process has. @returns false when it does not run, or another process has taken it */
  finishHeld(held: HeldImport, end: ImportEnd): Promise<boolean>;
  /** The next tenant with a running import, in the order of ids. */
  nextRunning(after: string): Promise<string | undefined>;
  /** Unfinished imports of a tenant, oldest first; there are few. */
  unfinished(tenantId: string): Promise<readonly ImportRecord[]>;
}

/** The rows of imports that run. Each method throws AppError 50301 when the store is out; those that write throw TakenOver when another process has taken the import. */
export interface ImportRows {
  /** Says that the file is being read, and what its columns are. */
  reading(held: HeldImport, columns: readonly MappedColumn[], warnings: readonly ImportWarning[]): Promise<void>;
  /** Stores rows, durably; the same rows again change nothing. @param total rows read so far */
  addRows(held: HeldImport, rows: readonly NewRow[], total: number): Promise<void>;
  /** Says that all rows are stored. */
  submitting(held: HeldImport, total: number, warnings: readonly ImportWarning[]): Promise<void>;
  /** The first rows without a result: so many, or fewer once they have the characters. */
  pending(name: ImportName, limit: RowLimit): Promise<readonly NewRow[]>;
  /** Rows without a result of these po_numbers, in the order of po_number and row. The po_number with which the limit is reached is the last one, with all its rows. */
  pendingOf(name: ImportName, poNumbers: readonly string[], limit: RowLimit): Promise<readonly NewRow[]>;
  /**
   * Writes the results of rows, and counts them, in one durable step. When all of them have a result already, an earlier try has got through: nothing changes.
   * @param outcomes at least one
   * @param forecasts how many the rows are of
   * @throws AppError 50301 also when some of the rows have a result already: then none is written
   */
  settle(
    held: HeldImport,
    outcomes: readonly RowOutcome[],
    forecasts: { readonly accepted: number; readonly failed: number },
  ): Promise<void>;
}

/** Removes imports. Each method throws AppError 50301 when the store is out. */
export interface ImportRemoval {
  /** The next tenant with an import, in the order of ids. */
  nextTenant(after: string): Promise<string | undefined>;
  /** The oldest import of a tenant. */
  oldest(tenantId: string): Promise<ImportRecord | undefined>;
  /** Deletes rows of an import. @returns how many; `limit` at most */
  removeRows(name: ImportName, limit: number): Promise<number>;
  /** Deletes an import without rows. */
  remove(name: ImportName): Promise<void>;
  /** Deletes an import that is still `receiving`. @returns false when there is none */
  removeReceiving(name: ImportName): Promise<boolean>;
}

/** What has stopped imports lately, for uploads that are under way. Each method throws AppError 50301 when the store is out. */
export interface ImportStops {
  /** Notes a stop, durably. Of several of one key, or of one tenant as a whole, the latest counts. @param now until when it is kept follows from it */
  note(stop: ImportStop, now: number): Promise<void>;
  /** The stops of the key and of the tenant as a whole. */
  of(tenantId: string, keyId: string): Promise<readonly ImportStop[]>;
  /** Deletes what was noted before an instant. @returns how many; `limit` at most */
  forget(before: number, limit: number): Promise<number>;
}

export interface ImportStore extends ImportReads, ImportJobs, ImportRows, ImportRemoval {}

export interface SheetPart {
  /** Rows that have something in them, in their order. */
  readonly rows: readonly ReadRow[];
  /** What is unusual about the file; known with the first part. */
  readonly warnings: readonly string[];
  /** True when days are counted from 1904. */
  readonly countsFrom1904: boolean;
}

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

export interface Validation {
  readonly errors: readonly FieldError[];
  readonly warnings: readonly Warning[];
}

/** Checks a forecast without submitting it. @throws AppError 50301 when that cannot be done now */
export type ValidateForecast = (tenantId: string, body: unknown) => Promise<Validation>;
