import { AppError } from '@parcelway/kernel/app-error';

/** A failed operation of a driver as the failure that callers of an object store expect: AppError 50301. */
export function storageFailure(error: unknown): AppError {
  return error instanceof AppError ? error : AppError.unavailable('The object store cannot be used now; try again', error);
}
