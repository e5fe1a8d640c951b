import { AppError } from '@parcelway/kernel/app-error';
import { mongo } from 'mongoose';

/** Server code of a violated unique index (error_codes.yml: DuplicateKey). */
const DUPLICATE_KEY = 11_000;

/** Server code of a command that the disk has no room for (error_codes.yml: OutOfDiskSpace). */
const OUT_OF_DISK_SPACE = 14_031;

/**
 * Server codes of failures that pass: no primary now, a primary that steps down, an interrupted or late operation, a
 * write that the majority has not confirmed in time, a full disk, a document that is full of messages which wait to be published (as in MongoDB's
 * error_codes.yml).
 */
const PASSING_CODES: ReadonlyMap<string, number> = new Map([
  ['HostUnreachable', 6],
  ['HostNotFound', 7],
  ['LockTimeout', 24],
  ['MaxTimeMSExpired', 50],
  ['WriteConcernFailed', 64],
  // The same under its new name.
  ['WriteConcernTimeout', 64],
  ['NetworkTimeout', 89],
  ['ShutdownInProgress', 91],
  ['UnsatisfiableWriteConcern', 100],
  ['WriteConflict', 112],
  ['ReadConcernMajorityNotAvailableYet', 134],
  ['PrimarySteppedDown', 189],
  ['ExceededTimeLimit', 262],
  ['SocketException', 9001],
  ['NotWritablePrimary', 10_107],
  ['BSONObjectTooLarge', 10_334],
  ['InterruptedAtShutdown', 11_600],
  ['InterruptedDueToReplStateChange', 11_602],
  ['NotPrimaryNoSecondaryOk', 13_435],
  ['NotPrimaryOrSecondary', 13_436],
  ['OutOfDiskSpace', OUT_OF_DISK_SPACE],
  // As updates have it.
  ['Location17419', 17_419],
]);
const PASSING_NUMBERS: ReadonlySet<unknown> = new Set(PASSING_CODES.values());

/** Codes of Node's own errors that the driver lets through as they are: the connection broke while a command waited to be written. */
const BROKEN_CONNECTION: ReadonlySet<unknown> = new Set([
  'EPIPE',
  'ECONNRESET',
  'ECONNABORTED',
  'ETIMEDOUT',
  'ERR_SOCKET_CLOSED',
  'ERR_STREAM_DESTROYED',
  'ERR_STREAM_WRITE_AFTER_END',
]);

const RETRYABLE_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'];

const {
  MongoError,
  MongoNetworkError,
  MongoServerError,
  MongoServerSelectionError,
  MongoBulkWriteError,
  MongoNotConnectedError,
  MongoTopologyClosedError,
  MongoClientClosedError,
} = mongo;

function nameOfCode(error: InstanceType<typeof MongoServerError>): string | undefined {
  const nested = error.result as { writeConcernError?: { codeName?: string } } | undefined;
  return error.codeName ?? nested?.writeConcernError?.codeName;
}

function passes(error: unknown): boolean {
  // Mongoose wraps a failed selection and says so by name; it also refuses calls before the first connection.
  const { name } = error as Error;
  if (name === 'MongooseServerSelectionError' || name === 'MongooseNotConnectedError') return true;
  if (!(error instanceof MongoError)) return BROKEN_CONNECTION.has((error as NodeJS.ErrnoException).code);
  if (error instanceof MongoBulkWriteError && bulkPasses(error)) return true;
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError || error instanceof MongoClientClosedError)
    return true;
  if (error.name === 'MongoWaitQueueTimeoutError' || error.name === 'MongoPoolClearedError' || error.name === 'MongoPoolClosedError')
    return true;
  if (RETRYABLE_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  // A failed single write comes without the name of its code.
  return error instanceof MongoServerError && (PASSING_CODES.has(nameOfCode(error) ?? '') || PASSING_NUMBERS.has(error.code));
}

/**
 * The driver packs every failure of a bulk write in an error of that kind: what went wrong on the way as `errorResponse`,
 * failed single writes, which have no name of a code, and writes that the majority has not confirmed. The last come
 * before violated indexes: what was written beside them may yet be taken back.
 */
function bulkPasses(error: InstanceType<typeof MongoBulkWriteError>): boolean {
  const cause: unknown = error.errorResponse;
  if (cause instanceof Error && passes(cause)) return true;
  if (error.result.getWriteConcernError() !== undefined) return true;
  return [error.writeErrors].flat().some(({ code }) => PASSING_NUMBERS.has(code));
}

/** An error of the driver as the platform's: 50301 when it passes by itself, as it is otherwise (a defect, or a violated constraint). */
export function asStoreError(error: unknown): unknown {
  if (error === null || typeof error !== 'object' || error instanceof AppError) return error;
  return passes(error) ? AppError.unavailable('The store cannot be used now; try again', error) : error;
}

/**
 * True when `error` is a violated unique index; `index` narrows it to one by name. For an unordered bulk write: when
 * all its failures are.
 */
export function isDuplicateKey(error: unknown, index?: string): boolean {
  if (error instanceof MongoBulkWriteError) {
    const failures = [error.writeErrors].flat();
    return failures.length > 0 && failures.every(({ code, errmsg }) => code === DUPLICATE_KEY && named(errmsg ?? '', index));
  }
  return error instanceof MongoServerError && error.code === DUPLICATE_KEY && named(error.message, index);
}

/**
 * The documents of an unordered insert that unique indexes refused: by place, the error that an insert of this document alone has. Undefined when
 * something else went wrong, too.
 */
export function refusalsOf(error: unknown): ReadonlyMap<number, Error> | undefined {
  if (!isDuplicateKey(error) || asStoreError(error) !== error) return undefined;
  if (!(error instanceof MongoBulkWriteError)) return new Map([[0, error as Error]]);
  const refusals = [error.writeErrors].flat().map(({ index, code, errmsg = '' }) => {
    return [index, new MongoServerError({ code, errmsg, message: errmsg })] as const;
  });
  return new Map(refusals);
}

/** True when the disk had no room for a command. */
export function isOutOfDiskSpace(error: unknown): boolean {
  return error instanceof MongoServerError && error.code === OUT_OF_DISK_SPACE;
}

/** The server names the violated index in the text alone: `… index: <name> dup key: { … }`. The values behind that are anybody's. */
function named(message: string, index: string | undefined): boolean {
  return index === undefined || (message.split(' dup key: ', 1)[0] ?? '').endsWith(` index: ${index}`);
}
