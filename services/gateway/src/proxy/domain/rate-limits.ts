import type { KeyRecord, RateRule } from './key.ts';
import type { TableRoute } from './route-table.ts';

/** Limits that a key has unless it has its own: requests a second, and how many at once. */
export const DEFAULT_RATES: Readonly<Record<TableRoute['rateClass'], RateRule>> = {
  standard: { perSecond: 20, burst: 200 },
  upload: { perSecond: 5, burst: 50 },
  tracking: { perSecond: 10, burst: 100 },
  batch: { perSecond: 2, burst: 20 },
};

/** The bucket of a key for a class of routes; null when it has no limit. A limit of its own holds for every class. */
export function rateRuleOf(record: Pick<KeyRecord, 'rateLimit'>, rateClass: TableRoute['rateClass']): RateRule | null {
  if (record.rateLimit === 'off') return null;
  return record.rateLimit ?? DEFAULT_RATES[rateClass];
}
