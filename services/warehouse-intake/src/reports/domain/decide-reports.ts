import { type DirectoryForecast, type EventKey, eventKey, type IntakeEvent, nameOf, storedText } from '../../expected/domain/event.ts';
import type { NoMatch, UnclaimedReason } from '../../expected/domain/match.ts';
import { type BatchEvent, type BatchMatch, type ListedForecast, matchBatch } from '../../expected/domain/match-batch.ts';

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

export interface NewEvent {
  readonly event: IntakeEvent;
  readonly becomes: Publication | NoMatch;
}

export interface ReportDecision {
  /** In the order of the call. */
  readonly inserts: readonly NewEvent[];
  readonly outcome: Omit<RecordOutcome, 'published'>;
}

/** Those of the events that are not stored, each once, and the repeats whose content differs. */
function sortReports(events: readonly IntakeEvent[], stored: ReadonlyMap<string, StoredReport>) {
  const fresh = new Map<string, { readonly event: IntakeEvent; readonly text: string }>();
  const conflicts: EventKey[] = [];
  for (const event of events) {
    const key = eventKey(event);
    const text = storedText(event);
    const first = stored.get(key) ?? fresh.get(key);
    if (first === undefined) fresh.set(key, { event, text });
    else if (first.text !== text) conflicts.push(nameOf(event));
  }
  return { fresh: [...fresh.values()], conflicts };
}

/**
 * Decides the reports of a call, one or many. Each is matched after the changes of those before it (domain/match-batch). An event that is already
 * stored changes nothing. One that its forecast does not take is refused, with all others of the same event_id in the call.
 *
 * Warehouses report an event again when they are unsure that it arrived. An event is known by its warehouse and its id. The same event
 * again has no second effect. With other content, the first stays, and the repeat is a conflict.
 * @param stored those of the events that are stored, by {@link eventKey}
 * @param listed see matchBatch
 * @param now epoch milliseconds
 */
export function decideReports(
  events: readonly IntakeEvent[],
  stored: ReadonlyMap<string, StoredReport>,
  listed: readonly ListedForecast[],
  now: number,
): ReportDecision {
  const { fresh, conflicts } = sortReports(events, stored);
  const batch = matchBatch(fresh, listed, now);
  const refusedKeys = new Set(fresh.flatMap(({ event }, index) => (batch.refused.has(index) ? eventKey(event) : [])));
  const inserts = fresh.flatMap(({ event }, index): NewEvent[] => {
    if (batch.refused.has(index)) return [];
    return [{ event, becomes: publicationAt(batch, event, index) ?? (batch.matches[index] as NoMatch) }];
  });
  const waiting = new Map<string, EventKey & NoMatch>();
  for (const event of events) {
    const reason = stored.get(eventKey(event))?.waiting ?? null;
    if (reason !== null) waiting.set(eventKey(event), { ...nameOf(event), reason });
  }
  for (const { event, becomes } of inserts) if ('reason' in becomes) waiting.set(eventKey(event), { ...nameOf(event), ...becomes });
  const refused = events.filter((event) => refusedKeys.has(eventKey(event)));
  return {
    inserts,
    outcome: {
      accepted: inserts.length,
      duplicates: events.length - inserts.length - refused.length,
      conflicts: conflicts.filter((event) => !refusedKeys.has(eventKey(event))),
      refused: refused.map(nameOf),
      waiting: [...waiting.values()],
    },
  };
}

/** An event that goes to its forecast: a domain event is published, and the directory follows. */
export interface Publication {
  readonly event: IntakeEvent;
  readonly forecast: DirectoryForecast;
  /** It says whose parcel its scanned number is on (domain/match-batch). */
  readonly claims: boolean;
  /** It ends the stay of the parcel. */
  readonly ends: boolean;
}

/** What becomes of a stored event that waits. */
interface WaitingChange<Stored> {
  readonly stored: Stored;
  readonly becomes: Publication | NoMatch;
}

/** A stored event that takes part in a match. */
export interface WaitingCandidate<Stored> extends BatchEvent {
  readonly stored: Stored;
}

/** A publication of a batch. @param index of an event that has a forecast */
function publicationAt(batch: BatchMatch, event: IntakeEvent, index: number): Publication | undefined {
  const match = batch.matches[index];
  if (match === undefined || !('forecast' in match)) return undefined;
  return { event, forecast: match.forecast, claims: batch.claiming.has(index), ends: batch.ending.has(index) };
}

/**
 * Matches waiting events again, in the order given.
 * @param candidates the events, and those that were published before and count for the ones behind them
 * @param listed see matchBatch
 * @param now epoch milliseconds
 * @returns those that change, and the published ones among them in the order of their publication
 */
export function decideWaiting<Stored>(candidates: readonly WaitingCandidate<Stored>[], listed: readonly ListedForecast[], now: number) {
  const batch = matchBatch(candidates, listed, now);
  const changes = new Map<number, WaitingChange<Stored>>();
  for (const [index, { stored, event, waiting }] of candidates.entries()) {
    const match = batch.matches[index];
    if (waiting === undefined || match === undefined) continue;
    const publication = publicationAt(batch, event, index);
    if (publication !== undefined) changes.set(index, { stored, becomes: publication });
    else if ('reason' in match && match.reason !== waiting) changes.set(index, { stored, becomes: match });
  }
  return { changes: [...changes.values()], publications: batch.publications.flatMap((index) => changes.get(index) ?? []) };
}
