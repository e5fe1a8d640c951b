import { randomBytes } from 'node:crypto';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import type { Model, Schema, SchemaDefinition } from 'mongoose';
import { uuidv7 } from 'uuidv7';
import type { MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';

/** A message to be published once the write that carries it has been acknowledged. */
export interface OutboxEntry {
  readonly topic: string;
  /** Messages of one key stay in order when one document carries them all. */
  readonly key: string;
  readonly value: string;
}

/** An entry in the outbox, with an id that names document and entry. */
export interface WaitingEntry extends OutboxEntry {
  readonly id: string;
}

/** An entry as it lies in its document. */
interface StoredEntry extends OutboxEntry {
  readonly id: string;
  /** Epoch milliseconds. */
  readonly at: number;
}

/** The fields that a document with an outbox has. Absent when nothing waits. */
export interface OutboxFields {
  readonly outbox?: readonly StoredEntry[];
  /** From when on the entries may be leased, epoch milliseconds; in the future while another holds them. */
  readonly outbox_due?: number;
  /** Time of the oldest entry, epoch milliseconds. */
  readonly outbox_since?: number;
  /** Who holds them. */
  readonly outbox_lease?: string;
}

/** Schema of {@link OutboxFields}; spread it into the aggregate's. */
export const outboxFields = {
  outbox: { type: [{ _id: false, id: String, topic: String, key: String, value: String, at: Number }], default: undefined },
  outbox_due: Number,
  outbox_since: Number,
  outbox_lease: String,
} satisfies SchemaDefinition;

/** Name of the index by which the relay finds what waits, over all tenants: it is the platform's own work. */
export const OUTBOX_INDEX = 'outbox_due';

/** Adds the relay's index to the schema of an aggregate with an outbox. */
export function indexOutbox(schema: Schema): void {
  schema.index({ outbox_due: 1, outbox_since: 1 }, { name: OUTBOX_INDEX, partialFilterExpression: { outbox_due: { $exists: true } } });
}

function stored(messages: readonly OutboxEntry[], now: number): StoredEntry[] {
  return messages.map(({ topic, key, value }) => ({ id: uuidv7(), topic, key, value, at: now }));
}

/** The outbox of a document that is inserted with messages; spread it into the document. Empty when there are none. */
export function newOutbox(messages: readonly OutboxEntry[], now: number): OutboxFields {
  return messages.length === 0 ? {} : { outbox: stored(messages, now), outbox_due: now, outbox_since: now };
}

/** What an update of a document appends. */
interface OutboxAppend {
  readonly $push?: { readonly outbox: { readonly $each: StoredEntry[] } };
  readonly $max?: { readonly outbox_due: number };
  readonly $min?: { readonly outbox_since: number };
}

/**
 * The operators that append messages in the update that changes the document; merge them into it. `$max` leaves a lease
 * as it is: who holds the document publishes these as well, behind the ones before them.
 */
function appendToOutbox(messages: readonly OutboxEntry[], now: number): OutboxAppend {
  if (messages.length === 0) return {};
  return { $push: { outbox: { $each: stored(messages, now) } }, $max: { outbox_due: now }, $min: { outbox_since: now } };
}

/** An update with operators. */
type Update = Readonly<Record<string, Readonly<Record<string, unknown>>>>;

/**
 * An update of a document that appends messages as well.
 * @throws Error when both would touch the same field by the same operator: one of them would silently win
 */
export function withOutbox(update: Update, messages: readonly OutboxEntry[], now: number): Update {
  const merged: Record<string, Readonly<Record<string, unknown>>> = { ...update };
  for (const [operator, fields] of Object.entries(appendToOutbox(messages, now))) {
    const own = merged[operator] ?? {};
    const twice = Object.keys(fields).filter((field) => field in own);
    if (twice.length > 0) throw new Error(`The update and the outbox both ${operator} ${twice.join(', ')}`);
    merged[operator] = { ...own, ...fields };
  }
  return merged;
}

/** A document that this process holds. */
interface Held {
  readonly document: unknown;
  readonly entries: readonly StoredEntry[];
  /** End of the lease, epoch milliseconds. */
  readonly until: number;
}

/** Options of an outbox. */
export interface MongoOutboxOptions {
  readonly clock?: Clock;
  /** Time after which what a process held may be taken by another; default 15 s, above the deadline of a publication. */
  readonly leaseMs?: number;
}

const SEPARATOR = '#';
/** Documents beyond which the messages in them are no longer counted one by one. */
const BACKLOG = 200;
/** No lease is asked for that is longer, and none that looks longer is believed. */
const MAX_LEASE_MS = 60_000;

/**
 * The messages that a service has still to publish, embedded in the documents that they are about, so that a message
 * is written in the very operation that changes the state, without a transaction.
 *
 * Several processes publish side by side: each leases documents (`outbox_due` moved into the future under its token),
 * publishes and removes. A document has one holder at a time, so messages of one document stay in order; what a dead
 * process held is taken over when its lease has run out. Between documents the order is by time of writing, nearly.
 */
export class MongoOutbox {
  readonly #database: MongoDatabase;
  readonly #model: Model<OutboxFields>;
  readonly #clock: Clock;
  readonly #leaseMs: number;
  readonly #token = randomBytes(12).toString('base64url');
  /** By id of the document, in the order of the leases. */
  readonly #held = new Map<string, Held>();

  /** @param collection whose schema has {@link outboxFields} and {@link indexOutbox} */
  constructor(database: MongoDatabase, collection: MongoCollection<OutboxFields>, options: MongoOutboxOptions = {}) {
    this.#database = database;
    this.#model = database.model(collection);
    this.#clock = options.clock ?? systemClock;
    this.#leaseMs = Math.min(options.leaseMs ?? 15_000, MAX_LEASE_MS);
  }

  /** The oldest `limit` messages that this process holds or can get hold of. @throws AppError 50301 */
  async lease(limit: number): Promise<readonly WaitingEntry[]> {
    await this.#database.run(async () => {
      if (this.#held.size > 0) await this.#renew();
      if (this.#held.size < limit) await this.#take(limit - this.#held.size);
    });
    const waiting: WaitingEntry[] = [];
    for (const [document, { entries }] of this.#held) {
      for (const { id, topic, key, value } of entries) {
        if (waiting.length === limit) return waiting;
        waiting.push({ id: `${document}${SEPARATOR}${id}`, topic, key, value });
      }
    }
    return waiting;
  }

  /**
   * Forgets published messages and releases documents that have more for the next process.
   * @throws AppError 50301; then they are published again
   */
  async remove(ids: readonly string[]): Promise<void> {
    const byDocument = new Map<string, string[]>();
    for (const id of ids) {
      const cut = id.lastIndexOf(SEPARATOR);
      const document = id.slice(0, cut);
      const entries = byDocument.get(document) ?? [];
      entries.push(id.slice(cut + 1));
      byDocument.set(document, entries);
    }
    const touched = [...byDocument.keys()].flatMap((document) => this.#held.get(document)?.document ?? []);
    if (touched.length === 0) return;
    const published = [...byDocument.values()].flat();
    await this.#database.run(() =>
      this.#model.collection.updateMany({ _id: { $in: touched } } as object, pullEntries(published, this.#token, this.#clock.now())),
    );
    for (const document of byDocument.keys()) this.#held.delete(document);
  }

  /** Gives back what this process holds, so that another need not wait for the lease to run out. @throws AppError 50301 */
  async flush(): Promise<void> {
    const held = [...this.#held.values()].map(({ document }) => document);
    this.#held.clear();
    if (held.length === 0) return;
    await this.#database.run(() =>
      this.#model.collection.updateMany({ _id: { $in: held }, outbox_lease: this.#token } as object, {
        $set: { outbox_due: this.#clock.now() },
        $unset: { outbox_lease: '' },
      }),
    );
  }

  /**
   * How many messages wait, and since when the oldest does (epoch milliseconds; null when none). In a backlog it counts
   * documents, by the index alone: their contents would take longer to read than anybody waits for a figure.
   * @throws AppError 50301
   */
  async depth(): Promise<{ readonly count: number; readonly oldestAt: number | null }> {
    // A range, which the index alone can serve; `$exists` would read the documents.
    const waiting = { $match: { outbox_due: { $gt: 0 } } };
    const sumUp = (count: object): object => ({ $group: { _id: null, count, oldest: { $min: '$outbox_since' } } });
    const ask = async (count: object): Promise<{ readonly count: number; readonly oldestAt: number | null }> => {
      const rows = this.#model.collection.aggregate<{ count: number; oldest: number }>([waiting, sumUp(count)], { hint: OUTBOX_INDEX });
      const [row] = await rows.toArray();
      return { count: row?.count ?? 0, oldestAt: row?.oldest ?? null };
    };
    return this.#database.run(async () => {
      const documents = await ask({ $sum: 1 });
      return documents.count > BACKLOG ? documents : ask({ $sum: { $size: '$outbox' } });
    });
  }

  /** Prolongs leases that are past their middle, and lets go of documents that were lost meanwhile. */
  async #renew(): Promise<void> {
    const now = this.#clock.now();
    const aging = [...this.#held].filter(([, { until }]) => now >= until - this.#leaseMs / 2);
    if (aging.length === 0) return;
    const kept = await this.#claim(
      aging.map(([, { document }]) => document),
      { outbox_lease: this.#token },
      now,
    );
    const ours = new Set(kept.map(({ _id }) => String(_id)));
    for (const [id] of aging) if (!ours.has(id)) this.#held.delete(id);
    this.#keep(kept, now);
  }

  async #take(limit: number): Promise<void> {
    const now = this.#clock.now();
    // A lease longer than any lease is of a clock that was ahead: without this it would hold until then.
    const free = { $or: [{ outbox_due: { $lte: now } }, { outbox_due: { $gt: now + MAX_LEASE_MS } }] };
    const found = await this.#model.collection.find(free, { projection: { outbox: 1 }, sort: { outbox_due: 1 }, limit }).toArray();
    if (found.length === 0) return;
    const claimed = await this.#claim(
      found.map(({ _id }) => _id),
      free,
      now,
    );
    this.#keep(claimed, now);
  }

  /** Takes those of the documents that still fit `condition`, and reads what they hold now. */
  async #claim(documents: readonly unknown[], condition: object, now: number): Promise<readonly (OutboxFields & { _id: unknown })[]> {
    const until = now + this.#leaseMs;
    const { modifiedCount } = await this.#model.collection.updateMany(
      { _id: { $in: documents }, ...condition } as object,
      { $set: { outbox_due: until, outbox_lease: this.#token } },
      // By the index of what is due, it would go through a whole backlog to find these.
      { hint: { _id: 1 } },
    );
    if (modifiedCount === 0) return [];
    // Read after the claim, never before: nobody else publishes from these documents from here on.
    return this.#model.collection
      .find({ _id: { $in: documents }, outbox_lease: this.#token, outbox_due: until } as object, {
        projection: { outbox: 1 },
        hint: { _id: 1 },
      })
      .toArray() as Promise<(OutboxFields & { _id: unknown })[]>;
  }

  #keep(documents: readonly (OutboxFields & { readonly _id: unknown })[], now: number): void {
    const inOrder = [...documents].sort((a, b) => (a.outbox?.[0]?.at ?? 0) - (b.outbox?.[0]?.at ?? 0));
    for (const { _id, outbox = [] } of inOrder) this.#held.set(String(_id), { document: _id, entries: outbox, until: now + this.#leaseMs });
  }
}

/**
 * Takes entries out; a document with none left loses its outbox, one with more is free for the next lease. A lease that
 * another took over meanwhile stays with it.
 */
function pullEntries(ids: readonly string[], token: string, now: number): object[] {
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
