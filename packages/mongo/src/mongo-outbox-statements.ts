import { type OutboxEntry, type OutboxFields, type Update, withOutbox } from './mongo-outbox-fields.ts';

/** No lease is asked for that is longer, and none that looks longer is believed. */
export const MAX_LEASE_MS = 60_000;

/**
 * Documents that nobody holds. A lease longer than any lease is of a clock that was ahead: without this it would hold until then.
 * @param now epoch milliseconds
 */
export function freeDocuments(now: number): object {
  return { $or: [{ outbox_due: { $lte: now } }, { outbox_due: { $gt: now + MAX_LEASE_MS } }] };
}

/**
 * Takes entries out; a document with none left loses its outbox, one with more is free for the next lease. It stays in a lease that is not among
 * `leases`: another process has taken it over, or this one holds it anew.
 */
export function pullEntries(ids: readonly string[], leases: readonly string[], now: number): object[] {
  const left = { $filter: { input: { $ifNull: ['$outbox', []] }, cond: { $not: [{ $in: ['$$this.id', ids] }] } } };
  const ifAny = (value: unknown): object => ({ $cond: [{ $eq: ['$outbox', []] }, '$$REMOVE', value] });
  const ifOurs = (value: unknown, other: string): object => ({ $cond: [{ $in: ['$outbox_lease', leases] }, value, other] });
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

/** An update of one document, as a bulk write has it. */
export interface UpdateOperation {
  readonly updateOne: { readonly filter: object; readonly update: Update; readonly hint: typeof BY_ID };
}

/** An update that appends messages to what may be there. @param now epoch milliseconds */
export function appendOf({ id, condition, update, messages }: OutboxUpdate, now: number): UpdateOperation {
  return { updateOne: { filter: { ...condition, _id: id }, update: withOutbox(update, messages, now), hint: BY_ID } };
}

/** An update that puts messages where there are none, under the lease of `written`, the document as far as its outbox is concerned. */
export function heldOf({ id, condition, update }: OutboxUpdate, written: OutboxFields, now: number): UpdateOperation {
  const { outbox, outbox_due, outbox_lease } = written;
  const $set = { ...update['$set'], outbox, outbox_due, outbox_lease, outbox_since: now };
  const filter = { ...condition, _id: id, outbox_due: { $exists: false } };
  return { updateOne: { filter, update: { ...update, $set }, hint: BY_ID } };
}
