import { AppError } from '@parcelway/kernel/app-error';

/** 42201: what was given as a place in the event feed is none of the store's. */
export function misplaced(): AppError {
  return AppError.validation([{ field: 'after', rule: 'format', message: 'after must be the next_cursor of an answer before' }]);
}
