import { MAX_DUE_DAYS } from '@parcelway/contracts/warehouse-view-api';
import type { FieldError } from '@parcelway/kernel/app-error';

const DAY_MS = 86_400_000;

const wrong = (field: string, rule: string, message: string): FieldError => ({ field, rule, message: `${field} ${message}` });

/**
 * The days of a range, both ends included.
 * @param from YYYY-MM-DD, a real day
 * @returns undefined without a range; an error when only one end is given, the ends are in the wrong order, or it is too long
 */
export function dueDays(from: string | undefined, to: string | undefined): readonly string[] | FieldError | undefined {
  if (from === undefined && to === undefined) return undefined;
  if (from === undefined) return wrong('due_from', 'required', 'is required together with due_to');
  if (to === undefined) return wrong('due_to', 'required', 'is required together with due_from');
  const days = (Date.parse(to) - Date.parse(from)) / DAY_MS + 1;
  if (days < 1) return wrong('due_to', 'range', 'must not be before due_from');
  if (days > MAX_DUE_DAYS) return wrong('due_to', 'range', `must be within ${MAX_DUE_DAYS} days from due_from, both included`);
  return Array.from({ length: days }, (_, index) => new Date(Date.parse(from) + index * DAY_MS).toISOString().slice(0, 10));
}
