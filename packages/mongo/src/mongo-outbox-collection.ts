import type { Model, QueryOptions } from 'mongoose';
import { type MongoCollection, UNCAST } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { refusalsOf } from './mongo-errors.ts';
import { type Lease, OUTBOX_INDEX, type OutboxEntry, type OutboxFields, type Update, withOutbox } from './mongo-outbox-fields.ts';
import { type Carrier, type Held, leasesOf, lengthOf } from './mongo-outbox-held.ts';

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
function pullEntries(ids: readonly string[], leases: readonly string[], now: number): object[] {
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
}

/** By another index of the condition, a write would go through many documents to find one. */
const BY_ID = { _id: 1 } as const;

/** An update of one document, as a bulk write has it. */
interface UpdateOperation {
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

/** Documents beyond which the messages in them are no longer counted one by one. */
const BACKLOG = 200;

/** How much waits in an outbox. */
export interface OutboxDepth {
  readonly count: number;
  /** Since when the oldest message waits, epoch milliseconds; null when there is none. */
  readonly oldestAt: number | null;
}

const BULK = { ordered: false, ignoreUndefined: true, timestamps: false, strict: 'throw', throwOnValidationError: true } as const;

/** Documents that a search asks for at once: the server reads all of them, and each may have megabytes. */
const SEARCHED_AT_ONCE = 16;

/** A document, and the size of its messages. */
interface Sized {
  readonly _id: unknown;
  readonly bytes: number;
}

/** What a search has found. */
interface Found {
  /** Ids. */
  readonly documents: readonly unknown[];
  /** True when there may be others. */
  readonly hasMore: boolean;
}

/** A document, and a lease in which it is or may be. */
type Leased = Pick<Held, 'document' | 'lease'>;

const documentsOf = (held: readonly Leased[]): readonly unknown[] => held.map(({ document }) => document);

/** Those of a document that is held are in these leases. */
export const inLeasesOf = (held: readonly Pick<Held, 'lease'>[]): object => ({ outbox_lease: { $in: leasesOf(held) } });

/** The outboxes in a collection. Every method throws AppError 50301 when the store does not respond in time; a write may have happened all the same. */
export class OutboxCollection {
  readonly #database: MongoDatabase;
  readonly #model: Model<OutboxFields>;

  constructor(database: MongoDatabase, collection: MongoCollection<OutboxFields>) {
    this.#database = database;
    this.#model = database.model(collection);
  }

