import { randomBytes } from 'node:crypto';
import { AppError } from '@parcelway/kernel/app-error';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import type { MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import {
  appendOf,
  freeDocuments,
  heldOf,
  inLeasesOf,
  MAX_LEASE_MS,
  OutboxCollection,
  type OutboxDepth,
  type OutboxUpdate,
} from './mongo-outbox-collection.ts';
import { type Lease, newOutbox, type OutboxEntry, type OutboxFields, storedEntries } from './mongo-outbox-fields.ts';
import { type Carrier, type Held, HeldDocuments, type WaitingEntry } from './mongo-outbox-held.ts';

/** Most that a process holds and publishes at once; the rest stays in the collection. A message may have a megabyte. */
const MAX_HELD = { documents: 1000, characters: 16_000_000 } as const;
/** How often the collection is searched for messages that other processes left. */
const SEARCH_EVERY_MS = 2000;

/** Between two messages, in milliseconds: numbers of this size have no finer ones. */
const INSTANT_STEP = 1 / 4096;

/** Options of an outbox. */
interface MongoOutboxOptions {
  readonly clock?: Clock;
  /** Time after which what a process held may be taken by another; default 15 s, above the deadline of a publication. */
  readonly leaseMs?: number;
}

/** Names the leases of a process. */
class LeaseNames {
  readonly #process = randomBytes(12).toString('base64url');
  readonly #leaseMs: number;
  #count = 0;
  /** Of documents that are inserted within one millisecond. */
  #shared: Lease = { token: '', until: 0 };

  /** @param leaseMs how long a lease lasts, milliseconds */
  constructor(leaseMs: number) {
    this.#leaseMs = leaseMs;
  }

  /** A lease that begins now, with a name of its own. @param now epoch milliseconds */
  next(now: number): Lease {
    this.#count += 1;
    return { token: `${this.#process}.${this.#count.toString(36)}`, until: now + this.#leaseMs };
  }

  /** The lease of the documents that are inserted now: the same one within a millisecond. @param now epoch milliseconds */
  ofInserts(now: number): Lease {
    if (this.#shared.until !== now + this.#leaseMs) this.#shared = this.next(now);
    return this.#shared;
  }
}

/**
 * The messages that a service has still to publish, embedded in the documents that they are about, so that a message
 * is written in the very operation that changes the state, without a transaction.
 *
 * Several processes publish side by side: each leases documents (`outbox_due` moved into the future under its token),
 * publishes and removes. A document has one holder at a time, so messages of one document stay in order. Another process
 * takes over when a lease has run out. Messages of different documents are published roughly in the order of writing.
 *
 * Documents are written under a lease of this process and their messages stay in memory, so that they need no search. {@link settle} removes published
 * messages later, for many documents at once. This holds from the first {@link lease} to {@link flush}, while a relay publishes them.
 */
export class MongoOutbox {
  #lastInstant = 0;
  readonly #collection: OutboxCollection;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #leases: LeaseNames;
  readonly #held = new HeldDocuments();
  #isRelayed = false;
  /** How often the relay has stopped. */
  #flushes = 0;
  /** True when the collection may have messages that nobody holds. */
  #mayWait = true;
  #searchedAt = Number.NEGATIVE_INFINITY;
  /** True while the collection has older messages than can be held: newer ones wait behind them there. */
  #isBehind = false;

  /** @param collection whose schema has {@link outboxFields} and {@link indexOutbox} */
  constructor(database: MongoDatabase, collection: MongoCollection<OutboxFields>, options: MongoOutboxOptions = {}) {
    this.#collection = new OutboxCollection(database, collection);
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = Math.min(options.leaseMs ?? 15_000, MAX_LEASE_MS);
    this.#leases = new LeaseNames(this.#leaseMs);
  }

  /**
   * The outbox of a document that is about to get its first messages, under a lease of this process; spread it into the document, and give that
   * to {@link insert}, or to {@link publish} once it is written.
   */
  holding(messages: readonly OutboxEntry[], at: number): OutboxFields {
    const fields = newOutbox(messages, at);
    if (fields.outbox === undefined || !this.#mayHold()) return fields;
    const { token, until } = this.#leases.ofInserts(this.#clock.now());
    return { ...fields, outbox_due: until, outbox_lease: token };
  }

  /**
   * Inserts documents with what {@link holding} gave, and publishes their messages next, in the order of writing. When it is not known whether they are
   * there, their messages wait until the lease has run out.
   * @throws MongoServerError when a unique index refuses some of the documents: the others are there; AppError 50301, then any may be there
   */
  async insert(documents: readonly Carrier[]): Promise<void> {
    try {
      await this.#collection.insert(documents, (inserted) =>
        this.#held.keep(inserted.filter(({ outbox_lease: lease }) => lease !== undefined)),
      );
    } finally {
      if (documents.some(({ outbox_due: due, outbox_lease: lease }) => due !== undefined && lease === undefined)) this.#mayWait = true;
    }
  }

  /** Rising instants, one for each document. Every process publishes messages in the order of their instants. */
  instants(count: number): readonly number[] {
    // Not later than now: what is due later waits.
    const first = Math.max(this.#clock.now() - 1 + INSTANT_STEP, this.#lastInstant + INSTANT_STEP);
    this.#lastInstant = first + (count - 1) * INSTANT_STEP;
    return Array.from({ length: count }, (_, place) => first + place * INSTANT_STEP);
  }

  /** Has the next lease search for messages that were not written by {@link insert} or {@link update}. */
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
    const instants = this.instants(updates.length);
    const byUpdate = new Map(updates.map((one, place) => [one, instants[place]]));
    const instantOf = (one: OutboxUpdate): number => byUpdate.get(one) ?? now;
    const isHeld = ({ id, messages }: OutboxUpdate): boolean => messages.length > 0 && this.#mayHold() && !this.#held.has(id);
    const [held, others] = [updates.filter(isHeld), updates.filter((one) => !isHeld(one))];
    const { token: outbox_lease, until: outbox_due } = this.#leases.next(now);
    const written = held.map((one) => ({ _id: one.id, outbox: storedEntries(one.messages, instantOf(one)), outbox_due, outbox_lease }));
    const operations = held.map((one, index) => heldOf(one, written[index] as Carrier, instantOf(one)));
    let matched = 0;
    try {
      matched = await this.#collection.write([...operations, ...others.map((one) => appendOf(one, instantOf(one)))]);
    } catch (error) {
      // Of an update that a constraint refuses, the documents say what of the rest happened. Else the messages wait until the lease has run out.
      if (!(error instanceof AppError)) await this.#adopt(written);
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
      return matched + (await this.#collection.write(again.map((one) => appendOf(one, instantOf(one)))));
    } finally {
      this.#noteAppended(again);
    }
  }

  /**
   * The oldest messages that this process holds or can lease: at most `limit`, and no more once they have 16 million characters.
   * @throws AppError 50301
   */
  async lease(limit: number): Promise<readonly WaitingEntry[]> {
    const flushes = this.#flushes;
    this.#isRelayed = true;
    await this.#giveBackAging();
    await this.#readAppended();
    const places = limit - this.#held.waiting;
    if (this.#isSearchDue()) {
      if (places > 0 && this.#room() > 0) await this.#take(places);
      else this.#isBehind = true;
    }
    if (flushes === this.#flushes) return this.#held.entries(limit, MAX_HELD.characters);
    // The relay has stopped in between, so it does not publish them.
    await this.#giveBack();
    return [];
  }

  /** Notes that messages are published; {@link settle} removes them. @throws AppError 50301 */
  async remove(ids: readonly string[]): Promise<void> {
    this.#held.publish(ids);
    if (this.#held.hasMore) await this.settle();
  }

  /**
   * Removes what was published, for all documents at once, and releases documents that have more for the next process.
   * @throws AppError 50301; then it is removed by the next call, or published again by the next process
   */
  async settle(): Promise<void> {
    const published = this.#held.takePublished();
    if (published.length === 0) return;
    try {
      await this.#collection.pull(published, this.#clock.now());
    } catch (error) {
      this.#held.putBack(published);
      throw error;
    }
    // Another process may have appended to one of them, and this one is the first to know that it is free.
    this.#mayWait = true;
  }

  /** Removes what was published, and gives back the rest at once. A {@link lease} under way gives nothing. @throws AppError 50301 */
  async flush(): Promise<void> {
    this.#isRelayed = false;
    this.#flushes += 1;
    this.#mayWait = true;
    // Before the removal, which leaves out what is held anew.
    const held = this.#held.dropAll();
    try {
      await this.settle();
    } finally {
      await this.#giveBack(held);
    }
  }

  /** How many messages wait, and since when. @throws AppError 50301 */
  async depth(): Promise<OutboxDepth> {
    await this.settle();
    return this.#collection.depth();
  }

  /** Gives back documents that were held, and those that are. */
  async #giveBack(held: readonly Held[] = []): Promise<void> {
    await this.#collection.release([...held, ...this.#held.dropAll()], this.#clock.now());
  }

  /** True when what is written now may be held: a relay publishes it, and it does not exceed what a process holds. */
  #mayHold(): boolean {
    return this.#isRelayed && !this.#isBehind && this.#held.waiting < MAX_HELD.documents && this.#room() > 0;
  }

  #isSearchDue(): boolean {
    return this.#mayWait || Math.abs(this.#clock.now() - this.#searchedAt) >= SEARCH_EVERY_MS;
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
    const { ours, occupied } = await this.#collection.readWritten(written);
    this.#held.keep(ours);
    return occupied;
  }

  /**
   * Releases all held documents once a lease is half over, because publishing fails. The next lease starts with the oldest messages: documents that stay
   * held would overtake older ones.
   */
  async #giveBackAging(): Promise<void> {
    if (!this.#held.hasEndingBy(this.#clock.now() + this.#leaseMs / 2)) return;
    this.#mayWait = true;
    await this.#giveBack();
  }

  /** Reads what was appended to held documents, as far as there is room; the rest is leased once their messages are removed. */
  async #readAppended(): Promise<void> {
    if (this.#held.hasMore) await this.settle();
    const appended = this.#held.appendedTo();
    if (appended.length === 0) return;
    const documents = appended.map(({ document }) => document);
    this.#held.keep(await this.#collection.read(documents, inLeasesOf(appended), this.#room()));
  }

  /** Characters of messages that this process may hold in addition. */
  #room(): number {
    return MAX_HELD.characters - this.#held.characters;
  }

  async #take(limit: number): Promise<void> {
    const now = this.#clock.now();
    this.#mayWait = false;
    try {
      const { documents, hasMore } = await this.#collection.search(limit, this.#room(), now);
      this.#isBehind = hasMore;
      this.#mayWait ||= hasMore;
      this.#held.keep(await this.#collection.claim(documents, freeDocuments(now), this.#leases.next(now)));
    } catch (error) {
      this.#mayWait = true;
      throw error;
    }
    this.#searchedAt = now;
  }
}
