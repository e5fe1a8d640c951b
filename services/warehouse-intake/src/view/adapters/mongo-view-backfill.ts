import { randomUUID } from 'node:crypto';
import type { Clock } from '@parcelway/kernel/clock';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { type Model, Schema } from 'mongoose';
import type { BackfillProgress, BackfillState } from '../ports.ts';

/** How far the view is filled, as it lies in MongoDB: one document. */
interface BackfillDocument extends BackfillState {
  readonly _id: string;
  /** When it goes on, epoch milliseconds. */
  readonly due: number;
  /** The process that has the work … */
  readonly owner: string;
  /** … and until when, epoch milliseconds. */
  readonly owned_until: number;
}

/** How far the view is filled with forecasts from before it. */
export const viewBackfill = defineCollection<BackfillDocument>(
  'view_backfill',
  new Schema({
    _id: { type: String, required: true },
    pass: { type: Number, required: true },
    after: String,
    copied: { type: Number, required: true },
    due: { type: Number, required: true },
    owner: { type: String, required: true },
    owned_until: { type: Number, required: true },
  }),
  { sharding: { unsharded: 'one document' } },
);

/** The work of a process that records nothing for so long is another's. A page takes a second. */
export const OWNED_MS = 30_000;
const ID = 'forecasts';

/** How far the view is filled, in MongoDB: of several processes one has the work. */
export class MongoViewBackfill implements BackfillProgress {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<BackfillDocument>;
  readonly #passes: number;
  readonly #owner = randomUUID();

  /** @param db migrated with the service's collections @param passes after which it is done */
  constructor(db: MongoDatabase, clock: Clock, passes: number) {
    this.#db = db;
    this.#clock = clock;
    this.#model = db.model(viewBackfill);
    this.#passes = passes;
  }

  async claim(): Promise<BackfillState | 'done' | 'later'> {
    const found = await this.#db.run(() => this.#model.collection.findOne<BackfillDocument>({ _id: ID } as object));
    if (found === null) return this.#begin();
    const { pass, after, copied, due, owner, owned_until: until } = found;
    if (pass > this.#passes) return 'done';
    const now = this.#clock.now();
    if (due > now || (owner !== this.#owner && until > now)) return 'later';
    return (await this.#write(found, found, due)) ? { pass, after, copied } : 'later';
  }

  record(from: BackfillState, to: BackfillState, due: number): Promise<boolean> {
    return this.#write({ ...from, owner: this.#owner }, to, due);
  }

  async #begin(): Promise<BackfillState | 'later'> {
    const state = { pass: 1, after: null, copied: 0 };
    const owned = { owner: this.#owner, owned_until: this.#clock.now() + OWNED_MS };
    try {
      await this.#db.run(() => this.#model.collection.insertOne({ _id: ID, ...state, due: 0, ...owned } as object));
      return state;
    } catch (error) {
      if (isDuplicateKey(error)) return 'later';
      throw error;
    }
  }

  /** Unless another process has taken it or gone on in the meantime. */
  async #write(
    from: Pick<BackfillDocument, 'pass' | 'after' | 'owner'>,
    { pass, after, copied }: BackfillState,
    due: number,
  ): Promise<boolean> {
    const is = { _id: ID, pass: from.pass, after: from.after, owner: from.owner };
    const set = { pass, after, copied, due, owner: this.#owner, owned_until: this.#clock.now() + OWNED_MS };
    const { matchedCount } = await this.#db.run(() => this.#model.collection.updateOne(is as object, { $set: set } as object));
    return matchedCount > 0;
  }
}
