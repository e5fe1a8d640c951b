import { AppError } from '@parcelway/kernel/app-error';
import { mongo } from 'mongoose';

/** Server code of a violated unique index (error_codes.yml: DuplicateKey). */
const DUPLICATE_KEY = 11_000;

/**
 * Server codes of failures that pass: no primary now, a primary that steps down, an interrupted or late operation, a
 * write that the majority has not confirmed in time, a full disk (names as in MongoDB's error_codes.yml).
 */
const PASSING_CODE_NAMES = new Set([
  'HostUnreachable',
  'HostNotFound',
  'NetworkTimeout',
  'ShutdownInProgress',
  'PrimarySteppedDown',
  'ExceededTimeLimit',
  'MaxTimeMSExpired',
  'SocketException',
  'NotWritablePrimary',
  'InterruptedAtShutdown',
  'InterruptedDueToReplStateChange',
  'NotPrimaryNoSecondaryOk',
  'NotPrimaryOrSecondary',
  'ReadConcernMajorityNotAvailableYet',
  'WriteConcernFailed',
  'WriteConcernTimeout',
  'UnsatisfiableWriteConcern',
  'WriteConflict',
  'LockTimeout',
  'OutOfDiskSpace',
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
  if (!(error instanceof MongoError)) return false;
  if (error instanceof MongoNetworkError || error instanceof MongoServerSelectionError) return true;
  if (error instanceof MongoNotConnectedError || error instanceof MongoTopologyClosedError || error instanceof MongoClientClosedError)
    return true;
  if (error.name === 'MongoWaitQueueTimeoutError' || error.name === 'MongoPoolClearedError' || error.name === 'MongoPoolClosedError')
    return true;
  if (RETRYABLE_LABELS.some((label) => error.hasErrorLabel(label))) return true;
  return error instanceof MongoServerError && PASSING_CODE_NAMES.has(nameOfCode(error) ?? '');
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

/** The server names the violated index in the text alone: `… index: <name> dup key: { … }`. The values behind that are anybody's. */
function named(message: string, index: string | undefined): boolean {
  return index === undefined || (message.split(' dup key: ', 1)[0] ?? '').endsWith(` index: ${index}`);
}
