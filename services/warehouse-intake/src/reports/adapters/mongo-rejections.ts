import { defineCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { type Model, Schema } from 'mongoose';
import type { EventKey } from '../../expected/domain/event.ts';
import { MAX_REJECTIONS, type Rejection } from '../domain/event-outcome.ts';
import type { Rejections } from '../ports.ts';

/** A rejected report as it lies in MongoDB, in the ring of its warehouse. */
interface RejectionDocument {
  /** Warehouse code and slot: the count of its rejections modulo the most that are kept. */
  readonly _id: string;
  readonly warehouse_code: string;
  readonly event_id: string;
  /** Rises from one to the next at the warehouse. */
  readonly number: number;
  /** Epoch milliseconds. */
  readonly at: number;
  /** Rejection as JSON. */
  readonly rejection: string;
}

const rejectionSchema = new Schema({
  _id: { type: String, required: true },
  warehouse_code: { type: String, required: true },
  event_id: { type: String, required: true },
  number: { type: Number, required: true },
  at: { type: Number, required: true },
  rejection: { type: String, required: true },
});
rejectionSchema.index({ warehouse_code: 1, event_id: 1, number: -1 }, { name: 'event' });
// The platform's own sweep over all warehouses: the end of the keeping.
rejectionSchema.index({ at: 1 }, { name: 'age' });

/** Rejected reports. */
export const rejections = defineCollection<RejectionDocument>('rejections', rejectionSchema, {
  sharding: { unsharded: 'a bounded number of documents for each warehouse' },
});

/** How many reports of a warehouse have been rejected, by its code. */
export const rejectionCounts = defineCollection<{ readonly _id: string; readonly count: number }>(
  'rejection_counts',
  new Schema({ _id: { type: String, required: true }, count: { type: Number, required: true } }),
  { sharding: { unsharded: 'one small document for each warehouse' } },
);

/** Rejected reports in MongoDB. A call takes its numbers in one step for each warehouse and writes all of its reports in another. */
export class MongoRejections implements Rejections {
  readonly #db: MongoDatabase;
  readonly #model: Model<RejectionDocument>;
  readonly #counts: Model<{ readonly _id: string; readonly count: number }>;
  readonly #most: number;

  /** @param db migrated with intakeCollections @param most of a warehouse */
  constructor(db: MongoDatabase, most = MAX_REJECTIONS) {
    this.#db = db;
    this.#model = db.model(rejections);
    this.#counts = db.model(rejectionCounts);
    this.#most = most;
  }

  async remember(rejected: readonly Rejection[], at: number): Promise<void> {
    const documents: RejectionDocument[] = [];
    for (const warehouseCode of new Set(rejected.map((rejection) => rejection.warehouseCode))) {
      const own = rejected.filter((rejection) => rejection.warehouseCode === warehouseCode);
      const end = await this.#take(warehouseCode, own.length);
      own.forEach((rejection, index) => {
        const number = end - own.length + 1 + index;
        const { eventId: event_id } = rejection;
        const _id = `${warehouseCode} ${number % this.#most}`;
        documents.push({ _id, warehouse_code: warehouseCode, event_id, number, at, rejection: JSON.stringify(rejection) });
      });
    }
    const writes = documents.map((document) => ({ replaceOne: { filter: { _id: document._id }, replacement: document, upsert: true } }));
    await this.#db.run(() => this.#model.collection.bulkWrite(writes as never, { ordered: true }));
  }

  async rejectionOf({ warehouseCode, eventId }: EventKey): Promise<(Rejection & { readonly at: number }) | undefined> {
    const document = await this.#db.run(() =>
      this.#model
        .findOne({ warehouse_code: { $eq: warehouseCode }, event_id: { $eq: eventId } })
        .sort({ number: -1 })
        .lean<RejectionDocument | null>(),
    );
    return document === null ? undefined : { ...(JSON.parse(document.rejection) as Rejection), at: document.at };
  }

  async forget(before: number, limit: number): Promise<number> {
    const old = await this.#db.run(() =>
      this.#model
        .find({ at: { $lt: before } }, { _id: 1 })
        .sort({ at: 1 })
        .limit(limit)
        .hint('age')
        .lean<RejectionDocument[]>(),
    );
    if (old.length === 0) return 0;
    const filter = { _id: { $in: old.map(({ _id }) => _id) }, at: { $lt: before } };
    const { deletedCount } = await this.#db.run(() => this.#model.deleteMany(filter));
    return deletedCount;
  }

  /** @returns the last of so many numbers */
  async #take(warehouseCode: string, count: number): Promise<number> {
    const updated = await this.#db.run(() =>
      this.#counts.findOneAndUpdate({ _id: warehouseCode }, { $inc: { count } }, { upsert: true, returnDocument: 'after' }).lean(),
    );
    return updated.count;
  }
}
