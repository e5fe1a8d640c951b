import type { SubmissionError } from '@parcelway/contracts/forecast-validation-api';
import { normaliseTrackingNumber } from '@parcelway/contracts/tracking-number';
import { type CanonicalForecast, contentHash } from '../../store/domain/canonical.ts';
import { claimsOf } from '../../store/domain/held-numbers.ts';
import { MAX_LISTED } from './resubmission.ts';

/** What an unchecked forecast of a batch shares with others, if they have it too: its po_number and its logistics numbers. */
function sharedNames(forecast: unknown): readonly string[] {
  const { po_number: poNumber, forecast_type: type, items } = (forecast ?? {}) as Readonly<Record<string, unknown>>;
  const names = new Set<string>();
  if (typeof poNumber === 'string') names.add(`po_number ${poNumber}`);
  // Forecasts of type 1 claim no numbers.
  for (const item of type !== 1 && Array.isArray(items) ? items : []) {
    const number = (item as { readonly tracking_number?: unknown } | null)?.tracking_number;
    if (typeof number === 'string') names.add(`tracking_number ${normaliseTrackingNumber(number)}`);
  }
  return [...names];
}

/**
 * Which forecasts of a batch have to wait for which: those that share a po_number or a logistics number are submitted in their order, so that the
 * first one is accepted; all others may be submitted at once.
 * @param forecasts as received, unchecked
 * @returns for each forecast the indexes of earlier ones that must be finished before it
 */
export function batchOrder(forecasts: readonly unknown[]): readonly (readonly number[])[] {
  const last = new Map<string, number>();
  return forecasts.map((forecast, index) => {
    const names = sharedNames(forecast);
    const before = new Set(names.flatMap((name) => last.get(name) ?? []));
    for (const name of names) last.set(name, index);
    return [...before];
  });
}

/**
 * What valid forecasts of a batch take from each other: of two with one po_number and other content, or with one logistics number, the later
 * one would be refused.
 * @param contents undefined for a forecast that is not accepted anyway
 * @returns the errors of each, in their order
 */
export function batchConflicts(contents: readonly (CanonicalForecast | undefined)[]): readonly (readonly SubmissionError[])[] {
  const poNumbers = new Map<string, { readonly hash: string; readonly index: number }>();
  const holders = new Map<string, number>();
  return contents.map((content, index) => {
    if (content === undefined) return [];
    const hash = contentHash(JSON.stringify(content));
    const same = poNumbers.get(content.po_number);
    if (same !== undefined) return same.hash === hash ? [] : [conflict('40901', 'po_number', 'different', same.index)];
    const errors = takenWithin(content, holders);
    // A forecast that would be refused takes nothing.
    if (errors.length > 0) return errors;
    poNumbers.set(content.po_number, { hash, index });
    for (const number of claimsOf(content)) holders.set(number, index);
    return [];
  });
}

function takenWithin(content: CanonicalForecast, holders: ReadonlyMap<string, number>): readonly SubmissionError[] {
  if (content.forecast_type !== 2) return [];
  const errors = content.items.flatMap(({ tracking_number: number }, place) => {
    const holder = number === undefined ? undefined : holders.get(number);
    return holder === undefined ? [] : [conflict('42202', `items[${place}].tracking_number`, 'in_use', holder)];
  });
  return errors.slice(0, MAX_LISTED);
}

function conflict(code: string, field: string, rule: string, index: number): SubmissionError {
  const message =
    code === '40901' ? `${field} is that of forecasts[${index}], whose content differs` : `${field} is in use by forecasts[${index}]`;
  return { code, field, rule, message };
}
