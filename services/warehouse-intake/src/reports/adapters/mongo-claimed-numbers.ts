import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { type ForecastDocument, forecastIndexes, forecasts } from '../../expected/adapters/mongo-schema.ts';
import type { ClaimedNumbers, ScannedText } from '../../expected/ports.ts';

type ClaimingDocument = Pick<ForecastDocument, '_id'>;

/** Reads claimed numbers from the directory in MongoDB. */
export class MongoClaimedNumbers implements ClaimedNumbers {
  readonly #db: MongoDatabase;
  readonly #forecasts: Model<ForecastDocument>;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#forecasts = db.model(forecasts);
  }

  async claimedFor(warehouseCode: string, { text, number }: ScannedText, limit: number): Promise<readonly string[]> {
    // A forecast that moved to another warehouse keeps its claims, but not their numbers.
    const scanned = { 'assigned.number': { $eq: number }, numbers: { $eq: number } };
    const [byNumber, byName] = await Promise.all([
      this.#find(warehouseCode, scanned, forecastIndexes.claimed, limit),
      this.#find(warehouseCode, { 'stands_in_for.number': { $eq: text } }, forecastIndexes.alias, limit),
    ]);
    return [...byNumber, ...byName].map(({ _id }) => _id);
  }

  #find(warehouseCode: string, claimed: object, index: string, limit: number): Promise<readonly ClaimingDocument[]> {
    return this.#db.run(() =>
      this.#forecasts
        .find({ warehouse_code: { $eq: warehouseCode }, ...claimed }, { _id: 1 })
        .limit(limit)
        .batchSize(limit + 1)
        .hint(index)
        .lean<ClaimingDocument[]>(),
    );
  }
}
