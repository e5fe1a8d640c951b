import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import { ABANDONED, type ContentDocument, contents } from '../../adapters/mongo-schema.ts';
import type { DocumentRecords } from '../../ports.ts';
import { isDeletedForecast } from '../../retention/adapters/mongo-retention-schema.ts';
import { KEPT_VERSIONS, type StoredDocuments } from '../domain/forecast-documents.ts';

/** What a content has that was recorded as documents. */
type Recorded = Required<Pick<ContentDocument, 'storage_key' | 'label_end' | 'slip_start' | 'size' | 'generated_at'>> &
  Pick<ContentDocument, 'copies_end'>;

/** Turns documents into a content that the sweep removes. */
const RETIREMENT = { $set: { sweep_from: ABANDONED }, $unset: { recorded: '', forecast_no: '', version: '' } } as const;

/** Retires the documents of a forecast, up to a version; all of them by default. @throws AppError 50301 */
export async function retireDocuments(
  database: MongoDatabase,
  tenantId: string,
  forecastNo: string,
  upTo = Number.MAX_SAFE_INTEGER,
): Promise<void> {
  const documents = { owner_id: tenantId, forecast_no: forecastNo, recorded: 'document', version: { $lte: upTo } } as const;
  await database.run(() => database.model(contents).collection.updateMany(documents, RETIREMENT));
}

/** Documents of forecasts in MongoDB. One update turns the pending content into the record. */
export class MongoDocuments implements DocumentRecords {
  readonly #database: MongoDatabase;
  readonly #contents: Model<ContentDocument>;

  /** @param database migrated with fileCollections */
  constructor(database: MongoDatabase) {
    this.#database = database;
    this.#contents = database.model(contents);
  }

  async findDocuments(tenantId: string, forecastNo: string, version: number): Promise<StoredDocuments | undefined> {
    const named = { owner_id: tenantId, forecast_no: forecastNo, version, recorded: 'document' } as const;
    const found = await this.#database.run(() => this.#contents.findOne(named).lean<Recorded>());
    if (found === null) return undefined;
    const { storage_key: storageKey, label_end: labelEnd, slip_start: slipStart, size, generated_at: generatedAt } = found;
    return { forecastNo, version, storageKey, labelEnd, copiesEnd: found.copies_end ?? null, slipStart, size, generatedAt };
  }

  async recordDocuments(tenantId: string, documents: StoredDocuments): Promise<boolean> {
    const { forecastNo, version, storageKey, labelEnd, copiesEnd, slipStart, size, generatedAt } = documents;
    const pending = { owner_id: tenantId, storage_key: storageKey, sweep_from: { $exists: true, $ne: ABANDONED } };
    const record = {
      recorded: 'document',
      forecast_no: forecastNo,
      version,
      label_end: labelEnd,
      copies_end: copiesEnd,
      slip_start: slipStart,
      size,
      generated_at: generatedAt,
    } as const;
    try {
      const { matchedCount } = await this.#database.run(() =>
        this.#contents.collection.updateOne(pending, { $set: record, $unset: { sweep_from: '' } }),
      );
      if (matchedCount !== 1) throw AppError.unavailable('The rendering took too long and was cancelled');
    } catch (error) {
      if (isDuplicateKey(error, 'documents_of_version')) return false;
      throw error;
    }
    // After the write, as a deletion notes the forecast before it looks for documents: one sees the other.
    if (!(await isDeletedForecast(this.#database, tenantId, forecastNo))) {
      if (version > KEPT_VERSIONS) await retireDocuments(this.#database, tenantId, forecastNo, version - KEPT_VERSIONS);
      return true;
    }
    await retireDocuments(this.#database, tenantId, forecastNo);
    return false;
  }
}
