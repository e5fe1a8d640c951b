import type { Environment } from '@parcelway/contracts/environment';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import type { AcceptedForecast } from '../domain/event.ts';
import type { BatchEvent, ListedForecast } from '../domain/match-batch.ts';
import { type ScannedNumber, scannedUnder, scopeOf } from './mongo-event-scope.ts';
import { type ForecastDocument, forecasts } from './mongo-schema.ts';

const LISTED_FIELDS = {
  tenant_id: 1,
  environment: 1,
  warehouse_code: 1,
  forecast_type: 1,
  numbers: 1,
  claimed: 1,
  finished_at: 1,
} as const;

/** More documents than a call's events lead to, as a rule: then they come in one answer instead of in steps of 101. */
const ONE_ANSWER = 2000;

/** What published events change in the directory. */
export interface DirectoryChanges {
  /** Forecasts whose parcel has left the warehouse. */
  readonly ended: readonly string[];
  /** Numbers that are on the parcel of a forecast from now on. */
  readonly claims: readonly { readonly forecastNo: string; readonly number: string }[];
}

/** What a cancellation found. */
export interface Cancellation {
  /** The forecast was cancelled before. */
  readonly repeated: boolean;
  /** Numbers whose events are to be matched again. */
  readonly freed: readonly ScannedNumber[];
}

/** A forecast whose acceptance has been seen. */
type CompleteDocument = Required<Pick<ForecastDocument, '_id' | 'tenant_id' | 'environment' | 'warehouse_code' | 'forecast_type'>> &
  Pick<ForecastDocument, 'numbers' | 'claimed' | 'finished_at'>;

function toListed(document: CompleteDocument): ListedForecast {
  return {
    forecastNo: document._id,
    tenantId: document.tenant_id,
    environment: document.environment as Environment,
    warehouseCode: document.warehouse_code,
    forecastType: document.forecast_type,
    numbers: document.numbers ?? [],
    claimed: document.claimed ?? [],
    finishedAt: document.finished_at ?? null,
  };
}

/** In an update by pipeline: true when the document has the field. */
const has = (field: string): object => ({ $ne: [{ $type: `$${field}` }, 'missing'] });

/**
 * The forecasts that events are matched with, one document each. Every change is one write that can be repeated and that
 * only ever adds: complete stays complete, cancelled cancelled, claimed claimed, finished finished.
 */
