import { type OutboxEntry, type StoredEntry, type Update, withOutbox } from './mongo-outbox-fields.ts';

/** No lease is asked for that is longer, and none that looks longer is believed. */
export const MAX_LEASE_MS = 60_000;

/**
 * Documents that nobody holds. A lease longer than any lease is of a clock that was ahead: without this it would hold until then.
 * @param now epoch milliseconds
 */
export function freeDocuments(now: number): object {
  return { $or: [{ outbox_due: { $lte: now } }, { outbox_due: { $gt: now + MAX_LEASE_MS } }] };
}

/** Holder and end of a lease, epoch milliseconds. */
export interface Lease {
  readonly token: string;
  readonly until: number;
}

/** An update of a document whose outbox is empty, by which it gets entries and a holder. @param now epoch milliseconds */
export function heldUpdate(update: Update, entries: readonly StoredEntry[], { token, until }: Lease, now: number): Update {
  const outbox = { outbox: entries, outbox_due: until, outbox_since: now, outbox_lease: token };
  return { ...update, $set: { ...update['$set'], ...outbox } };
}

/**
 * Takes entries out; a document with none left loses its outbox, one with more is free for the next lease. A lease that
 * another took over meanwhile stays with it.
 */
export function pullEntries(ids: readonly string[], token: string, now: number): object[] {
  const left = { $filter: { input: { $ifNull: ['$outbox', []] }, cond: { $not: [{ $in: ['$$this.id', ids] }] } } };
  const ifAny = (value: unknown): object => ({ $cond: [{ $eq: ['$outbox', []] }, '$$REMOVE', value] });
  const ifOurs = (value: unknown, other: string): object => ({ $cond: [{ $eq: ['$outbox_lease', token] }, value, other] });
  return [
    { $set: { outbox: left } },
    { $set: { outbox_due: ifAny(ifOurs({ $literal: now }, '$outbox_due')), outbox_lease: ifAny(ifOurs('$$REMOVE', '$outbox_lease')) } },
    { $set: { outbox_since: ifAny({ $first: '$outbox.at' }) } },
    { $set: { outbox: ifAny('$outbox') } },
  ];
}

/** An update of one document, and the messages that follow from it. */
export interface OutboxUpdate {
  readonly id: unknown;
  /** Beside the id: the document is updated on this condition. */
  readonly condition: object;
  readonly update: Update;
  readonly messages: readonly OutboxEntry[];
  /** True when the document is known to have messages already: then nothing is lost by a try to hold it. Default false. */
  readonly isOccupied?: boolean;
}

/** By another index of the condition, a write would go through many documents to find one. */
export const BY_ID = { _id: 1 } as const;

/** An update that appends messages to what may be there. @param now epoch milliseconds */
export function appendOf({ id, condition, update, messages }: OutboxUpdate, now: number): object {
  return { updateOne: { filter: { ...condition, _id: id }, update: withOutbox(update, messages, now), hint: BY_ID } };
}
