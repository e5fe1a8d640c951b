import { MAX_KEPT_LARGE, placed } from './kept-list.ts';

export interface HoldFact {
  readonly kind: 'held' | 'released';
  /** The warehouse's own words; null when it gave none, and of a release. */
  readonly reason: string | null;
  /** When it happened in the warehouse: its own words, and epoch milliseconds. */
  readonly at: string;
  readonly atMs: number;
}

export interface Hold {
  readonly reason: string | null;
  readonly heldAt: string;
  /** null while it lasts. */
  readonly releasedAt: string | null;
}

function compareText(a: string, b: string): number {
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/**
 * The order of what happened; never 0 for two facts that differ, so that the order of the reports does not matter. Of a hold and a
 * release at one instant the release is later: clocks of warehouses often count in seconds, and a hold is what a release ends.
 */
function compare(a: HoldFact, b: HoldFact): number {
  if (a.atMs !== b.atMs) return a.atMs - b.atMs;
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
  let releasedAt: string | null = null;
  for (const { kind, reason, at } of facts) {
    if (kind === 'held') holds.push({ reason, heldAt: at, releasedAt });
    // Backwards in time: the release nearest to a hold is the one met last.
    else releasedAt = at;
  }
  return holds;
}

/** True while a hold is not released. */
export function isOnHold(holds: readonly Hold[]): boolean {
  return holds.some(({ releasedAt }) => releasedAt === null);
}
