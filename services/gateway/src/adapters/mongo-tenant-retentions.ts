import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import type { Model } from 'mongoose';
import type { RetentionChange, TenantRetentionRecord } from '../tenants/domain/tenant-retention.ts';
import type { TenantRetentionStore } from '../tenants/ports.ts';
import { type TenantDocument, tenants } from './mongo-schema.ts';

/** How long data of tenants is kept, in MongoDB. A change and its event are one write of the tenant's document. */
export class MongoTenantRetentions implements TenantRetentionStore {
  readonly #database: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<TenantDocument>;

  /** @param database migrated with gatewayCollections */
  constructor(database: MongoDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#model = database.model(tenants);
  }

  async find(tenantId: string): Promise<TenantRetentionRecord | undefined> {
    const found = await this.#database.run(() => this.#model.findOne({ _id: { $eq: tenantId } }, { retention: 1 }).lean<TenantDocument>());
    if (found === null) return undefined;
    const { version = 0, forecast_days: forecastDays = null, file_days: fileDays = null } = found.retention ?? {};
    return { tenantId, version, forecastDays, fileDays };
  }

  async change({ retention, message }: RetentionChange): Promise<boolean> {
    const { tenantId, version, forecastDays: forecast_days, fileDays: file_days } = retention;
    // A missing field is found as null.
    const before = { _id: tenantId, 'retention.version': version === 1 ? null : version - 1 };
    const update = withOutbox({ $set: { retention: { version, forecast_days, file_days } } }, [message], this.#clock.now());
    const { modifiedCount } = await this.#database.run(() => this.#model.collection.updateOne(before as object, update as object));
    return modifiedCount === 1;
  }
}
