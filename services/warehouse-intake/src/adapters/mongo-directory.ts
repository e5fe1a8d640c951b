import type { Environment } from '@parcelway/contracts/environment';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { Model } from 'mongoose';
import { correctDirectory } from '../domain/directory-correction.ts';
import type { AcceptedForecast, CorrectedForecast } from '../domain/event.ts';
import type { BatchEvent, ListedForecast } from '../domain/match-batch.ts';
import type { ClaimableForecast, WaitingNumber } from '../domain/resolution.ts';
import { has, including, isOpen, type NamedNumber, onParcel } from './mongo-directory-updates.ts';
import { byWarehouse, type ScannedNumber, scannedUnder, scopeOf } from './mongo-event-scope.ts';
import { type ForecastDocument, forecasts } from './mongo-schema.ts';

const LISTED_FIELDS = {
  tenant_id: 1,
  environment: 1,
  warehouse_code: 1,
  forecast_type: 1,
  numbers: 1,
  claimed: 1,
  assigned: 1,
  stands_in_for: 1,
  finished_at: 1,
} as const;

/** More documents than a call's events lead to, as a rule: then they come in one answer instead of in steps of 101. */
const ONE_ANSWER = 2000;

/** What published events change in the directory. */
export interface DirectoryChanges {
  /** Forecasts whose parcel has left the warehouse. */
  readonly ended: readonly string[];
  /** Numbers that are on the parcel of a forecast from now on. */
  readonly claims: readonly NamedNumber[];
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
  Pick<ForecastDocument, 'numbers' | 'claimed' | 'assigned' | 'stands_in_for' | 'finished_at' | 'cancelled_at' | 'version' | 'left'>;

function toListed(document: CompleteDocument): ListedForecast {
  return {
    forecastNo: document._id,
    tenantId: document.tenant_id,
    environment: document.environment as Environment,
    warehouseCode: document.warehouse_code,
    forecastType: document.forecast_type,
    numbers: document.numbers ?? [],
    claimed: document.claimed ?? [],
    assigned: document.assigned ?? [],
    standsInFor: document.stands_in_for ?? [],
    finishedAt: document.finished_at ?? null,
  };
}

function isComplete(document: ForecastDocument): document is CompleteDocument {
  return document.tenant_id !== undefined;
}

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
    const found = await this.#find(conditions);
    return [...found, ...(await this.#standIns(events, found))];
  }

  /** A forecast as far as a claim needs it; undefined until its acceptance was seen. */
  async claimable(forecastNo: string): Promise<ClaimableForecast | undefined> {
    const document = await this.#db.run(() =>
      this.#model.findOne({ _id: { $eq: forecastNo } }, { ...LISTED_FIELDS, cancelled_at: 1 }).lean<ForecastDocument>(),
    );
    if (document === null || !isComplete(document)) return undefined;
    const { numbers: _, claimed, assigned, standsInFor, finishedAt, ...forecast } = toListed(document);
    return { forecast, isCancelled: document.cancelled_at !== undefined, claimedNumbers: assigned.length + standsInFor.length };
  }

