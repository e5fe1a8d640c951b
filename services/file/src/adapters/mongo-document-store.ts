import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { type OutboxFields, WITHOUT_OUTBOX } from '@parcelway/mongo/mongo-outbox-fields';
import type { Model } from 'mongoose';
import type { NewDocuments, StoredDocuments } from '../domain/forecast-documents.ts';
import type { DocumentStore, FoundDocument } from '../ports.ts';
import { isDeletedForecast } from '../retention/adapters/mongo-deleted-forecasts.ts';
import { ABANDONED, type ContentDocument, contentId, contents } from './mongo-schema.ts';

/** What a document has that was recorded as documents. */
type Recorded = Required<
  Pick<
    ContentDocument,
    'owner_id' | 'storage_key' | 'forecast_no' | 'version' | 'token' | 'slip_token' | 'label_end' | 'slip_start' | 'size' | 'generated_at'
  >
> &
  Pick<ContentDocument, 'copies_end' | 'superseded_by'>;

/** A version next to another. */
type Neighbour = Pick<Recorded, 'version' | 'generated_at'>;

/** Older versions that are marked with each record: two processes may work on two at a time, and seldom on more. */
const MARKED_OLDER = 4;

/** Turns documents into a content that the sweep removes; a URL finds them no more. */
const RETIREMENT = {
  $set: { sweep_from: ABANDONED },
  $unset: { recorded: '', token: '', slip_token: '', forecast_no: '', version: '', superseded_by: '', superseded_at: '' },
} as const;

/** Retires all documents of a forecast that is gone, with what is still to be published of them. @throws AppError 50301 */
export async function retireDocuments(database: MongoDatabase, tenantId: string, forecastNo: string): Promise<void> {
  const documents = { owner_id: tenantId, forecast_no: forecastNo, recorded: 'document' } as const;
  const update = { ...RETIREMENT, $unset: { ...RETIREMENT.$unset, ...WITHOUT_OUTBOX } };
  await database.run(() => database.model(contents).collection.updateMany(documents, update));
}

function toDocuments(document: Recorded): StoredDocuments {
  return {
    forecastNo: document.forecast_no,
    version: document.version,
    storageKey: document.storage_key,
    labelToken: document.token,
    slipToken: document.slip_token,
    labelEnd: document.label_end,
    copiesEnd: document.copies_end ?? null,
    slipStart: document.slip_start,
    size: document.size,
    generatedAt: document.generated_at,
    supersededBy: document.superseded_by ?? null,
  };
}

function fieldsOf(documents: NewDocuments): Partial<ContentDocument> {
  return {
    recorded: 'document',
    forecast_no: documents.forecastNo,
    version: documents.version,
    token: documents.labelToken,
    slip_token: documents.slipToken,
    label_end: documents.labelEnd,
    copies_end: documents.copiesEnd,
    slip_start: documents.slipStart,
    size: documents.size,
    generated_at: documents.generatedAt,
  };
}

/**
 * Documents of forecasts in MongoDB. One update turns the pending content into the record, with its message. The marks of superseded versions follow
 * it: they only ever fall to a nearer version, so two writers and a repeat after a crash come to the same marks. The message is published behind the
 * marks, unless they say that a newer version is there or the forecast was deleted; after a crash between them it is published all the same.
 */
export class MongoDocumentStore implements DocumentStore {
  readonly #database: MongoDatabase;
  readonly #contents: Model<ContentDocument>;
  readonly #outbox: MongoOutbox;

  /** @param database migrated with fileCollections; `outbox` of {@link contents} in it */
  constructor(database: MongoDatabase, outbox: MongoOutbox) {
    this.#database = database;
    this.#contents = database.model(contents);
    this.#outbox = outbox;
  }

  async hasDocuments(tenantId: string, forecastNo: string, version: number): Promise<boolean> {
    // The version check of the rule in domain/forecast-documents.ts.
    const [isOver, [found]] = await Promise.all([
      this.#retireOfDeleted(tenantId, forecastNo),
      this.#neighbours(tenantId, forecastNo, { $gte: version }, 1, 1),
    ]);
    if (isOver) return true;
    if (found?.version === version) await this.#markNeighbours(tenantId, forecastNo, version, found.generated_at);
    return found !== undefined;
  }

