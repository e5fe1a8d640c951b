import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { writeNewerVersion } from '@parcelway/mongo/mongo-newer-version';
import type { Model } from 'mongoose';
import type { TenantRetention } from '../domain/retention.ts';
import type { TenantRetentions } from '../ports.ts';
import { type TenantRetentionDocument, tenantRetentions } from './mongo-retention-schema.ts';

/** What tenants have chosen, in MongoDB. */
export class MongoTenantRetentions implements TenantRetentions {
  readonly #database: MongoDatabase;
  readonly #model: Model<TenantRetentionDocument>;

  /** @param database migrated with forecastCollections */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#model = database.model(tenantRetentions);
  }

  async find(tenantId: string): Promise<TenantRetention | undefined> {
    const found = await this.#database.run(() => this.#model.findOne({ _id: { $eq: tenantId } }).lean<TenantRetentionDocument>());
    if (found === null) return undefined;
    return { tenantId, version: found.version, forecastDays: found.forecast_days, fileDays: found.file_days };
  }

  async record({ tenantId, version, forecastDays, fileDays }: TenantRetention): Promise<void> {
    const fields = { version, forecast_days: forecastDays, file_days: fileDays };
    await writeNewerVersion(this.#database, this.#model.collection, { key: { _id: tenantId }, fields });
  }
}