  /**
   * The warehouse says by a resolution that what comes under the number is the forecast's from now on. Passed over when the forecast is
   * cancelled by now.
   */
  async assign({ kind, warehouseCode, number }: WaitingNumber, forecastNo: string, resolution: string): Promise<void> {
    const claimed = { number, by: resolution };
    const update =
      kind === 'named'
        ? { $addToSet: { stands_in_for: claimed } }
        : [{ $set: { ...onParcel({ warehouseCode, number }), assigned: including('assigned', { $literal: claimed }) } }];
    await this.#db.run(() => this.#model.collection.updateOne(isOpen(forecastNo) as object, update as object));
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
      assigned: '$$REMOVE',
      stands_in_for: '$$REMOVE',
    };
    const before = await this.#upsert(forecastNo, cancelled, { warehouse_code: 1, numbers: 1, freed: 1, cancelled_at: 1 });
    const warehouseCode = before?.warehouse_code;
    const freed = before?.numbers ?? before?.freed ?? [];
    return {
      repeated: before?.cancelled_at !== undefined,
      freed: warehouseCode === undefined ? [] : freed.map((number) => ({ warehouseCode, number })),
    };
  }

  /**
   * Follows a correction of a forecast that is there. What does not lead to it any more is kept aside until {@link forgetLeft}.
   * @returns false when nothing changes
   */
  correct(forecast: CorrectedForecast): Promise<boolean> {
    return untilWritten(() => this.#tryCorrect(forecast));
  }

  /** Numbers that do not lead to a forecast any more and whose events have not all been matched again. */
  async left(forecastNo: string): Promise<readonly ScannedNumber[]> {
    const found = await this.#db.run(() => this.#model.findOne({ _id: { $eq: forecastNo } }, { left: 1 }).lean<ForecastDocument>());
    return (found?.left ?? []).map(({ warehouse_code: warehouseCode, number }) => ({ warehouseCode, number }));
  }

  /** Their events have been matched again. */
  async forgetLeft(forecastNo: string): Promise<void> {
    await this.#db.run(() => this.#model.updateOne({ _id: { $eq: forecastNo } }, { $unset: { left: '' } }));
  }

  /** The events under the numbers of a cancelled forecast have been matched again. */
  async forgetFreed(forecastNo: string): Promise<void> {
    await this.#db.run(() => this.#model.updateOne({ _id: { $eq: forecastNo } }, { $unset: { freed: '' } }));
  }

  /**
   * Writes down what published events change: that parcels have left the warehouse, and whose parcels numbers are on. A
   * forecast that is cancelled by now is passed over.
   * @param at epoch milliseconds
   * @returns numbers that lead to a forecast again, because a correction was followed in between: their events are to be matched again
   */
  async apply({ ended, claims }: DirectoryChanges, at: number): Promise<readonly NamedNumber[]> {
    const matched = await this.#update(
      claims.map(({ forecastNo, warehouseCode, number }) => ({
        filter: { _id: forecastNo, warehouse_code: warehouseCode, numbers: number },
        update: { $addToSet: { claimed: number } },
      })),
    );
    const restored = matched === claims.length ? [] : await this.#restore(claims);
    const ends = [{ $set: { finished_at: at, closed_at: { $ifNull: ['$cancelled_at', at] } } }];
    await this.#update(ended.map((forecastNo) => ({ filter: { _id: forecastNo, finished_at: { $exists: false } }, update: ends })));
    return restored;
  }

  async #restore(claims: DirectoryChanges['claims']): Promise<readonly NamedNumber[]> {
    await this.#update(claims.map(({ forecastNo, ...number }) => ({ filter: isOpen(forecastNo), update: [{ $set: onParcel(number) }] })));
    const found = await this.#find([{ _id: { $in: claims.map(({ forecastNo }) => forecastNo) } }]);
    return found.flatMap(({ forecastNo, warehouseCode, numbers }) => numbers.map((number) => ({ forecastNo, warehouseCode, number })));
  }

  /** Deletes at most `limit` forecasts that were over before `before` (epoch milliseconds). */
  async purge(before: number, limit: number): Promise<void> {
    const closed = { closed_at: { $lt: before } };
    const old = await this.#db.run(() => this.#model.find(closed, { _id: 1 }).sort({ closed_at: 1 }).limit(limit).lean());
    if (old.length === 0) return;
    await this.#db.run(() => this.#model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, ...closed }));
  }

  /** @returns undefined when the document has changed meanwhile */
  async #tryCorrect(forecast: CorrectedForecast): Promise<boolean | undefined> {
    const fields = { ...LISTED_FIELDS, cancelled_at: 1, version: 1, left: 1 };
    const document = await this.#db.run(() => this.#model.findOne({ _id: { $eq: forecast.forecastNo } }, fields).lean<ForecastDocument>());
    if (document === null || !isComplete(document)) return false;
    const { warehouse_code: from, numbers, claimed, assigned, left = [], version, cancelled_at } = document;
    const known = {
      version: version ?? 1,
      isCancelled: cancelled_at !== undefined,
      warehouseCode: from,
      numbers: numbers ?? [],
      onParcel: [...new Set([...(claimed ?? []), ...(assigned ?? []).map(({ number }) => number)])],
    };
    const correction = correctDirectory(known, forecast);
    if (correction === undefined) return false;
    const freed = correction.freed.map((number) => ({ warehouse_code: from, number }));
    const as = (value: unknown): unknown => value ?? { $exists: false };
    // All that was decided on: an event may claim a number meanwhile, and a cancellation take all of them.
    const unchanged = {
      numbers: as(numbers),
      claimed: as(claimed),
      assigned: as(assigned),
      version: as(version),
      cancelled_at: as(undefined),
    };
    const set = { warehouse_code: correction.warehouseCode, version: forecast.version, left: [...left, ...freed] };
    const declared =
      correction.numbers.length === 0 ? { $set: set, $unset: { numbers: '' } } : { $set: { ...set, numbers: correction.numbers } };
    const filter = { _id: forecast.forecastNo, ...unchanged };
    const { matchedCount } = await this.#db.run(() => this.#model.collection.updateOne(filter as object, declared as object));
    return matchedCount === 1 ? true : undefined;
  }

  /** @returns how many documents matched */
  async #update(changes: readonly { readonly filter: object; readonly update: object }[]): Promise<number> {
    if (changes.length === 0) return 0;
    const writes = changes.map(({ filter, update }) => ({ updateOne: { filter: filter as object, update: update as object } }));
    return (await this.#db.run(() => this.#model.collection.bulkWrite(writes, { ordered: false }))).matchedCount;
  }

  async #find(conditions: readonly object[]): Promise<readonly ListedForecast[]> {
    const found = await this.#db.run(() =>
      this.#model
        .find({ $or: [...conditions] }, LISTED_FIELDS)
        .batchSize(ONE_ANSWER)
        .lean<ForecastDocument[]>(),
    );
    return found.filter(isComplete).map(toListed);
  }

  /** The forecasts that warehouses have claimed numbers for, of those events whose forecast number leads nowhere. */
  async #standIns(events: readonly BatchEvent[], found: readonly ListedForecast[]): Promise<readonly ListedForecast[]> {
    const known = new Set(found.map(({ warehouseCode, forecastNo }) => `${warehouseCode} ${forecastNo}`));
    const pairs = events.flatMap(({ event: { warehouseCode, forecastNo }, publishedTo }) =>
      forecastNo === null || publishedTo !== undefined || known.has(`${warehouseCode} ${forecastNo}`)
        ? []
        : [[warehouseCode, forecastNo] as const],
    );
    if (pairs.length === 0) return [];
    const listed = new Set(found.map(({ forecastNo }) => forecastNo));
    return (await this.#find(byWarehouse('stands_in_for.number', pairs))).filter(({ forecastNo }) => !listed.has(forecastNo));
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
