import { ForecastCorrection, ForecastItem, ForecastSubmission, type Warning } from '@parcelway/contracts/forecast-api';
import { hintOf } from '@parcelway/kernel/near-miss';

/** At most so many warnings come with an acceptance. */
export const MAX_WARNINGS = 100;
/** A field name in a warning is cut here: it is the caller's text and may be megabytes long. */
const MAX_NAME = 100;
/** The last place on earth to begin a day is twelve hours behind UTC. */
const LAST_OFFSET_MS = 12 * 3_600_000;

const rootFields = Object.keys(ForecastSubmission.properties);
const correctionFields = Object.keys(ForecastCorrection.properties);
const itemFields = Object.keys(ForecastItem.properties);

function ignored(name: string, known: readonly string[], prefix: string): Warning {
  const field = `${prefix}${name.slice(0, MAX_NAME)}`;
  const message =
    name === 'marketplace_label'
      ? 'The product label is generated and maintained by the platform; the value was ignored'
      : `${field} is not a field of a forecast and was ignored${hintOf(name, known)}`;
  return { field, message };
}

/** Warns of unknown fields until there are enough warnings: a body has room for hundreds of thousands of them. */
function addIgnored(warnings: Warning[], object: object, known: readonly string[], prefix: string): void {
  for (const name of Object.keys(object)) {
    if (warnings.length >= MAX_WARNINGS) return;
    if (!known.includes(name)) warnings.push(ignored(name, known, prefix));
  }
}

/**
 * True when a date is over everywhere on earth, so that nobody's today is called past.
 * @param date YYYY-MM-DD
 * @param now epoch milliseconds
 */
export function isPast(date: string, now: number): boolean {
  return date < new Date(now - LAST_OFFSET_MS).toISOString().slice(0, 10);
}

function warningsAbout(body: ForecastSubmission | ForecastCorrection, known: readonly string[], now: number): Warning[] {
  const warnings: Warning[] = [];
  addIgnored(warnings, body, known, '');
  if (typeof body.due_date === 'string' && isPast(body.due_date, now)) {
    warnings.push({ field: 'due_date', message: 'due_date is in the past' });
  }
  const { items = [] } = body;
  for (let index = 0; index < items.length && warnings.length < MAX_WARNINGS; index += 1) {
    addIgnored(warnings, items[index] as ForecastItem, itemFields, `items[${index}].`);
  }
  return warnings.slice(0, MAX_WARNINGS);
}

/**
 * What was accepted but deserves a look: ignored fields and a due date in the past. Nothing of it is stored.
 * @param submission valid, as received
 * @returns at most {@link MAX_WARNINGS}
 */
export function warningsOf(submission: ForecastSubmission, now: number): Warning[] {
  return warningsAbout(submission, rootFields, now);
}

/** As {@link warningsOf}, of a correction. */
export function correctionWarnings(correction: ForecastCorrection, now: number): Warning[] {
  return warningsAbout(correction, correctionFields, now);
}
