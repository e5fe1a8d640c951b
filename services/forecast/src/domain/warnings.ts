import { ForecastItem, ForecastSubmission, type Warning } from '@parcelway/contracts/forecast-api';

/** At most so many warnings come with an acceptance. */
export const MAX_WARNINGS = 100;
/** A field name in a warning is cut here: it is the caller's text and may be megabytes long. */
const MAX_NAME = 100;
/** The last place on earth to begin a day is twelve hours behind UTC. */
const LAST_OFFSET_MS = 12 * 3_600_000;

const rootFields = new Set(Object.keys(ForecastSubmission.properties));
const itemFields = new Set(Object.keys(ForecastItem.properties));

function ignored(name: string, prefix: string): Warning {
  const field = `${prefix}${name.slice(0, MAX_NAME)}`;
  const message =
    name === 'marketplace_label'
      ? 'The product label is generated and maintained by the platform; the value was ignored'
      : `${field} is not a field of a forecast and was ignored`;
  return { field, message };
}

/**
 * True when a date is over everywhere on earth, so that nobody's today is called past.
 * @param date YYYY-MM-DD
 * @param now epoch milliseconds
 */
export function isPast(date: string, now: number): boolean {
  return date < new Date(now - LAST_OFFSET_MS).toISOString().slice(0, 10);
}

/**
 * What was accepted but deserves a look: ignored fields and a due date in the past. Nothing of it is stored.
 * @param submission valid, as received
 * @returns at most {@link MAX_WARNINGS}
 */
export function warningsOf(submission: ForecastSubmission, now: number): Warning[] {
  const warnings: Warning[] = [];
  for (const name of Object.keys(submission)) if (!rootFields.has(name)) warnings.push(ignored(name, ''));
  if (submission.due_date !== undefined && isPast(submission.due_date, now)) {
    warnings.push({ field: 'due_date', message: 'due_date is in the past' });
  }
  for (let index = 0; index < submission.items.length && warnings.length < MAX_WARNINGS; index += 1) {
    for (const name of Object.keys(submission.items[index] as ForecastItem)) {
      if (!itemFields.has(name)) warnings.push(ignored(name, `items[${index}].`));
    }
  }
  return warnings.slice(0, MAX_WARNINGS);
}
