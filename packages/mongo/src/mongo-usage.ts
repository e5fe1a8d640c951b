import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { AMOUNTS_KEPT_PER_DAY, type UsageBatch, type UsageOfDay, type UsageStore } from '@parcelway/kernel/usage-counter';
import { type mongo, Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { isDuplicateKey, refusalsOf } from './mongo-errors.ts';
import { byTenant } from './mongo-sharding.ts';
import { mongoKind } from './mongo-tenant-data.ts';

interface UsageDocument {
  readonly tenant_id: string;
  readonly day: string;
  readonly amounts: Readonly<Record<string, number>>;
  /** Counter → number of its last batch that is added. */
  readonly batches: Readonly<Record<string, number>>;
}

const text = { type: String, required: true };
const schema = new Schema({
  tenant_id: text,
  day: text,
  amounts: { type: Schema.Types.Mixed, default: {} },
  batches: { type: Schema.Types.Mixed, default: {} },
});
schema.index({ tenant_id: 1, day: 1 }, { name: 'day', unique: true });
// Over all tenants: the sweep is the platform's own work.
schema.index({ day: 1 }, { name: 'by_day' });

/** What tenants use in a day, of one service; one of its collections. */
export const usageDays = defineCollection<UsageDocument>('usage_days', schema, { sharding: byTenant });

/** What became of deliveries to the endpoints of tenants in a day. */
export const deliveryDays = defineCollection<UsageDocument>('delivery_days', schema, { sharding: byTenant });

/** A collection of amounts of the days of tenants. */
export type UsageCollection = typeof usageDays;

const stored = { $ifNull: ['$amounts', {}] };
/** A document must not grow without end. */
const hasRoom = { $lt: [{ $size: { $objectToArray: stored } }, AMOUNTS_KEPT_PER_DAY] };

/** The stored amounts with further ones, in the language of aggregations; where as many names are stored as are kept, no name joins them. */
function withAdded(amounts: Readonly<Record<string, number>>): object {
  const sums = Object.entries(amounts).map(([what, amount]) => {
    const place = `$amounts.${what}`;
    const isKept = { $or: [hasRoom, { $ne: [{ $type: place }, 'missing'] }] };
    return { $cond: [isKept, { [what]: { $add: [{ $ifNull: [place, 0] }, amount] } }, {}] };
  });
  return { $mergeObjects: [stored, ...sums] };
}

/** Records of one bulk write. */
const AT_ONCE = 1000;

/** What tenants use in a day, in a service's MongoDB database. */
export class MongoUsage implements UsageStore {
  readonly #db: MongoDatabase;
  readonly #days: mongo.Collection<UsageDocument>;

  /** @param db migrated with the collection */
  constructor(db: MongoDatabase, collection: UsageCollection = usageDays) {
    this.#db = db;
    this.#days = db.model(collection).collection as unknown as mongo.Collection<UsageDocument>;
  }

  async add({ counter, number, records }: UsageBatch): Promise<void> {
    const place = `batches.${counter}`;
    for (let first = 0; first < records.length; first += AT_ONCE) {
      const writes = records.slice(first, first + AT_ONCE).map(({ tenantId, day, amounts }) => {
        // A day that has the batch already does not match; its insert then meets the unique index.
        const filter = { tenant_id: tenantId, day, [place]: { $not: { $gte: number } } };
        return { updateOne: { filter, update: [{ $set: { amounts: withAdded(amounts), [place]: number } }], upsert: true } };
      });
      await this.#db.run(async () => {
        try {
          await this.#days.bulkWrite(writes as mongo.AnyBulkWriteOperation<UsageDocument>[], { ordered: false });
        } catch (error) {
          if (!isDuplicateKey(error, 'day')) throw error;
          await this.#addOnce(writes as mongo.AnyBulkWriteOperation<UsageDocument>[], error);
        }
      });
    }
  }

  /** Another process may have inserted the day at the same moment: what met the index is written once more, and has its day now. */
  async #addOnce(writes: readonly mongo.AnyBulkWriteOperation<UsageDocument>[], error: unknown): Promise<void> {
    const again = [...(refusalsOf(error)?.keys() ?? [])].flatMap((index) => writes[index] ?? []);
    try {
      if (again.length > 0) await this.#days.bulkWrite(again, { ordered: false });
    } catch (second) {
      if (!isDuplicateKey(second, 'day')) throw second;
    }
  }

  async set({ tenantId, day, amounts }: UsageOfDay): Promise<void> {
    const kept = Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [`amounts.${what}`, amount]));
    const write = () => this.#days.updateOne({ tenant_id: tenantId, day }, { $set: kept }, { upsert: true });
    await this.#db.run(async () => {
      try {
        await write();
      } catch (error) {
        // Another process has inserted the day at the same moment.
        if (!isDuplicateKey(error, 'day')) throw error;
        await write();
      }
    });
  }

  days(tenantId: string, from: string, to: string, prefix = ''): Promise<readonly UsageOfDay[]> {
    const begins = { $eq: [{ $indexOfBytes: ['$$this.k', { $literal: prefix }] }, 0] };
    const amounts = { $arrayToObject: { $filter: { input: { $objectToArray: stored }, cond: begins } } };
    return this.#db.run(async () => {
      const found = await this.#days
        .aggregate<Pick<UsageDocument, 'day' | 'amounts'>>([
          { $match: { tenant_id: tenantId, day: { $gte: from, $lte: to } } },
          { $sort: { day: 1 } },
          { $project: { day: 1, amounts: prefix === '' ? 1 : amounts } },
        ])
        .toArray();
      return found.map(({ day, amounts }) => ({ tenantId, day, amounts }));
    });
  }

  deleteBefore(day: string, limit: number): Promise<number> {
    return this.#db.run(async () => {
      const found = await this.#days
        .find({ day: { $lt: day } }, { projection: { _id: 1 } })
        .sort({ day: 1 })
        .limit(limit)
        .toArray();
      if (found.length === 0) return 0;
      return (await this.#days.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } })).deletedCount;
    });
  }
}

/** What was counted of a tenant in each day. @param db migrated with the collection @param name of the kind */
export function usageKind(db: MongoDatabase, name = 'usage', collection: UsageCollection = usageDays): TenantDataKind {
  return mongoKind(db, collection, {
    name,
    owned: { owner: 'tenant_id', order: 'day' },
    record: ({ day, amounts }) => ({ day, amounts }),
  });
}