  async recordDocuments(tenantId: string, documents: NewDocuments, message: EncodedMessage): Promise<boolean> {
    const { forecastNo, version, storageKey, generatedAt } = documents;
    let outbox: OutboxFields = this.#outbox.holding([message], generatedAt);
    // Without a lease another process may publish it as soon as it is there.
    if (outbox.outbox_lease === undefined) {
      if (await isDeletedForecast(this.#database, tenantId, forecastNo)) return false;
      if ((await this.#neighbours(tenantId, forecastNo, { $gt: version }, 1, 1)).length > 0) outbox = {};
    }
    const written = { _id: contentId(tenantId, storageKey), ...outbox };
    try {
      const { matchedCount } = await this.#database.run(() =>
        this.#contents.collection.updateOne(
          { owner_id: tenantId, storage_key: storageKey, sweep_from: { $exists: true, $ne: ABANDONED } },
          { $set: { ...fieldsOf(documents), ...outbox }, $unset: { sweep_from: '' } },
        ),
      );
      if (matchedCount !== 1) throw AppError.unavailable('The upload took too long and was cancelled');
    } catch (error) {
      if (isDuplicateKey(error, 'documents_of_version')) return false;
      this.#outbox.doubt([written]);
      throw error;
    }
    try {
      const [isOver, isNewest] = await Promise.all([
        this.#retireOfDeleted(tenantId, forecastNo),
        this.#markNeighbours(tenantId, forecastNo, version, generatedAt),
      ]);
      if (!isOver && isNewest) this.#outbox.publish([written]);
      return !isOver;
    } catch (error) {
      this.#outbox.doubt([written]);
      throw error;
    }
  }

  async documentsByToken(token: string): Promise<FoundDocument | undefined> {
    const find = (condition: object): Promise<Recorded | null> =>
      this.#database.run(() => this.#contents.findOne({ ...condition, recorded: 'document' }).lean<Recorded>());
    const label = await find({ token: { $eq: token } });
    if (label) return { tenantId: label.owner_id, documents: toDocuments(label), kind: 'label' };
    const slip = await find({ slip_token: { $eq: token } });
    return slip === null ? undefined : { tenantId: slip.owner_id, documents: toDocuments(slip), kind: 'slip' };
  }

  async retireSuperseded(before: number, limit: number): Promise<number> {
    const superseded = { superseded_at: { $lt: before } };
    const found = await this.#database.run(() =>
      this.#contents.collection
        .find(superseded, { projection: { _id: 1 } })
        .sort({ superseded_at: 1 })
        .limit(limit)
        .toArray(),
    );
    if (found.length === 0) return 0;
    const { modifiedCount } = await this.#database.run(() =>
      this.#contents.collection.updateMany({ _id: { $in: found.map(({ _id }) => _id) }, ...superseded }, RETIREMENT),
    );
    return modifiedCount;
  }

  /**
   * Retires the documents of a forecast that was deleted meanwhile. A process that ends before it leaves them to the repeat of the order.
   * @returns false when the forecast is there
   */
  async #retireOfDeleted(tenantId: string, forecastNo: string): Promise<boolean> {
    if (!(await isDeletedForecast(this.#database, tenantId, forecastNo))) return false;
    await retireDocuments(this.#database, tenantId, forecastNo);
    return true;
  }

  /**
   * Marks the next older versions, and this one when there is a newer one by now. Not one alone: the process that recorded another may have ended before it
   * marked it, and nobody repeats the order of a version that is not the newest. What is older need not be published any more.
   * @returns false when there is a newer version
   */
  async #markNeighbours(tenantId: string, forecastNo: string, version: number, recordedAt: number): Promise<boolean> {
    const mark = (superseded: readonly Neighbour[], by: number, at: number, further: object): Promise<unknown> =>
      this.#database.run(() =>
        this.#contents.collection.updateMany(
          { owner_id: tenantId, forecast_no: forecastNo, version: { $in: superseded.map((one) => one.version) }, recorded: 'document' },
          { $min: { superseded_by: by, superseded_at: at }, ...further },
        ),
      );
    const older = version === 1 ? [] : await this.#neighbours(tenantId, forecastNo, { $lt: version }, -1, MARKED_OLDER);
    const [newer] = await this.#neighbours(tenantId, forecastNo, { $gt: version }, 1, 1);
    if (older.length > 0) await mark(older, version, recordedAt, {});
    if (newer === undefined) return true;
    const unpublished = { $unset: WITHOUT_OUTBOX };
    const supersededAt = Math.max(recordedAt, newer.generated_at);
    await mark([{ version, generated_at: recordedAt }], newer.version, supersededAt, unpublished);
    return false;
  }

  /** The first versions that fit, in a direction. */
  async #neighbours(
    tenantId: string,
    forecastNo: string,
    version: object,
    direction: 1 | -1,
    limit: number,
  ): Promise<readonly Neighbour[]> {
    const recorded = { owner_id: tenantId, forecast_no: forecastNo, version, recorded: 'document' } as const;
    const options = { projection: { version: 1, generated_at: 1, _id: 0 }, sort: { version: direction }, limit } as const;
    const found = await this.#database.run(() => this.#contents.collection.find(recorded, options).toArray());
    return found as unknown as readonly Neighbour[];
  }
}
