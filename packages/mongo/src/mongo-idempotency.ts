import { AppError } from '@parcelway/kernel/app-error';
import type { IdempotencyRecord, IdempotencyScope, IdempotencyStore, RecordedResponse } from '@parcelway/kernel/idempotency-store';
import { type mongo, Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { isDuplicateKey } from './mongo-errors.ts';
import { byOwner } from './mongo-sharding.ts';

interface KeyDocument {
  readonly owner_id: string;
  readonly route: string;
  readonly key: string;
  readonly fingerprint: string;
  readonly seed: string;
  readonly claim: string;
  readonly claimed_until: number;
  readonly created_at: number;
  /** Null until an attempt succeeds, as the body. */
  readonly status: number | null;
  readonly body: string | null;
}

const text = { type: String, required: true };
const whole = { type: Number, required: true };
const schema = new Schema({
  owner_id: text,
  route: text,
  key: text,
  fingerprint: text,
  seed: text,
  claim: text,
  claimed_until: whole,
  created_at: whole,
  status: { type: Number, default: null },
  body: { type: String, default: null },
});
schema.index({ owner_id: 1, route: 1, key: 1 }, { name: 'key', unique: true });
// Over all owners: the sweep is the platform's own work.
schema.index({ created_at: 1 }, { name: 'by_age' });

/** The idempotency keys of a service; one of its collections. */
export const idempotencyKeys = defineCollection<KeyDocument>('idempotency_keys', schema, { sharding: byOwner });

const idOf = ({ ownerId, route, key }: IdempotencyScope) => ({ owner_id: ownerId, route, key });

function fieldsOf({ fingerprint, seed, claim, claimedUntil, createdAt }: IdempotencyRecord) {
  return { fingerprint, seed, claim, claimed_until: claimedUntil, created_at: createdAt, status: null, body: null };
}

function responseOf({ status, body }: KeyDocument): RecordedResponse | null {
  return status === null || body === null ? null : { status, body };
}

function recordOf(found: KeyDocument): IdempotencyRecord {
  const { owner_id: ownerId, route, key, fingerprint, seed, claim, claimed_until: claimedUntil, created_at: createdAt } = found;
  return { ownerId, route, key, fingerprint, seed, claim, claimedUntil, createdAt, response: responseOf(found) };
}

/** The idempotency keys of a service in its MongoDB database. Every method is one write of one document, but for the sweep. */
export class MongoIdempotencyStore implements IdempotencyStore {
  readonly #db: MongoDatabase;
  readonly #keys: mongo.Collection<KeyDocument>;

  /** @param db migrated with {@link idempotencyKeys} */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#keys = db.model(idempotencyKeys).collection as unknown as mongo.Collection<KeyDocument>;
  }

  add(record: IdempotencyRecord): Promise<IdempotencyRecord | undefined> {
    return this.#db.run(async () => {
      for (let tries = 0; tries < 3; tries += 1) {
        try {
          await this.#keys.insertOne({ ...idOf(record), ...fieldsOf(record) });
          return undefined;
        } catch (error) {
          if (!isDuplicateKey(error, 'key')) throw error;
        }
        const found = await this.#keys.findOne(idOf(record));
        // Swept in between: the next insert finds the place free.
        if (found !== null) return recordOf(found);
      }
      throw AppError.unavailable('The idempotency key cannot be claimed now; try again');
    });
  }

  async replace(record: IdempotencyRecord, claim: string): Promise<boolean> {
    const { matchedCount } = await this.#db.run(() => this.#keys.updateOne({ ...idOf(record), claim }, { $set: fieldsOf(record) }));
    return matchedCount === 1;
  }

  complete(scope: IdempotencyScope, seed: string, response: RecordedResponse): Promise<RecordedResponse | undefined> {
    return this.#db.run(async () => {
      const { status, body } = response;
      const { matchedCount } = await this.#keys.updateOne({ ...idOf(scope), seed, status: null }, { $set: { status, body } });
      if (matchedCount === 1) return response;
      const found = await this.#keys.findOne({ ...idOf(scope), seed });
      return (found && responseOf(found)) ?? undefined;
    });
  }

  async release(scope: IdempotencyScope, claim: string): Promise<void> {
    await this.#db.run(() => this.#keys.updateOne({ ...idOf(scope), claim, status: null }, { $set: { claimed_until: 0 } }));
  }

  sweep(before: number, limit: number): Promise<number> {
    return this.#db.run(async () => {
      const old = { created_at: { $lt: before } };
      const found = await this.#keys
        .find(old, { projection: { _id: 1 } })
        .sort({ created_at: 1 })
        .limit(limit)
        .toArray();
      if (found.length === 0) return 0;
      const { deletedCount } = await this.#keys.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return deletedCount;
    });
  }
}
