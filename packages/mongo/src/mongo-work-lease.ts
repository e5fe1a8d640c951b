import { randomUUID } from 'node:crypto';
import { MAX_CLOCK_LEAD_MS, type WorkLease } from '@parcelway/kernel/work-lease';
import { type mongo, Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';

interface LeaseDocument {
  /** Name of the work. */
  readonly _id: string;
  /** '' while no process has the work. */
  readonly owner: string;
  /** The end of the lease while a process has the work. */
  readonly due_at: number;
  readonly place: string;
}

const text = { type: String, required: true };

/** Regular works of a service; one of its collections. */
export const workLeases = defineCollection<LeaseDocument>(
  'work_leases',
  new Schema({
    _id: text,
    owner: { type: String, default: '' },
    due_at: { type: Number, required: true },
    place: { type: String, default: '' },
  }),
  { sharding: { unsharded: 'one small document for each regular work' } },
);

/** Regular work that processes share over one database. Every step is one write of one document. */
export class MongoWorkLease implements WorkLease {
  readonly #db: MongoDatabase;
  readonly #leases: mongo.Collection<LeaseDocument>;
  readonly #name: string;
  /** Names this process among those that share the work. */
  readonly #owner = randomUUID();

  /** @param db migrated with {@link workLeases} @param name of the work */
  constructor(db: MongoDatabase, name: string) {
    this.#db = db;
    this.#leases = db.model(workLeases).collection as unknown as mongo.Collection<LeaseDocument>;
    this.#name = name;
  }

  async take(now: number, until: number, latest: number): Promise<string | undefined> {
    const isDue = { $lte: [{ $ifNull: ['$due_at', 0] }, now] };
    const isPaused = { $and: [{ $eq: ['$owner', ''] }, { $gt: ['$due_at', latest] }] };
    // Only of work that a process has: work that is given back may be due as late.
    const isAhead = { $and: [{ $ne: ['$owner', ''] }, { $gt: ['$due_at', until + MAX_CLOCK_LEAD_MS] }] };
    const isFree = { $or: [isDue, isPaused, isAhead] };
    const taken = {
      owner: { $cond: [isFree, this.#owner, '$owner'] },
      due_at: { $cond: [isFree, until, '$due_at'] },
      place: { $ifNull: ['$place', ''] },
    };
    // A pipeline, because a filter with an upsert would fail each time that the work is not due.
    const found = await this.#db.run(() =>
      this.#leases.findOneAndUpdate({ _id: this.#name }, [{ $set: taken }], { upsert: true, returnDocument: 'after' }),
    );
    return found?.owner === this.#owner && found.due_at === until ? found.place : undefined;
  }

  async keep(place: string, until: number): Promise<boolean> {
    return this.#write({ place, due_at: until });
  }

  async giveBack(place: string, dueAt: number): Promise<void> {
    await this.#write({ place, due_at: dueAt, owner: '' });
  }

  /** @returns false when another process has the work */
  async #write(fields: Partial<LeaseDocument>): Promise<boolean> {
    const mine = { _id: this.#name, owner: this.#owner };
    const { matchedCount } = await this.#db.run(() => this.#leases.updateOne(mine, { $set: fields }));
    return matchedCount === 1;
  }
}
