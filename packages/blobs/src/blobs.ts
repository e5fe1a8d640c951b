import type { Readable } from 'node:stream';
import { AppError } from '@parcelway/kernel/app-error';

/** A failed operation of a driver as the failure that callers of an object store expect: AppError 50301. */
export function storageFailure(error: unknown): AppError {
  return error instanceof AppError ? error : AppError.unavailable('The object store cannot be used now; try again', error);
}

/**
 * Object storage. Keys are chosen by the platform (`pdf/ab/cd…`), never taken from a user; they match
 * `^[a-z0-9][a-z0-9/_.-]{0,254}$` without `..`.
 */
export interface Blobs {
  /**
   * Stores the whole stream under `key`, or nothing: a failed or aborted write leaves no object behind. An existing
   * object of that key is replaced. Chunks of the stream must not be changed afterwards.
   * @param contentType for who reads a bucket by other means
   * @throws AppError 50301 when the store is out or slower than its deadline; the source stream's own error as it is
   */
  put(key: string, content: Readable, contentType: string): Promise<void>;
  /**
   * Opens an object, or undefined when there is none. The stream must be read to its end or destroyed.
   * @param range in bytes, inclusive; begins within the object
   * @throws AppError 50301; RangeError when the range ends before it begins
   */
  open(key: string, range?: BlobRange): Promise<Readable | undefined>;
  /** Deletes an object; a missing one is no error. @throws AppError 50301 */
  delete(key: string): Promise<void>;
  /** Resolves when the store responds. @throws AppError 50301 */
  check(): Promise<void>;
  close(): Promise<void>;
}

/** Bytes of an object from the first to the last. */
export interface BlobRange {
  readonly start: number;
  readonly end: number;
}

const KEY = /^[a-z0-9][a-z0-9/_.-]{0,254}$/;

/**
 * Checks that `key` is an object key the platform may use; every driver calls it first.
 * @throws RangeError otherwise: keys are never made from input, so a bad one is a defect
 */
export function assertBlobKey(key: string): void {
  if (!KEY.test(key) || key.includes('..')) throw new RangeError('Not an object key');
}

/** Checks that a range has at least one byte. Every driver calls it first. @throws RangeError if it is empty */
export function assertBlobRange(range: BlobRange | undefined): void {
  if (range !== undefined && range.end < range.start) throw new RangeError('The range ends before it begins');
}
