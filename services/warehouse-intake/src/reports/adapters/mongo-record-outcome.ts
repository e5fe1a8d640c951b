import { eventKey, sortReports } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import type { NewEvent, RecordOutcome, StoredReport } from '../domain/decide-reports.ts';
import type { StoredEvent } from './mongo-event-log.ts';

/** True of an event of which a step remains to be taken. */
export const isUnfinished = (event: Pick<StoredEvent, 'unfinished_since'>): boolean => event.unfinished_since !== undefined;

/** Names a stored event; see eventKey. */
export const keyOfStored = ({ warehouse_code: warehouseCode, event_id: eventId }: StoredEvent): string =>
  eventKey({ warehouseCode, eventId });

/** As a repeat finds it. An event of which a step remains does not count as waiting: the step may end that. */
export function reportOf(stored: StoredEvent): StoredReport {
  const { event: text, waiting } = stored;
  return { text, waiting: waiting === undefined || isUnfinished(stored) ? null : (waiting as UnclaimedReason) };
}

/** The outcome when another process has stored some of the events first: they are duplicates. @param lost indices of them */
export function withoutLost(
  outcome: RecordOutcome,
  inserts: readonly NewEvent[],
  lost: ReadonlySet<number>,
  overtaken: readonly StoredEvent[],
): RecordOutcome {
  const events = inserts.filter((_, index) => lost.has(index)).map(({ event }) => event);
  const keys = new Set(events.map(eventKey));
  const first = new Map(overtaken.map((event) => [keyOfStored(event), { text: event.event }]));
  return {
    ...outcome,
    accepted: outcome.accepted - lost.size,
    duplicates: outcome.duplicates + lost.size,
    conflicts: [...outcome.conflicts, ...sortReports(events, first).conflicts],
    waiting: outcome.waiting.filter((event) => !keys.has(eventKey(event))),
  };
}

/** The outcome when steps behind the writes have released some of its waiting events. @param current the waiting ones as they are stored now */
export function withoutReleased(outcome: RecordOutcome, current: readonly StoredEvent[]): RecordOutcome {
  const waiting = new Set(current.filter((event) => event.waiting !== undefined).map(keyOfStored));
  return { ...outcome, waiting: outcome.waiting.filter((event) => waiting.has(eventKey(event))) };
}