export class MongoDirectory {
  readonly #db: MongoDatabase;
  readonly #model: Model<ForecastDocument>;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#model = db.model(forecasts);
  }

  /**
   * What a match of these events depends on, read at once: the forecasts that they name, were published for or resolved to, and
   * those that declare their numbers.
   */
  async lookUp(events: readonly BatchEvent[]): Promise<readonly ListedForecast[]> {
    const { forecastNos, scanned } = scopeOf(events.filter(({ publishedTo }) => publishedTo === undefined).map(({ event }) => event));
    const numbers = [...forecastNos, ...events.flatMap(({ publishedTo, resolvedTo }) => publishedTo ?? resolvedTo ?? [])];
    const named = numbers.length === 0 ? [] : [{ _id: { $in: [...new Set(numbers)] } }];
    const conditions = [...named, ...scannedUnder('numbers', scanned)];
    if (conditions.length === 0) return [];
    const found = await this.#db.run(() =>
      this.#model.find({ $or: conditions }, LISTED_FIELDS).batchSize(ONE_ANSWER).lean<ForecastDocument[]>(),
    );
    return found.filter((document): document is CompleteDocument => document.tenant_id !== undefined).map(toListed);
  }

  /**
   * Adds a forecast unless it is there; fills in one of which only the cancellation is known.
   * @returns false when it was there
   */
  async add(forecast: AcceptedForecast): Promise<boolean> {
    const { tenantId, environment, warehouseCode, forecastType, trackingNumbers } = forecast;
    const numbers = trackingNumbers.length === 0 ? '$$REMOVE' : { $literal: trackingNumbers };
    const first = (field: string, value: unknown): object => ({ $ifNull: [`$${field}`, { $literal: value }] });
    const added = {
      tenant_id: first('tenant_id', tenantId),
      environment: first('environment', environment),
      warehouse_code: first('warehouse_code', warehouseCode),
      forecast_type: first('forecast_type', forecastType),
      numbers: { $cond: [{ $or: [has('tenant_id'), has('cancelled_at')] }, '$numbers', numbers] },
    };
    const before = await this.#upsert(forecast.forecastNo, added, { tenant_id: 1 });
    return before?.tenant_id === undefined;
  }

  /**
   * Takes a forecast out of the match by scanned number. Its numbers are kept aside until {@link forgetFreed}.
   * @param at epoch milliseconds
   */
  async cancel(forecastNo: string, at: number): Promise<Cancellation> {
    const cancelledAt = { $ifNull: ['$cancelled_at', at] };
    const cancelled = {
      cancelled_at: cancelledAt,
      closed_at: cancelledAt,
      freed: { $cond: [has('numbers'), '$numbers', '$freed'] },
      numbers: '$$REMOVE',
      claimed: '$$REMOVE',
    };
    const before = await this.#upsert(forecastNo, cancelled, { warehouse_code: 1, numbers: 1, freed: 1, cancelled_at: 1 });
    const warehouseCode = before?.warehouse_code;
    const freed = before?.numbers ?? before?.freed ?? [];
    return {
      repeated: before?.cancelled_at !== undefined,
      freed: warehouseCode === undefined ? [] : freed.map((number) => ({ warehouseCode, number })),
    };
  }

  /** The events under the numbers of a cancelled forecast have been matched again. */
  async forgetFreed(forecastNo: string): Promise<void> {
    await this.#db.run(() => this.#model.updateOne({ _id: { $eq: forecastNo } }, { $unset: { freed: '' } }));
  }

  /**
   * Writes down what published events change: that parcels have left the warehouse, and whose parcels numbers are on. A
   * number that the forecast does not declare, or not any more, is passed over.
   * @param at epoch milliseconds
   */
  async apply({ ended, claims }: DirectoryChanges, at: number): Promise<void> {
    const ends = [{ $set: { finished_at: at, closed_at: { $ifNull: ['$cancelled_at', at] } } }];
    const changes = [
      ...ended.map((forecastNo) => ({ filter: { _id: forecastNo, finished_at: { $exists: false } }, update: ends })),
      ...claims.map(({ forecastNo, number }) => ({
        filter: { _id: forecastNo, numbers: number },
        update: { $addToSet: { claimed: number } },
      })),
    ];
    if (changes.length === 0) return;
    const writes = changes.map(({ filter, update }) => ({ updateOne: { filter: filter as object, update: update as object } }));
    await this.#db.run(() => this.#model.collection.bulkWrite(writes, { ordered: false }));
  }

  /** Deletes at most `limit` forecasts that were over before `before` (epoch milliseconds). */
  async purge(before: number, limit: number): Promise<void> {
    const closed = { closed_at: { $lt: before } };
    const old = await this.#db.run(() => this.#model.find(closed, { _id: 1 }).sort({ closed_at: 1 }).limit(limit).lean());
    if (old.length === 0) return;
    await this.#db.run(() => this.#model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, ...closed }));
  }

  /** @returns the document as it was before */
  async #upsert(forecastNo: string, set: object, projection: object): Promise<Partial<ForecastDocument> | null> {
    const upsert = async (): Promise<Partial<ForecastDocument> | null> =>
      (await this.#model.collection.findOneAndUpdate({ _id: forecastNo } as object, [{ $set: set }], {
        upsert: true,
        returnDocument: 'before',
        projection,
      })) as Partial<ForecastDocument> | null;
    return this.#db.run(async () => {
      try {
        return await upsert();
      } catch (error) {
        // Acceptance and cancellation both found nothing and both inserted: the second time it is there.
        if (isDuplicateKey(error)) return upsert();
        throw error;
      }
    });
  }
}