  /**
   * Inserts documents.
   * @param inserted is called with those that are there, as soon as that is known: also after the deadline
   * @throws MongoServerError when a unique index refuses some of them: the others are there
   */
  async insert(documents: readonly Carrier[], inserted: (documents: readonly Carrier[]) => void): Promise<void> {
    const refusal = await this.#database.run(async () => {
      try {
        await this.#model.insertMany(documents, { ...UNCAST, ordered: false });
      } catch (error) {
        const refusals = refusalsOf(error);
        if (refusals === undefined) throw error;
        inserted(documents.filter((_, place) => !refusals.has(place)));
        return { error };
      }
      inserted(documents);
      return undefined;
    });
    // What is known of every document is no doubt, so it is thrown outside.
    if (refusal !== undefined) throw refusal.error;
  }

  /** Makes updates. @returns how many documents fulfilled their condition */
  async write(operations: readonly UpdateOperation[]): Promise<number> {
    const [first, ...others] = operations;
    if (first === undefined) return 0;
    const { filter, update, hint } = first.updateOne;
    const { matchedCount } = await this.#database.run<{ readonly matchedCount: number }>(() =>
      // Costs less than a bulk of one.
      others.length === 0
        ? this.#model.updateOne(filter, update, { hint, ignoreUndefined: true, strict: 'throw' })
        : this.#model.bulkWrite([...operations], BULK),
    );
    return matchedCount;
  }

  /**
   * The documents that nobody holds and that wait longest: at most `limit`, and as many as fit into `room` with their messages, but at least one.
   * @param room bytes, of which messages have no fewer than characters
   * @param now epoch milliseconds
   */
  async search(limit: number, room: number, now: number): Promise<Found> {
    const projection = { _id: 1, bytes: { $bsonSize: { messages: '$outbox' } } };
    const options = { sort: { outbox_due: 1 }, limit, batchSize: SEARCHED_AT_ONCE } as const;
    return this.#database.run(async () => {
      const documents: unknown[] = [];
      let left = room;
      for await (const { _id, bytes } of this.#find<Sized>(freeDocuments(now), projection, options)) {
        if (documents.length > 0 && bytes > left) return { documents, hasMore: true };
        documents.push(_id);
        left -= bytes;
      }
      return { documents, hasMore: documents.length === limit };
    });
  }

  /** Leases those of the documents that fit `condition`, and reads what they hold now. */
  async claim(documents: readonly unknown[], condition: object, { token, until }: Lease): Promise<readonly Carrier[]> {
    if (documents.length === 0) return [];
    const filter = { _id: { $in: documents }, ...condition } as object;
    const update = { $set: { outbox_due: until, outbox_lease: token } };
    // By the index of what is due, it would go through a whole backlog to find these.
    const { modifiedCount } = await this.#database.run(() => this.#model.updateMany(filter, update, { hint: BY_ID }));
    // Read after the claim, never before: nobody else publishes from these documents from here on.
    return modifiedCount === 0 ? [] : this.read(documents, { outbox_lease: token });
  }

  /** What those of the documents hold that fit `condition`; no further one once they have `room` characters of messages. */
  async read(documents: readonly unknown[], condition: object, room = Number.POSITIVE_INFINITY): Promise<readonly Carrier[]> {
    if (documents.length === 0 || room <= 0) return [];
    const filter = { ...condition, _id: { $in: documents } } as object;
    const projection = { outbox: 1, outbox_due: 1, outbox_lease: 1 };
    return this.#database.run(async () => {
      const found: Carrier[] = [];
      let characters = 0;
      for await (const one of this.#find<Carrier>(filter, projection, { hint: BY_ID })) {
        found.push(one);
        characters += lengthOf(one.outbox ?? []);
        if (characters >= room) break;
      }
      return found;
    });
  }

  /**
   * Reads the documents of a bulk write that have messages.
   * @returns those with a message of the write: they are in its lease. And the ids of those with other messages only
   */
  async readWritten(written: readonly Carrier[]): Promise<{ readonly ours: readonly Carrier[]; readonly occupied: ReadonlySet<string> }> {
    const entries = new Set(written.flatMap(({ outbox = [] }) => outbox.map(({ id }) => id)));
    const found = await this.read(
      written.map(({ _id }) => _id),
      { outbox_due: { $gt: 0 } },
    );
    const ours = found.filter(({ outbox = [] }) => outbox.some(({ id }) => entries.has(id)));
    const others = found.filter((one) => !ours.includes(one));
    return { ours, occupied: new Set(others.map(({ _id }) => String(_id))) };
  }

  /** Removes published messages, and releases those of their documents that have others and are in the same lease still. */
  async pull(published: readonly Held[], now: number): Promise<void> {
    const ids = published.flatMap(({ entries }) => entries.map(({ id }) => id));
    const filter = { _id: { $in: documentsOf(published) } } as object;
    const update = pullEntries(ids, leasesOf(published), now);
    await this.#database.run(() => this.#model.updateMany(filter, update, { updatePipeline: true }));
  }

  /** Releases documents with unpublished messages. They are due as of their first message, so they come before newer ones. */
  async release(held: readonly Leased[], now: number): Promise<void> {
    if (held.length === 0) return;
    const filter = { _id: { $in: documentsOf(held) }, ...inLeasesOf(held) } as object;
    const update = [{ $set: { outbox_due: { $ifNull: ['$outbox_since', now] } } }, { $unset: 'outbox_lease' }];
    await this.#database.run(() => this.#model.updateMany(filter, update, { updatePipeline: true }));
  }

  /**
   * Counts the messages. In a backlog it counts documents, by the index alone: their contents would take longer to read than anybody waits for a figure.
   */
  async depth(): Promise<OutboxDepth> {
    const documents = await this.#sum({ $sum: 1 });
    return documents.count === 0 || documents.count > BACKLOG ? documents : this.#sum({ $sum: { $size: '$outbox' } });
  }

  async #sum(count: object): Promise<OutboxDepth> {
    // A range, which the index alone can serve; `$exists` would read the documents.
    const stages = [{ $match: { outbox_due: { $gt: 0 } } }, { $group: { _id: null, count, oldest: { $min: '$outbox_since' } } }];
    const [row] = await this.#database.run(() =>
      this.#model.aggregate<{ count: number; oldest: number }>(stages, { hint: OUTBOX_INDEX }).exec(),
    );
    // Messages of one millisecond differ by fractions, so that they have an order.
    return { count: row?.count ?? 0, oldestAt: row === undefined ? null : Math.ceil(row.oldest) };
  }

  /** Plain documents, one after the other. */
  async *#find<T>(filter: object, projection: object, options: QueryOptions<OutboxFields>): AsyncGenerator<T> {
    const cursor = this.#model.find(filter, projection, options).lean<T>().cursor();
    try {
      for (let one = await cursor.next(); one !== null; one = await cursor.next()) yield one as T;
    } finally {
      // Of a caller that has enough, mongoose leaves it open on the server.
      cursor.destroy();
    }
  }
}
