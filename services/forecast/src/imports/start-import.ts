import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MAX_UNFINISHED_IMPORTS } from '@parcelway/contracts/import-api';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import type { ImportChoice, ImportFiles, ImportJobs, ImportName, ImportRecord, ImportRemoval, SpreadsheetKind } from './ports.ts';

/** Stores files of imports. */
export interface ImportFileStore extends ImportFiles {
  /** Stores a content, or nothing. @throws AppError 50301, or the error of the stream as it is */
  put(fileKey: string, content: Readable, sha256: () => string): Promise<void>;
}

/** A spreadsheet that is being received. */
export interface IncomingSpreadsheet {
  readonly name: string;
  readonly kind: SpreadsheetKind;
  /** Fails with the AppError that refuses the upload. */
  readonly content: Readable;
  /** In hex; known once the content has ended. */
  sha256(): string;
  /** What the form says; known once the content has ended. */
  choice(): ImportChoice;
  /** Random text that all attempts at the request share; known as {@link choice}. Undefined without an idempotency key. */
  seed(): string | undefined;
}

/** What starting needs. */
export interface StartImportOptions {
  readonly store: ImportJobs & Pick<ImportRemoval, 'remove'>;
  readonly files: ImportFileStore;
  readonly clock: Clock;
  readonly logger: Logger;
  /** Called when an import can begin. */
  readonly wake: () => void;
}

const tooMany = (): AppError =>
  new AppError('40902', `${MAX_UNFINISHED_IMPORTS} imports are not finished; wait until one is, or cancel one`);

/**
 * Receives the file of an import, and lets the import begin. The import is noted before its file is stored, so that whatever ends the upload leaves nothing
 * that is not removed later.
 * @throws AppError 40902 when too many imports are unfinished; 42207 when the file could not be saved; what refuses the upload
 */
export async function startImport(options: StartImportOptions, tenantId: string, incoming: IncomingSpreadsheet): Promise<ImportRecord> {
  const { store, files, clock, wake } = options;
  const importId = newId('imp');
  const fileKey = `${tenantId.toLowerCase()}/${randomBytes(16).toString('hex')}`;
  const job = { tenantId, importId, fileName: incoming.name, fileKey, kind: incoming.kind, createdAt: clock.now() };
  if (!(await store.begin(job, MAX_UNFINISHED_IMPORTS))) throw tooMany();
  try {
    await files.put(fileKey, incoming.content, () => incoming.sha256());
    await failpointAsync('import.file-stored');
    const outcome = await store.ready(job, incoming.choice(), incoming.seed());
    if (outcome.kind === 'gone') throw AppError.unavailable('The upload took too long; upload the file again');
    if (outcome.kind === 'repeated') await discard(options, job, fileKey);
    wake();
    return outcome.record;
  } catch (error) {
    await discard(options, job, fileKey);
    throw error instanceof AppError && error.code === '50301' ? new AppError('42207', undefined, { cause: error }) : error;
  }
}

/** Removes what was begun. What fails here is left to the sweep. */
async function discard({ store, files, logger }: StartImportOptions, name: ImportName, fileKey: string): Promise<void> {
  try {
    await files.delete(fileKey);
    await store.remove(name);
  } catch (error) {
    logger.warn({ err: error, import_id: name.importId }, 'The rest of an upload could not be removed; the sweep removes it');
  }
}
