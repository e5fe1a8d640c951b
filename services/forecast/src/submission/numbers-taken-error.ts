import { AppError } from '@parcelway/kernel/app-error';
import type { CanonicalForecast } from '../store/domain/canonical.ts';
import { MAX_LISTED } from './domain/resubmission.ts';

/**
 * The refusal of logistics numbers that other forecasts hold: 42202 with the numbers and the fields that have them. The rule is in
 * ../store/domain/held-numbers.ts.
 */
export function numbersTaken(content: CanonicalForecast, taken: readonly string[]): AppError {
  const inUse = new Set(taken);
  const fields = content.items.flatMap((item, index) =>
    item.tracking_number !== undefined && inUse.has(item.tracking_number) ? [`items[${index}].tracking_number`] : [],
  );
  const data = { tracking_numbers: taken.slice(0, MAX_LISTED), fields: fields.slice(0, MAX_LISTED) };
  return new AppError('42202', undefined, { data });
}
