import { AppError } from '@parcelway/kernel/app-error';

/** 42201: the cursor is not one that the store has issued. @param field that it came in */
export function misplaced(field: 'after' | 'cursor'): AppError {
  return AppError.validation([{ field, rule: 'format', message: `${field} must be the next_cursor of an earlier response` }]);
}
