import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import type { Model } from 'mongoose';
import type { MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { type OutboxDepth, readDepth } from './mongo-outbox-depth.ts';
import { newOutbox, type OutboxEntry, type OutboxFields, storedEntries } from './mongo-outbox-fields.ts';
import { type Carrier, HeldDocuments, type WaitingEntry } from './mongo-outbox-held.ts';
import { appendOf, BY_ID, freeDocuments, heldUpdate, MAX_LEASE_MS, type OutboxUpdate, pullEntries } from './mongo-outbox-statements.ts';

/** Options of an outbox. */
export interface MongoOutboxOptions {
  readonly clock?: Clock;
  /** Time after which what a process held may be taken by another; default 15 s, above the deadline of a publication. */
  readonly leaseMs?: number;
  /**
   * True: the store writes its documents through {@link MongoOutbox.holding} and {@link MongoOutbox.update}, so the collection is searched only now and
   * then, for what other processes left. Default false: it is searched at each lease.
   */
  readonly holdsFromWrite?: boolean;
}

type BulkOperations = Parameters<Model<OutboxFields>['collection']['bulkWrite']>[0];

/** What a process holds from the write on, at most: of more, as while the log is out, the collection knows. A message may have a megabyte. */
const MAX_HELD = { documents: 1000, characters: 16_000_000 } as const;
/** How often the collection is searched for what other processes left, when this one holds its own from the write on. */
const SEARCH_EVERY_MS = 2000;

/**
 * The messages that a service has still to publish, embedded in the documents that they are about, so that a message
 * is written in the very operation that changes the state, without a transaction.
 *
 * Several processes publish side by side: each leases documents (`outbox_due` moved into the future under its token),
 * publishes and removes. A document has one holder at a time, so messages of one document stay in order; what a dead
 * process held is taken over when its lease has run out. Between documents the order is by time of writing, nearly.
 *
 * A store that says so ({@link MongoOutboxOptions.holdsFromWrite}) has its documents written under the lease of this process already, and their
 * messages passed on in memory: they need not be searched, leased and read. What was published is removed for many documents at once, some moments
 * later ({@link settle}).
 */
export class MongoOutbox {
  readonly #database: MongoDatabase;
  readonly #model: Model<OutboxFields>;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #holdsFromWrite: boolean;
  readonly #token = randomBytes(12).toString('base64url');
  readonly #held = new HeldDocuments();
  /** True when the collection may have messages that nobody holds. */
  #mayWait = true;
  #searchedAt = Number.NEGATIVE_INFINITY;
  /** True while the collection has older messages than can be held: newer ones wait behind them there. */
  #isBehind = false;

  /** @param collection whose schema has {@link outboxFields} and {@link indexOutbox} */
  constructor(database: MongoDatabase, collection: MongoCollection<OutboxFields>, options: MongoOutboxOptions = {}) {
    this.#database = database;
    this.#model = database.model(collection);
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = Math.min(options.leaseMs ?? 15_000, MAX_LEASE_MS);
    this.#holdsFromWrite = options.holdsFromWrite ?? false;
  }

  /**
   * The outbox of a document that is about to be inserted with messages, under the lease of this process; spread it into the document. Call
   * {@link inserted} once it is. When that is not known, the messages are found after the lease has run out.
   */
  holding(messages: readonly OutboxEntry[], at: number): OutboxFields {
    const fields = newOutbox(messages, at);
    if (fields.outbox === undefined || this.#isFull()) return fields;
    return { ...fields, outbox_due: this.#clock.now() + this.#leaseMs, outbox_lease: this.#token };
  }

  /** Documents have been inserted with what {@link holding} gave: their messages are published next, in the order in which they were written. */
  inserted(documents: readonly Carrier[]): void {
    if (documents.some(({ outbox_due: due, outbox_lease: lease }) => due !== undefined && lease === undefined)) this.#mayWait = true;
    this.#held.keep(documents.filter(({ outbox_lease: lease }) => lease !== undefined));
  }

  /** Messages were written in another way than by {@link holding} and {@link update}: the next lease searches for them. */
  noteWaiting(): void {
    this.#mayWait = true;
  }

  /**
   * Updates documents and appends the messages, in one bulk write. Messages of a document that nobody holds are published by this process.
   * @returns how many of the documents fulfilled their condition
   * @throws MongoServerError of the first update that violates a constraint; the others are made
   */
  async update(updates: readonly OutboxUpdate[]): Promise<number> {
    if (updates.length === 0) return 0;
    const now = this.#clock.now();
    const lease = { token: this.#token, until: now + this.#leaseMs };
    const isHeld = ({ id, messages, isOccupied = false }: OutboxUpdate): boolean =>
      messages.length > 0 && !isOccupied && !this.#isFull() && !this.#held.has(id);
    const [held, others] = [updates.filter(isHeld), updates.filter((one) => !isHeld(one))];
    const written = held.map(({ id, messages }) => ({ _id: id, outbox: storedEntries(messages, now), outbox_due: lease.until }));
    const operations = held.map(({ id, condition, update }, index) => ({
      updateOne: {
        filter: { ...condition, _id: id, outbox_due: { $exists: false } },
        update: heldUpdate(update, written[index]?.outbox ?? [], lease, now),
        hint: BY_ID,
      },
    }));
    let matched = 0;
    try {
      matched = await this.#write([...operations, ...others.map((one) => appendOf(one, now))]);
    } catch (error) {
      await this.#adopt(written);
      throw error;
    } finally {
      this.#noteAppended(others);
    }
    if (matched === updates.length) {
      this.#held.keep(written);
      return matched;
    }
    // The server returns only how many it wrote. Of the others, some have messages of which an earlier write or another process is the holder.
    const occupied = await this.#adopt(written);
    const again = held.filter(({ id }) => occupied.has(String(id)));
    try {
      return matched + (await this.#write(again.map((one) => appendOf(one, now))));
    } finally {
      this.#noteAppended(again);
    }
  }

  /** The oldest `limit` messages that this process holds or can get hold of. @throws AppError 50301 */
  async lease(limit: number): Promise<readonly WaitingEntry[]> {
    await this.#renew();
    await this.#readAppended();
    const room = limit - this.#held.waiting;
    if (this.#isSearchDue()) {
      if (room > 0) await this.#take(room);
      else this.#isBehind = true;
    }
    return this.#held.entries(limit);
  }

  /**
   * Forgets published messages. They are removed now, or by {@link settle} when documents are held from their write on.
   * @throws AppError 50301; then they are published again
   */
  async remove(ids: readonly string[]): Promise<void> {
    this.#held.publish(ids);
    if (!this.#holdsFromWrite || this.#held.hasMore) await this.settle();
  }

  /**
   * Removes what was published, for all documents at once, and releases documents that have more for the next process.
   * @throws AppError 50301; then it is removed by the next call, or published again by the next process
   */
  async settle(): Promise<void> {
    const published = this.#held.takePublished();
    if (published.length === 0) return;
    const documents = published.map(({ document }) => document);
    const ids = published.flatMap(({ entries }) => entries.map(({ id }) => id));
    try {
      await this.#database.run(() =>
        this.#model.collection.updateMany({ _id: { $in: documents } } as object, pullEntries(ids, this.#token, this.#clock.now())),
      );
    } catch (error) {
      this.#held.putBack(published);
      throw error;
    }
    // Another process may have appended to one of them, and this one is the first to know that it is free.
    this.#mayWait = true;
  }

  /** Removes what was published and gives back what this process holds, so that another need not wait for the lease to run out. @throws AppError 50301 */
  async flush(): Promise<void> {
    const documents = this.#held.dropAll();
    this.#mayWait = true;
    await this.settle();
    if (documents.length === 0) return;
    await this.#database.run(() =>
      this.#model.collection.updateMany({ _id: { $in: documents }, outbox_lease: this.#token } as object, {
        $set: { outbox_due: this.#clock.now() },
        $unset: { outbox_lease: '' },
      }),
    );
  }

  /** How many messages wait, and since when, see {@link readDepth}. @throws AppError 50301 */
  async depth(): Promise<OutboxDepth> {
    await this.settle();
    return this.#database.run(() => readDepth(this.#model.collection));
  }

  #isFull(): boolean {
    return this.#isBehind || this.#held.waiting >= MAX_HELD.documents || this.#held.characters >= MAX_HELD.characters;
  }

  #isSearchDue(): boolean {
    return !this.#holdsFromWrite || this.#mayWait || Math.abs(this.#clock.now() - this.#searchedAt) >= SEARCH_EVERY_MS;
  }

  /** @returns how many documents fulfilled their condition */
  async #write(operations: readonly object[]): Promise<number> {
    if (operations.length === 0) return 0;
    // Past mongoose: casting thousands of values one by one would cost more than the write.
    const options = { ordered: false, ignoreUndefined: true };
    const { matchedCount } = await this.#database.run(() => this.#model.collection.bulkWrite(operations as BulkOperations, options));
    return matchedCount;
  }

  /** Messages were appended to what was there, or may have been. */
  #noteAppended(updates: readonly OutboxUpdate[]): void {
    for (const { id, messages } of updates) {
      if (messages.length === 0) continue;
      this.#mayWait = true;
      this.#held.append(id);
    }
  }

  /**
   * Reads which of the documents a bulk write has put under the lease of this process, and holds them.
   * @returns the ids of those that have other messages
   */
  async #adopt(written: readonly Carrier[]): Promise<ReadonlySet<string>> {
    if (written.length === 0) return new Set();
    const entries = new Set(written.flatMap(({ outbox = [] }) => outbox.map(({ id }) => id)));
    const documents = written.map(({ _id }) => _id);
    const found = await this.#database.run(() => this.#read(documents, { outbox_due: { $gt: 0 } }));
    const isOurs = ({ outbox = [] }: Carrier): boolean => outbox.some(({ id }) => entries.has(id));
    this.#held.keep(found.filter(isOurs));
    return new Set(found.filter((one) => !isOurs(one)).map(({ _id }) => String(_id)));
  }

  /** Prolongs leases that are past their middle, and lets go of documents that were lost meanwhile. */
  async #renew(): Promise<void> {
    const now = this.#clock.now();
    const aging = this.#held.endingBefore(now + this.#leaseMs / 2);
    if (aging.length === 0) return;
    const kept = await this.#database.run(() => this.#claim(aging, { outbox_lease: this.#token }, now));
    const ours = new Set(kept.map(({ _id }) => String(_id)));
    this.#held.drop(aging.filter((id) => !ours.has(String(id))));
    this.#held.keep(kept);
  }

  /** Gets to know what was appended to held documents: it is published with what they have, or leased once that is removed. */
  async #readAppended(): Promise<void> {
    if (!this.#holdsFromWrite || this.#held.hasMore) await this.settle();
    const appended = this.#held.appendedTo();
    if (appended.length > 0) this.#held.keep(await this.#database.run(() => this.#read(appended, { outbox_lease: this.#token })));
  }

  async #take(limit: number): Promise<void> {
    const now = this.#clock.now();
    const free = freeDocuments(now);
    this.#mayWait = false;
    try {
      const claimed = await this.#database.run(async () => {
        const found = await this.#model.collection.find(free, { projection: { outbox: 1 }, sort: { outbox_due: 1 }, limit }).toArray();
        this.#isBehind = found.length === limit;
        this.#mayWait ||= this.#isBehind;
        const ids = found.map(({ _id }) => _id);
        return ids.length === 0 ? [] : this.#claim(ids, free, now);
      });
      this.#held.keep(claimed);
    } catch (error) {
      this.#mayWait = true;
      throw error;
    }
    this.#searchedAt = now;
  }

  /** Takes those of the documents that still fit `condition`, and reads what they hold now. */
  async #claim(documents: readonly unknown[], condition: object, now: number): Promise<readonly Carrier[]> {
    const until = now + this.#leaseMs;
    const { modifiedCount } = await this.#model.collection.updateMany(
      { _id: { $in: documents }, ...condition } as object,
      { $set: { outbox_due: until, outbox_lease: this.#token } },
      // By the index of what is due, it would go through a whole backlog to find these.
      { hint: { _id: 1 } },
    );
    // Read after the claim, never before: nobody else publishes from these documents from here on.
    return modifiedCount === 0 ? [] : this.#read(documents, { outbox_lease: this.#token, outbox_due: until });
  }

  /** What those of the documents hold that fit `condition`. */
  #read(documents: readonly unknown[], condition: object): Promise<readonly Carrier[]> {
    const filter = { ...condition, _id: { $in: documents } } as object;
    const projection = { outbox: 1, outbox_due: 1 };
    return this.#model.collection.find(filter, { projection, hint: { _id: 1 } }).toArray() as unknown as Promise<Carrier[]>;
  }
}
