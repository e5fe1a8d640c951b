import { AppError } from '@parcelway/kernel/app-error';

/** 42201: what was given as a place among the events is none of the store's. @param field that it came in */
export function misplaced(field: 'after' | 'cursor'): AppError {
  return AppError.validation([{ field, rule: 'format', message: `${field} must be the next_cursor of an earlier response` }]);
}
