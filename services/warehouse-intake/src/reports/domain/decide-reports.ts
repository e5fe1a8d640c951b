import { type EventKey, eventKey, type IntakeEvent, nameOf, sortReports } from '../../expected/domain/event.ts';
import type { Match, NoMatch, UnclaimedReason } from '../../expected/domain/match.ts';
import { type ListedForecast, matchBatch } from '../../expected/domain/match-batch.ts';
import { changesOf, type Publication, publicationAt, type WaitingCandidate, type WaitingDecision } from './decide-waiting.ts';

/** What became of the events of one call. */
export interface RecordOutcome {
  /** Stored now. */
  readonly accepted: number;
  /** Stored before, or twice in the call. */
  readonly duplicates: number;
  /** Events among the duplicates whose content differs from what was stored first. The first stays. */
  readonly conflicts: readonly EventKey[];
  /** Events that are not stored, because the forecast that they are for takes none such. */
  readonly refused: readonly EventKey[];
  /** Events of the call, stored now or before, that wait for their forecast. */
  readonly waiting: readonly (EventKey & NoMatch)[];
  /** Events that found their forecast and wait in the outbox. */
  readonly published: number;
}

/** An event as it was stored first. */
export interface StoredReport {
  /** See storedText of event. */
  readonly text: string;
  /** Why it waits; null when it does not. */
  readonly waiting: UnclaimedReason | null;
}

/** What reports are decided by. */
export interface ReportState<Stored> {
  /** Those of the events that are stored, by {@link eventKey}. */
  readonly stored: ReadonlyMap<string, StoredReport>;
  /** Stored events that wait and that the reports may release (domain/decide-waiting), in the order in which they occurred. */
  readonly waiting: readonly WaitingCandidate<Stored>[];
  /** See matchBatch. */
  readonly listed: readonly ListedForecast[];
}

/** An event to be stored. */
export interface NewEvent {
  readonly event: IntakeEvent;
  /** See storedText of event. */
  readonly text: string;
  readonly match: Match;
  /** Undefined while it waits. */
  readonly publication: Publication | undefined;
}

/** What reports lead to. */
export interface ReportDecision<Stored> {
  /** In the order of the call. */
  readonly inserts: readonly NewEvent[];
  /** What the reports change of stored events. */
  readonly released: WaitingDecision<Stored>;
  /** Everything that is published, new and stored, in order. */
  readonly publications: readonly { readonly publication: Publication; readonly insert?: NewEvent }[];
  readonly outcome: RecordOutcome;
}

/** Of the call's events, those that wait afterwards, each once. */
function waitingOf<Stored>(
  events: readonly IntakeEvent[],
  stored: ReportState<Stored>['stored'],
  inserts: readonly NewEvent[],
  released: readonly (readonly [string, NoMatch | undefined])[],
): RecordOutcome['waiting'] {
  const changed = new Map(released);
  const waiting = new Map<string, EventKey & NoMatch>();
  for (const event of events) {
    const key = eventKey(event);
    const before = stored.get(key)?.waiting ?? null;
    const match = changed.has(key) ? changed.get(key) : before !== null ? { reason: before } : undefined;
    if (match !== undefined) waiting.set(key, { ...nameOf(event), ...match });
  }
  for (const { event, match } of inserts) if ('reason' in match) waiting.set(eventKey(event), { ...nameOf(event), ...match });
  return [...waiting.values()];
}

/**
 * Decides the reports of a call, one or many. Each is matched after the changes of those before it (domain/match-batch). An event that is already
 * stored changes nothing. One that its forecast does not take is refused, with all others of the same event_id in the call.
 * @param now epoch milliseconds
 */
export function decideReports<Stored>(events: readonly IntakeEvent[], state: ReportState<Stored>, now: number): ReportDecision<Stored> {
  const { stored, waiting, listed } = state;
  const { fresh, conflicts } = sortReports(events, stored);
  const batch = matchBatch([...waiting, ...fresh], listed, now);
  const released = changesOf(waiting, batch);
  const inserts = new Map<number, NewEvent>();
  const refusedKeys = new Set<string>();
  for (const [place, { event, text }] of fresh.entries()) {
    const index = waiting.length + place;
    if (batch.refused.has(index)) refusedKeys.add(eventKey(event));
    else inserts.set(index, { event, text, match: batch.matches[index] as Match, publication: publicationAt(batch, event, index) });
  }
  const publications = batch.publications.map((index) => {
    const insert = inserts.get(index);
    if (insert?.publication !== undefined) return { publication: insert.publication, insert };
    const { event } = waiting[index] as WaitingCandidate<Stored>;
    return { publication: publicationAt(batch, event, index) as Publication };
  });
  const refused = refusedKeys.size === 0 ? [] : events.filter((event) => refusedKeys.has(eventKey(event)));
  const changes = released.changes.map(({ event, becomes }) => [eventKey(event), 'reason' in becomes ? becomes : undefined] as const);
  return {
    inserts: [...inserts.values()],
    released,
    publications,
    outcome: {
      accepted: inserts.size,
      duplicates: events.length - inserts.size - refused.length,
      conflicts: conflicts.filter((event) => !refusedKeys.has(eventKey(event))),
      refused: refused.map(nameOf),
      waiting: waitingOf(events, stored, [...inserts.values()], changes),
      published: publications.length,
    },
  };
}
