import type { DirectoryForecast, IntakeEvent } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';
import { type BatchEvent, type BatchMatch, type ListedForecast, matchBatch } from '../../expected/domain/match-batch.ts';

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
export interface WaitingChange<Stored> {
  readonly event: IntakeEvent;
  readonly stored: Stored;
  readonly becomes: Publication | { readonly reason: UnclaimedReason };
}

/** A stored event that takes part in a match. */
export interface WaitingCandidate<Stored> extends BatchEvent {
  readonly stored: Stored;
}

/** What matching waiting events again leads to. */
export interface WaitingDecision<Stored> {
  /** Those that change. */
  readonly changes: readonly WaitingChange<Stored>[];
  /** The published ones among them, in the order of their publication. */
  readonly publications: readonly WaitingChange<Stored>[];
}

/** A publication of a batch. @param index of an event that has a forecast */
export function publicationAt(batch: BatchMatch, event: IntakeEvent, index: number): Publication | undefined {
  const match = batch.matches[index];
  if (match === undefined || !('forecast' in match)) return undefined;
  return { event, forecast: match.forecast, claims: batch.claiming.has(index), ends: batch.ending.has(index) };
}

/**
 * Matches waiting events again, in the order given.
 * @param candidates the events, and those that were published before and count for the ones behind them
 * @param listed see matchBatch
 * @param now epoch milliseconds
 */
export function decideWaiting<Stored>(
  candidates: readonly WaitingCandidate<Stored>[],
  listed: readonly ListedForecast[],
  now: number,
): WaitingDecision<Stored> {
  const batch = matchBatch(candidates, listed, now);
  const changes = new Map<number, WaitingChange<Stored>>();
  for (const [index, { stored, event, waiting }] of candidates.entries()) {
    const match = batch.matches[index];
    if (waiting === undefined || match === undefined) continue;
    const publication = publicationAt(batch, event, index);
    if (publication !== undefined) changes.set(index, { event, stored, becomes: publication });
    else if ('reason' in match && match.reason !== waiting) changes.set(index, { event, stored, becomes: { reason: match.reason } });
  }
  return { changes: [...changes.values()], publications: batch.publications.flatMap((index) => changes.get(index) ?? []) };
}
