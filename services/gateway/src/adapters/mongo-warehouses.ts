import type { Clock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { newOutbox, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import type { Model } from 'mongoose';
import type { WarehouseRecord } from '../tenants/domain/records.ts';
import type { WarehouseChange } from '../tenants/domain/warehouse-events.ts';
import type { WarehouseStore } from '../tenants/ports.ts';
import { type WarehouseDocument, warehouses } from './mongo-schema.ts';

function toRecord({ _id, name, created_at, closed_at, version }: WarehouseDocument): WarehouseRecord {
  return { code: _id, name, createdAt: created_at, closedAt: closed_at ?? null, version };
}

/** Warehouses in MongoDB. A change and its event are one write of the warehouse's document. */
export class MongoWarehouses implements WarehouseStore {
  readonly #database: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<WarehouseDocument>;

  /** @param database migrated with gatewayCollections */
  constructor(database: MongoDatabase, clock: Clock) {
    this.#database = database;
    this.#clock = clock;
    this.#model = database.model(warehouses);
  }

  async add({ warehouse, message }: WarehouseChange): Promise<boolean> {
    const { code, name, createdAt, version } = warehouse;
    const document = { _id: code, name, created_at: createdAt, version, ...newOutbox([message], this.#clock.now()) };
    try {
      await this.#database.run(() => this.#model.create(document));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async change({ warehouse, message }: WarehouseChange): Promise<boolean> {
    const { code, name, closedAt, version } = warehouse;
    const fields = { name, version, ...(closedAt !== null && { closed_at: closedAt }) };
    const update = withOutbox({ $set: fields }, [message], this.#clock.now());
    const { modifiedCount } = await this.#database.run(() =>
      this.#model.collection.updateOne({ _id: code, version: version - 1 } as object, update as object),
    );
    return modifiedCount === 1;
  }

  async find(code: string): Promise<WarehouseRecord | undefined> {
    const document = await this.#database.run(() => this.#model.findOne({ _id: { $eq: code } }).lean<WarehouseDocument>());
    return document === null ? undefined : toRecord(document);
  }

  async list(limit: number): Promise<WarehouseRecord[]> {
    // The hint keeps the planner from sorting a scan of the collection: `_id` is the order.
    const documents = await this.#database.run(() =>
      this.#model.find().sort({ _id: 1 }).hint({ _id: 1 }).limit(limit).lean<WarehouseDocument[]>(),
    );
    return documents.map(toRecord);
  }
}
