import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { writeNewerVersion } from '@parcelway/mongo/mongo-newer-version';
import type { Model } from 'mongoose';
import type { KnownWarehouse, WarehouseSamples, WarehouseStore } from '../ports.ts';
import { type WarehouseDocument, warehouses } from './mongo-schema.ts';

export class MongoWarehouses implements WarehouseStore, WarehouseSamples {
  readonly #database: MongoDatabase;
  readonly #model: Model<WarehouseDocument>;

  /** @param database migrated with forecastCollections */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#model = database.model(warehouses);
  }

  async find(code: string): Promise<KnownWarehouse | undefined> {
    const found = await this.#database.run(() => this.#model.findOne({ _id: { $eq: code } }).lean<WarehouseDocument>());
    return found === null ? undefined : { code: found._id, version: found.version, isOpen: found.is_open };
  }

  async isEmpty(): Promise<boolean> {
    // By the index of `_id`, whose first entry is enough.
    return (await this.#database.run(() => this.#model.findOne({}, { _id: 1 }).sort({ _id: 1 }).hint({ _id: 1 }).lean())) === null;
  }

  async some(limit: number): Promise<readonly KnownWarehouse[]> {
    const found = await this.#database.run(() =>
      this.#model.find({}).sort({ _id: 1 }).hint({ _id: 1 }).limit(limit).lean<WarehouseDocument[]>(),
    );
    return found.map(({ _id, version, is_open }) => ({ code: _id, version, isOpen: is_open }));
  }

  async record({ code, version, isOpen }: KnownWarehouse): Promise<void> {
    await writeNewerVersion(this.#database, this.#model.collection, { key: { _id: code }, fields: { version, is_open: isOpen } });
  }
}
