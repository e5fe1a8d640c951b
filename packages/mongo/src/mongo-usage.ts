import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import type { UsageOfDay, UsageStore } from '@parcelway/kernel/usage-counter';
import { type mongo, Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { byTenant } from './mongo-sharding.ts';
import { mongoKind } from './mongo-tenant-data.ts';

interface UsageDocument {
  readonly tenant_id: string;
  readonly day: string;
  readonly amounts: Readonly<Record<string, number>>;
}

const text = { type: String, required: true };
const schema = new Schema({ tenant_id: text, day: text, amounts: { type: Schema.Types.Mixed, default: {} } });
schema.index({ tenant_id: 1, day: 1 }, { name: 'day', unique: true });
// Over all tenants: the sweep is the platform's own work.
schema.index({ day: 1 }, { name: 'by_day' });

/** What tenants use in a day, of one service; one of its collections. */
export const usageDays = defineCollection<UsageDocument>('usage_days', schema, { sharding: byTenant });

/** Records of one bulk write. */
const AT_ONCE = 1000;

/** What tenants use in a day, in a service's MongoDB database. */
export class MongoUsage implements UsageStore {
  readonly #db: MongoDatabase;
  readonly #days: mongo.Collection<UsageDocument>;

  /** @param db migrated with {@link usageDays} */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#days = db.model(usageDays).collection as unknown as mongo.Collection<UsageDocument>;
  }

  async add(records: readonly UsageOfDay[]): Promise<void> {
    for (let first = 0; first < records.length; first += AT_ONCE) {
      const writes = records.slice(first, first + AT_ONCE).map(({ tenantId, day, amounts }) => ({
        updateOne: {
          filter: { tenant_id: tenantId, day },
          update: { $inc: Object.fromEntries(Object.entries(amounts).map(([what, amount]) => [`amounts.${what}`, amount])) },
          upsert: true,
        },
      }));
      await this.#db.run(() => this.#days.bulkWrite(writes, { ordered: false }));
    }
  }

  days(tenantId: string, from: string, to: string): Promise<readonly UsageOfDay[]> {
    return this.#db.run(async () => {
      const found = await this.#days
        .find({ tenant_id: tenantId, day: { $gte: from, $lte: to } })
        .sort({ day: 1 })
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

/** What a tenant used in a day. @param db migrated with {@link usageDays} */
export function usageKind(db: MongoDatabase): TenantDataKind {
  return mongoKind(db, usageDays, { name: 'usage', owned: { owner: 'tenant_id', order: 'day' } });
}
