import { randomBytes } from 'node:crypto';
import type { Readable } from 'node:stream';
import { MAX_UNFINISHED_IMPORTS } from '@parcelway/contracts/import-limits';
import { AppError } from '@parcelway/kernel/app-error';
import { failpointAsync } from '@parcelway/kernel/failpoint';
import { newId } from '@parcelway/kernel/ids';
import type { Logger } from '@parcelway/kernel/logger';
import { concerns, reasonOf } from './domain/import-stop.ts';
import type { ImportRecord } from './import-collections.ts';
import { type ImportChoice, type ImportName, type ImportStops, type ImportStore, type NewImport, writeAgain } from './import-store.ts';
import type { ImportFiles, SpreadsheetKind } from './ports.ts';

export interface ImportFileStore extends ImportFiles {
  /** Stores a content, or nothing. @throws AppError 50301, or the error of the stream as it is */
  put(fileKey: string, content: Readable, sha256: () => string): Promise<void>;
}

export interface IncomingSpreadsheet {
  readonly name: string;
  readonly kind: SpreadsheetKind;
  /** True when the request has an idempotency key. */
  readonly hasKey: boolean;
  /** Fails with the AppError that refuses the upload. */
  readonly content: Readable;
  /** What is known once the content has ended. */
  ended(): {
    /** In hex. */
    readonly sha256: string;
    /** What the form says. */
    readonly choice: ImportChoice;
    /** Random text that all attempts at the request share; undefined without an idempotency key. */
    readonly seed: string | undefined;
  };
}

export interface Uploader {
  readonly tenantId: string;
  /** Id of the API key that is used. */
  readonly keyId: string;
  /** When the request came, epoch milliseconds: the key was good then. */
  readonly arrivedAt: number;
}

export interface StartImportOptions {
  readonly store: Pick<ImportStore, 'begin' | 'ready' | 'ofSeed' | 'find' | 'remove'>;
  readonly stops: Pick<ImportStops, 'of'>;
  readonly files: ImportFileStore;
  readonly logger: Logger;
  /** Called when an import can begin. */
  readonly wake: () => void;
  /** Pauses before a write is repeated whose response got lost; default about a second together. */
  readonly repeatPausesMs?: readonly number[];
}

/** See {@link StartImportOptions.repeatPausesMs}. */
const REPEAT_PAUSES_MS = [50, 200, 800];

const tooMany = (): AppError =>
  new AppError('40902', `${MAX_UNFINISHED_IMPORTS} imports are not finished; wait until one is, or cancel one`);

/**
 * Receives the file of an import, and lets the import begin. The import is noted before its file is stored, so that whatever ends the upload leaves nothing
 * that is not removed later. Attempts at a request with an idempotency key begin one import, also when the tenant has as many as it may have.
 * @throws AppError 40003, 40302 when the key was revoked or the tenant suspended meanwhile; 40902 when too many imports are unfinished; 42207 when the file
 * could not be saved; what refuses the upload
 */
export async function startImport(
  options: StartImportOptions,
  { tenantId, keyId, arrivedAt }: Uploader,
  incoming: IncomingSpreadsheet,
): Promise<ImportRecord> {
  const { store, files, wake, repeatPausesMs = REPEAT_PAUSES_MS } = options;
  const importId = newId('imp');
  const fileKey = `${tenantId.toLowerCase()}/${randomBytes(16).toString('hex')}`;
  const job = { tenantId, importId, fileName: incoming.name, fileKey, kind: incoming.kind, keyId, createdAt: arrivedAt };
  if (!(await writeAgain(repeatPausesMs, () => store.begin(job, MAX_UNFINISHED_IMPORTS))))
    return earlierAttempt(options, tenantId, incoming);
  try {
    // After the import was added: a stop that is not noted by now finds it, see stopImports.
    await assertNotStopped(options, job);
    await files.put(fileKey, incoming.content, () => incoming.ended().sha256);
    await failpointAsync('import.file-stored');
    const { choice, seed } = incoming.ended();
    const record = await writeAgain(repeatPausesMs, () => store.ready(job, choice, seed));
    if (record === undefined) await assertNotStopped(options, job);
    if (record === undefined) throw AppError.unavailable('The upload took too long; upload the file again');
    if (record.importId !== importId) await discard(options, job, fileKey);
    wake();
    return record;
  } catch (error) {
    await discard(options, job, fileKey);
    throw error instanceof AppError && error.code === '50301' ? new AppError('42207', undefined, { cause: error }) : error;
  }
}

/** @throws AppError 40003, 40302 when the import is not to begin */
async function assertNotStopped({ stops }: StartImportOptions, job: NewImport): Promise<void> {
  const stop = (await stops.of(job.tenantId, job.keyId)).find((known) => concerns(known, job));
  if (stop === undefined) return;
  const { code, message } = reasonOf(stop, 'upload');
  throw new AppError(code, message);
}

/** The import that an earlier attempt at the request has made. Which request it is, is known once the content has come. @throws AppError 40902 when there is none */
async function earlierAttempt({ store }: StartImportOptions, tenantId: string, incoming: IncomingSpreadsheet): Promise<ImportRecord> {
  if (!incoming.hasKey) throw tooMany();
  for await (const _chunk of incoming.content);
  const { seed } = incoming.ended();
  const known = seed === undefined ? undefined : await store.ofSeed(tenantId, seed);
  if (known === undefined) throw tooMany();
  return known;
}

/** Removes what was begun, unless it runs already. What fails here is left to the sweep. */
async function discard({ store, files, logger }: StartImportOptions, name: ImportName, fileKey: string): Promise<void> {
  try {
    if ((await store.find(name)) !== undefined) return;
    await files.delete(fileKey);
    await store.remove(name);
  } catch (error) {
    logger.warn({ err: error, import_id: name.importId }, 'The rest of an upload could not be removed; the sweep removes it');
  }
}
