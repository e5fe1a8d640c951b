import type { CanonicalForecast } from './canonical.ts';
import { dispatchesOf } from './dispatches.ts';
import type { ForecastCondition, Progress } from './forecast.ts';
import { holdsOf, isOnHold } from './holds.ts';

/*
 * What a forecast is found by besides its own fields. One index has the terms of all kinds: the first letter of a term says which
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

/** What a list shows of what the warehouse found. */
export function conditionOf({ exceptions = [], holdFacts = [] }: Pick<Progress, 'exceptions' | 'holdFacts'>): ForecastCondition {
  return { hasException: exceptions.length > 0, onHold: isOnHold(holdsOf(holdFacts)) };
}

function conditionTerms(progress: Reported): readonly string[] {
  const { hasException, onHold } = conditionOf(progress);
  return [...(hasException ? [EXCEPTION_TERM] : []), ...(onHold ? [HOLD_TERM] : [])];
}

const reportedTerms = (progress: Reported): readonly string[] => [
  ...dispatchesOf(progress).map(({ tracking_number }) => numberTerm(tracking_number)),
  ...conditionTerms(progress),
];

/** All terms of a forecast, each once. */
export function termsOf(content: CanonicalForecast, progress: Reported): readonly string[] {
  return distinct([...contentTerms(content), ...reportedTerms(progress)]);
}

/** True when two states of one content are found by the same terms. */
export function haveSameTerms(before: Reported, after: Reported): boolean {
  const [one, other] = [reportedTerms(before), new Set(reportedTerms(after))];
  return new Set(one).size === other.size && one.every((term) => other.has(term));
}
