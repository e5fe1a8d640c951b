import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import type { OperatorRecord } from '../operators/domain/operator.ts';
import type { OperatorStore } from '../operators/ports.ts';
import { type OperatorDocument, operators } from './mongo-schema.ts';

function toRecord({ _id, role, hash, created_at, expires_at, last_used_at, revoked_at }: OperatorDocument): OperatorRecord {
  return { name: _id, role, hash, createdAt: created_at, expiresAt: expires_at, lastUsedAt: last_used_at, revokedAt: revoked_at };
}

/** What finds an operator only when revoked or expired. A number is compared with numbers alone, so null is no expiry. */
const deadNamed = (name: string, now: number): object => ({
  _id: name,
  $or: [{ revoked_at: { $type: 'number' } }, { expires_at: { $lte: now } }],
});

/** Operators in MongoDB. */
export class MongoOperators implements OperatorStore {
  readonly #database: MongoDatabase;
  readonly #model: Model<OperatorDocument>;

  /** @param database migrated with gatewayCollections */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#model = database.model(operators);
  }

  async list(limit: number): Promise<OperatorRecord[]> {
    // The hint keeps the planner from sorting a scan of the collection: `_id` is the order.
    const documents = await this.#database.run(() =>
      this.#model.find().sort({ _id: 1 }).hint({ _id: 1 }).limit(limit).lean<OperatorDocument[]>(),
    );
    return documents.map(toRecord);
  }

  async add({ name, role, hash, createdAt, expiresAt }: OperatorRecord, now: number): Promise<boolean> {
    const document = { role, hash, created_at: createdAt, expires_at: expiresAt, last_used_at: null, revoked_at: null };
    try {
      // One that works is not found, and cannot be inserted either.
      await this.#database.run(() => this.#model.collection.replaceOne(deadNamed(name, now), document as object, { upsert: true }));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async revoke(name: string, at: number): Promise<OperatorRecord | undefined> {
    await this.#database.run(() =>
      this.#model.collection.updateOne({ _id: name, revoked_at: null } as object, { $set: { revoked_at: at } }),
    );
    const document = await this.#database.run(() => this.#model.findOne({ _id: { $eq: name } }).lean<OperatorDocument>());
    return document === null ? undefined : toRecord(document);
  }

  async deleteDead(name: string, now: number): Promise<void> {
    await this.#database.run(() => this.#model.collection.deleteOne(deadNamed(name, now)));
  }

  async recordUse(uses: ReadonlyMap<string, number>): Promise<void> {
    if (uses.size === 0) return;
    const updates = [...uses].map(([name, at]) => ({
      updateOne: { filter: { _id: name } as object, update: { $max: { last_used_at: at } } },
    }));
    await this.#database.run(() => this.#model.collection.bulkWrite(updates, { ordered: false }));
  }
}
