import { AppError } from '@parcelway/kernel/app-error';

/**
 * Families of failures (sqlite.org/rescode.html) that are the disk's or another process's and pass: SQLITE_BUSY (a person or a backup holds the
 * file), SQLITE_READONLY (remounted after an error), SQLITE_IOERR, SQLITE_FULL and SQLITE_CANTOPEN (no descriptors left).
 */
const STORAGE_CODES = new Set([5, 8, 10, 13, 14]);

/** Families of failures that say that the file itself is broken: SQLITE_CORRUPT and SQLITE_NOTADB. */
const DAMAGE_CODES = new Set([11, 26]);

function resultCode(error: unknown): number | undefined {
  const code = (error as { sqliteExtendedCode?: unknown } | null)?.sqliteExtendedCode;
  return typeof code === 'number' ? code : undefined;
}

/** True when `error` says that the file is damaged or none of SQLite's. */
export function isDamaged(error: unknown): boolean {
  return DAMAGE_CODES.has((resultCode(error) ?? 0) & 0xff);
}

/** The same error; what SQLite says of a damaged file begins with the name of it. */
export function namingDamaged(error: unknown, path: string): unknown {
  if (isDamaged(error) && !(error as Error).message.startsWith(path)) {
    (error as Error).message =
      `${path} is damaged (${(error as Error).message}). Restore a backup into a new directory: DATA_DIR=<new directory> parcelctl restore --from <backup>`;
  }
  return error;
}

/** The family of the code that `error` has, or its cause. */
function familyOf(error: unknown): number {
  return (resultCode(error) ?? resultCode((error as { cause?: unknown } | null)?.cause) ?? 0) & 0xff;
}

/** True when `error` is, or was caused by, a disk without free space (SQLITE_FULL). */
export const isDiskFull = (error: unknown): boolean => familyOf(error) === 13;

/** True when `error` is, or was caused by, a disk that could not be read or written (SQLITE_IOERR). */
export const isDiskFailure = (error: unknown): boolean => familyOf(error) === 10;

/** AppError 50301: the disk or another process is in the way now. */
export function storeFailure(cause: unknown): AppError {
  return AppError.unavailable('The store cannot be used now; try again', cause);
}

/** A failure of the disk or of another process as AppError 50301; any other error as it is. */
export function asStorageError(error: unknown): unknown {
  const code = resultCode(error);
  return code !== undefined && STORAGE_CODES.has(code & 0xff) ? storeFailure(error) : error;
}
