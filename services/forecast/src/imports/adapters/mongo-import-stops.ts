import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { mongo } from 'mongoose';
import type { ImportStop } from '../domain/import-stop.ts';
import type { ImportStops } from '../ports.ts';
import { type ImportStopDocument, importIndexes, importStops } from './mongo-import-schema.ts';

const idOf = (tenantId: string, keyId: string | null): string => `${tenantId} ${keyId ?? 'tenant'}`;

/** What has stopped imports lately, in MongoDB. */
export class MongoImportStops implements ImportStops {
  readonly #db: MongoDatabase;
  readonly #stops: mongo.Collection<ImportStopDocument>;

  /** @param db migrated with forecastCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#stops = db.model(importStops).collection as unknown as mongo.Collection<ImportStopDocument>;
  }

  async note({ tenantId, keyId, at }: ImportStop, now: number): Promise<void> {
    const filter = { _id: idOf(tenantId, keyId), tenant_id: tenantId };
    const update = { $setOnInsert: { key_id: keyId }, $max: { stopped_at: at, noted_at: now } };
    await this.#db.run(() => this.#stops.updateOne(filter, update, { upsert: true }));
  }

  async of(tenantId: string, keyId: string): Promise<readonly ImportStop[]> {
    const filter = { _id: { $in: [idOf(tenantId, null), idOf(tenantId, keyId)] }, tenant_id: tenantId };
    const found = await this.#db.run(() => this.#stops.find(filter).hint('_id_').toArray());
    return found.map(({ key_id, stopped_at }) => ({ tenantId, keyId: key_id, at: stopped_at }));
  }

  async forget(before: number, limit: number): Promise<number> {
    return this.#db.run(async () => {
      const found = await this.#stops
        .find({ noted_at: { $lt: before } }, { projection: { tenant_id: 1 } })
        .sort({ noted_at: 1 })
        .hint(importIndexes.noted)
        .limit(limit)
        .toArray();
      if (found.length === 0) return 0;
      const tenants = [...new Set(found.map(({ tenant_id }) => tenant_id))];
      // One that was noted again meanwhile stays.
      const filter = { _id: { $in: found.map(({ _id }) => _id) }, tenant_id: { $in: tenants }, noted_at: { $lt: before } };
      return (await this.#stops.deleteMany(filter)).deletedCount;
    });
  }
}
