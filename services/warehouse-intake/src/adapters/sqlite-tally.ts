import type { IntakeEvent } from '../domain/event.ts';
import type { NoMatch, UnclaimedReason } from '../domain/match.ts';
import type { EventKey } from '../ports.ts';

/** An event as it was stored first. */
export interface KnownRow {
  readonly id: number;
  readonly event: string;
  readonly waiting: UnclaimedReason | null;
}

/** What a call has done so far. */
export interface Tally {
  accepted: number;
  duplicates: number;
  published: number;
  readonly conflicts: EventKey[];
  readonly refused: EventKey[];
  /** Rows that waited when they were met, and why. */
  readonly waiting: Map<number, NoMatch>;
}

/** What names an event. */
export function keyOf({ warehouseCode, eventId }: EventKey): EventKey {
  return { warehouseCode, eventId };
}

/** Counts an event that was stored before. */
export function countRepeat(tally: Tally, event: IntakeEvent, known: KnownRow): void {
  tally.duplicates += 1;
  if (known.event !== JSON.stringify(event)) tally.conflicts.push(keyOf(event));
  if (known.waiting !== null && !tally.waiting.has(known.id)) tally.waiting.set(known.id, { reason: known.waiting });
}

/** True when the call has refused an event of this name: outcomes are told by name, so whatever else has the name is refused too. */
export function isRefused(tally: Tally, event: EventKey): boolean {
  return tally.refused.some(({ warehouseCode, eventId }) => warehouseCode === event.warehouseCode && eventId === event.eventId);
}
