import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import type { ListPosition } from '@parcelway/kernel/list-position';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { createMongoStore } from '@parcelway/store/mongo/mongo-store';
import { createIdempotencyStore } from '@parcelway/store/shared/idempotency-keys';
import { createUsageStore } from '@parcelway/store/shared/usage-days';
import type { Model } from 'mongoose';
import { MongoAudit, MongoFailedCalls } from '../activity/adapters/mongo-activity.ts';
import type { TenantRecord } from '../tenants/domain/records.ts';
import type { TenantStore } from '../tenants/ports.ts';
import { joinOutboxes } from './join-outboxes.ts';
import { MongoErasures } from './mongo-erasures.ts';
import { MongoKeys } from './mongo-keys.ts';
import { MongoOperators } from './mongo-operators.ts';
import { keys, type TenantDocument, tenants, warehouses } from './mongo-schema.ts';
import { createMongoTenantData } from './mongo-tenant-data.ts';
import { MongoTenantRetentions } from './mongo-tenant-retentions.ts';
import { MongoWarehouses } from './mongo-warehouses.ts';
import type { StoresWithOutbox } from './sqlite-stores.ts';

const toTenant = ({ _id, name, status, created_at }: TenantDocument): TenantRecord => ({ id: _id, name, status, createdAt: created_at });

/** Merchants in MongoDB. */
class MongoTenants implements TenantStore {
  readonly #database: MongoDatabase;
  readonly #model: Model<TenantDocument>;

  readonly #clock: Clock;

  constructor(database: MongoDatabase, clock: Clock) {
    this.#database = database;
    this.#model = database.model(tenants);
    this.#clock = clock;
  }

  async add({ id, name, status, createdAt }: TenantRecord): Promise<void> {
    await this.#database.run(() => this.#model.create({ _id: id, name, status, created_at: createdAt }));
  }

  async find(id: string): Promise<TenantRecord | undefined> {
    const document = await this.#database.run(() => this.#model.findOne({ _id: { $eq: id } }).lean<TenantDocument>());
    return document === null ? undefined : toTenant(document);
  }

  async list(limit: number, after?: ListPosition): Promise<TenantRecord[]> {
    // The first condition has the index begin at the instant of the position, whatever plan the server takes.
    const behind = after && {
      created_at: { $gte: after.createdAt },
      $or: [{ created_at: { $gt: after.createdAt } }, { created_at: { $eq: after.createdAt }, _id: { $gt: after.id } }],
    };
    const documents = await this.#database.run(() =>
      this.#model
        .find({ ...behind })
        .sort({ created_at: 1, _id: 1 })
        .limit(limit)
        .hint('by_age')
        .lean<TenantDocument[]>(),
    );
    return documents.map(toTenant);
  }

  async startingWith(text: string, limit: number): Promise<TenantRecord[]> {
    // The last character of Unicode ends what begins with the text.
    const documents = await this.#database.run(() =>
      this.#model
        .find({ name: { $gte: text, $lt: `${text}\u{10ffff}` } })
        .sort({ name: 1 })
        .limit(limit)
        .hint('by_name')
        .lean<TenantDocument[]>(),
    );
    return documents.map(toTenant);
  }

  async named(name: string, limit: number): Promise<TenantRecord[]> {
    const documents = await this.#database.run(() =>
      this.#model
        .find({ name: { $eq: name } })
        .limit(limit)
        .lean<TenantDocument[]>(),
    );
    return documents.map(toTenant);
  }

  rename(id: string, name: string): Promise<TenantRecord | undefined> {
    return this.#set(id, { name });
  }

  setStatus(id: string, status: TenantRecord['status'], message?: EncodedMessage): Promise<TenantRecord | undefined> {
    return this.#set(id, { status }, message === undefined ? [] : [message]);
  }

  async #set(
    id: string,
    fields: Partial<Pick<TenantDocument, 'name' | 'status'>>,
    messages: readonly EncodedMessage[] = [],
  ): Promise<TenantRecord | undefined> {
    const update = messages.length === 0 ? { $set: fields } : withOutbox({ $set: fields }, messages, this.#clock.now());
    // The model would drop what belongs to the outbox.
    const document = await this.#database.run(() =>
      this.#model.collection.findOneAndUpdate({ _id: id } as object, update as object, { returnDocument: 'after' }),
    );
    return document === null ? undefined : toTenant(document as unknown as TenantDocument);
  }
}

/** The gateway's stores over its MongoDB database. @param database migrated with gatewayCollections */
export function openMongoStores(database: MongoDatabase, clock: Clock): StoresWithOutbox {
  return {
    tenants: new MongoTenants(database, clock),
    retentions: new MongoTenantRetentions(database, clock),
    warehouses: new MongoWarehouses(database, clock),
    keys: new MongoKeys(database),
    erasures: new MongoErasures(database),
    activity: {
      audit: new MongoAudit(database),
      failedCalls: new MongoFailedCalls(database),
      usage: createUsageStore(createMongoStore(database)),
    },
    operators: new MongoOperators(database),
    tenantData: createMongoTenantData(database),
    outbox: joinOutboxes({
      key: new MongoOutbox(database, keys, { clock }),
      warehouse: new MongoOutbox(database, warehouses, { clock }),
      tenant: new MongoOutbox(database, tenants, { clock }),
    }),
    idempotency: createIdempotencyStore(createMongoStore(database)),
    check: () => database.check(),
  };
}
