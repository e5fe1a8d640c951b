import type { CanonicalForecast } from './canonical.ts';
import { dispatchesOf } from './dispatches.ts';
import type { Progress } from './forecast.ts';
import { holdsOf, isOnHold } from './holds.ts';

/*
 * What a forecast is found by besides its own columns. A store keeps one index over the terms of all kinds: the first letter of a term says which
 * kind it is, so an SKU that reads like a number is not found as one.
 */

/** The term of an SKU, exactly as submitted. */
export const skuTerm = (skuCode: string): string => `s${skuCode}`;

/** The term of a logistics number, or of a number under which a parcel was dispatched. @param number normalised */
export const numberTerm = (number: string): string => `n${number}`;

/** The term of the warehouse that a forecast names. */
export const warehouseTerm = (warehouseCode: string): string => `w${warehouseCode}`;

/** The term of a forecast with an exception. */
export const EXCEPTION_TERM = 'x';

/** The term of a forecast that the warehouse holds. */
export const HOLD_TERM = 'h';

const distinct = (terms: readonly string[]): readonly string[] => [...new Set(terms)];

/** The terms of what was submitted, each once: two for each item, and one of the warehouse, at most. */
export function contentTerms({ warehouse_code, items }: CanonicalForecast): readonly string[] {
  const ofItems = items.flatMap(({ sku_code, tracking_number }) => [
    skuTerm(sku_code),
    ...(tracking_number === undefined ? [] : [numberTerm(tracking_number)]),
  ]);
  return distinct([warehouseTerm(warehouse_code), ...ofItems]);
}

type Reported = Pick<Progress, 'dispatch' | 'furtherDispatches' | 'exceptions' | 'holdFacts'>;

/** Those of {@link EXCEPTION_TERM} and {@link HOLD_TERM} that a forecast has. */
export function conditionTerms({ exceptions = [], holdFacts = [] }: Pick<Progress, 'exceptions' | 'holdFacts'>): readonly string[] {
  return [...(exceptions.length > 0 ? [EXCEPTION_TERM] : []), ...(isOnHold(holdsOf(holdFacts)) ? [HOLD_TERM] : [])];
}

const reportedTerms = (progress: Reported): readonly string[] => [
  ...dispatchesOf(progress).map(({ trackingNumber }) => numberTerm(trackingNumber)),
  ...conditionTerms(progress),
];

/** All terms of a forecast, each once. */
export function termsOf(content: CanonicalForecast, progress: Reported): readonly string[] {
  return distinct([...contentTerms(content), ...reportedTerms(progress)]);
}

/** The {@link contentTerms} before and after a correction. */
export interface CorrectedTerms {
  readonly before: readonly string[];
  readonly after: readonly string[];
}

export interface TermsChange {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  /** All terms afterwards. Absent when none is removed and only those that are added are known. */
  readonly all?: readonly string[];
}

const without = (terms: readonly string[], others: readonly string[]): readonly string[] => {
  const excluded = new Set(others);
  return terms.filter((term) => !excluded.has(term));
};

/**
 * How a write changes the terms: a correction replaces those of the content; a dispatch and an exception add one, a release removes one.
 * @param corrected absent when the content stays
 * @returns undefined when the terms stay
 */
export function termsChange(
  corrected: CorrectedTerms | undefined,
  progressBefore: Reported,
  progressAfter: Reported,
): TermsChange | undefined {
  const before = distinct([...(corrected?.before ?? []), ...reportedTerms(progressBefore)]);
  const after = distinct([...(corrected?.after ?? []), ...reportedTerms(progressAfter)]);
  const change = { added: without(after, before), removed: without(before, after) };
  if (change.added.length === 0 && change.removed.length === 0) return undefined;
  return corrected === undefined ? change : { ...change, all: after };
}
