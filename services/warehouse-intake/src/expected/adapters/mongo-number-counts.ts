import type { Clock } from '@parcelway/kernel/clock';
import { defineCollection } from '@parcelway/mongo/mongo-collection';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { byTenant } from '@parcelway/mongo/mongo-sharding';
import { type mongo, Schema } from 'mongoose';
import { type CountChange, type DeclaredNumbers, dayOf, firstSeenDay, isSuspect, MAX_UNSUSPECTED } from '../domain/declared-numbers.ts';
import type { NumberCounts } from '../ports.ts';

interface CountsDocument {
  readonly tenant_id: string;
  readonly unseen: number;
  /** Set by the operator; absent for none. */
  readonly most?: number;
  /** Day (YYYYMMDD) → parcels that warehouses saw. */
  readonly seen?: Readonly<Record<string, number>>;
}

const schema = new Schema({
  tenant_id: { type: String, required: true },
  unseen: { type: Number, default: 0 },
  most: Number,
  seen: { type: Schema.Types.Mixed, default: {} },
});
schema.index({ tenant_id: 1 }, { name: 'tenant', unique: true });
// Over all tenants: operators see those with the most, and the forecasts service follows the limits.
schema.index({ unseen: -1 }, { name: 'unseen' });
schema.index({ most: 1 }, { name: 'limited', partialFilterExpression: { most: { $exists: true } } });

/** The counts of each tenant. */
export const numberCounts = defineCollection<CountsDocument>('declared_numbers', schema, { sharding: byTenant });

/** The stored days from one on, in the language of aggregations. */
const seenFrom = (day: number): object => ({
  $filter: { input: { $objectToArray: { $ifNull: ['$seen', {}] } }, cond: { $gte: ['$$this.k', String(day)] } },
});

/**
 * Counts in MongoDB. They follow the write of the directory: a crash in between leaves them wrong by what that write changed, which is little
 * against the numbers that make a tenant suspect.
 */
export class MongoNumberCounts implements NumberCounts {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #counts: mongo.Collection<CountsDocument>;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase, clock: Clock) {
    this.#db = db;
    this.#clock = clock;
    this.#counts = db.model(numberCounts).collection as unknown as mongo.Collection<CountsDocument>;
  }

  /** @param changes of any tenants */
  async add(changes: readonly CountChange[]): Promise<void> {
    if (changes.length === 0) return;
    const sums = new Map<string, CountChange>();
    for (const { tenantId, unseen, seen } of changes) {
      const before = sums.get(tenantId) ?? { unseen: 0, seen: 0 };
      sums.set(tenantId, { tenantId, unseen: before.unseen + unseen, seen: before.seen + seen });
    }
    const now = this.#clock.now();
    const day = String(dayOf(now));
    const seenWith = (seen: number): object => {
      const today = { [day]: { $add: [{ $ifNull: [`$seen.${day}`, 0] }, seen] } };
      return { $mergeObjects: [{ $arrayToObject: seenFrom(firstSeenDay(now)) }, today] };
    };
    const writes = [...sums.values()].map(({ tenantId, unseen, seen }) => ({
      updateOne: {
        filter: { tenant_id: tenantId },
        update: [{ $set: { unseen: { $add: [{ $ifNull: ['$unseen', 0] }, unseen] }, ...(seen > 0 && { seen: seenWith(seen) }) } }],
        upsert: true,
      },
    }));
    await this.#db.run(() => this.#counts.bulkWrite(writes as mongo.AnyBulkWriteOperation<CountsDocument>[], { ordered: false }));
  }

  async suspectsAmong(tenantIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (tenantIds.length === 0) return new Set();
    const many = { tenant_id: { $in: [...tenantIds] }, unseen: { $gt: MAX_UNSUSPECTED } };
    const found = await this.#db.run(() => this.#counts.find(many).toArray());
    return new Set(
      found
        .map((document) => this.#toCounts(document))
        .filter(isSuspect)
        .map(({ tenantId }) => tenantId),
    );
  }

  declaredNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#list({ unseen: { $gt: 0 } }, limit);
  }

  limitedNumbers(limit: number): Promise<readonly DeclaredNumbers[]> {
    return this.#list({ most: { $exists: true } }, limit);
  }

  async limitNumbers(tenantId: string, limit: number | null): Promise<DeclaredNumbers> {
    const update = limit === null ? { $unset: { most: '' as const } } : { $set: { most: limit } };
    const options = { upsert: true, returnDocument: 'after' } as const;
    const changed = await this.#db.run(() => this.#counts.findOneAndUpdate({ tenant_id: tenantId }, update, options));
    return this.#toCounts(changed ?? { tenant_id: tenantId, unseen: 0 });
  }

  async #list(which: mongo.Filter<CountsDocument>, limit: number): Promise<readonly DeclaredNumbers[]> {
    const found = await this.#db.run(() => this.#counts.find(which).sort({ unseen: -1 }).limit(limit).toArray());
    return found.map((document) => this.#toCounts(document));
  }

  #toCounts({ tenant_id: tenantId, unseen = 0, most, seen = {} }: CountsDocument): DeclaredNumbers {
    const first = String(firstSeenDay(this.#clock.now()));
    const parcels = Object.entries(seen).reduce((sum, [day, count]) => (day >= first ? sum + count : sum), 0);
    return { tenantId, unseen, seen: parcels, limit: most ?? null };
  }
}
