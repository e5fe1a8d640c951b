import type { WeighingData } from '@parcelway/contracts/weighing-api';
import { MAX_KEPT_LARGE, placed } from './kept-list.ts';

export interface HoldFact {
  readonly kind: 'held' | 'released';
  /** The warehouse's own words; null when it gave none, and of a release. */
  readonly reason: string | null;
  /** When it happened, in the warehouse's own words. */
  readonly at: string;
}

export type Hold = WeighingData['holds'][number];

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The order of what happened; never 0 for two facts that differ, so that the order of the reports does not matter. Of a hold and a
 * release at one instant the release is later: clocks of warehouses often count in seconds, and a hold is what a release ends.
 */
function compare(a: HoldFact, b: HoldFact): number {
  const apart = Date.parse(a.at) - Date.parse(b.at);
  if (apart !== 0) return apart;
  if (a.kind !== b.kind) return a.kind === 'held' ? -1 : 1;
  return compareText(a.reason ?? '', b.reason ?? '') || compareText(a.at, b.at);
}

/** Facts with one more: latest first by time of occurrence, the latest {@link MAX_KEPT_LARGE}. */
export function withHoldFact(facts: readonly HoldFact[], fact: HoldFact): HoldFact[] {
  return placed(facts, fact, (a, b) => compare(a, b) > 0, MAX_KEPT_LARGE);
}

/**
 * The holds that the facts make, latest first. A release ends every hold that began before it; one without any such hold changes
 * nothing.
 * @param facts latest first
 */
export function holdsOf(facts: readonly HoldFact[]): Hold[] {
  const holds: Hold[] = [];
  let released_at: string | null = null;
  for (const { kind, reason, at } of facts) {
    if (kind === 'held') holds.push({ reason, held_at: at, released_at });
    // Backwards in time: the release nearest to a hold is the one met last.
    else released_at = at;
  }
  return holds;
}

/** True while a hold is not released. */
export function isOnHold(holds: readonly Hold[]): boolean {
  return holds.some(({ released_at }) => released_at === null);
}
