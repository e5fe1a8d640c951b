import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { lastTryAt, untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoCounter } from '@parcelway/mongo/mongo-counter';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { GatheredInserts } from '@parcelway/mongo/mongo-gathered-inserts';
import type { ForecastRecord, ReceivedItem } from '../domain/forecast.ts';
import type { StoredForecast } from '../domain/known-forecast.ts';
import type { ForecastStore, InsertOutcome, ListQuery, NewForecast, ReportedForecast, StoredContent, WalkedForecast } from '../ports.ts';
import { MongoForecastChanges, type MongoForecastChangesOptions } from './mongo-forecast-changes.ts';
import {
  RECORD_FIELDS,
  type RecordDocument,
  toDocument,
  toRecord,
  toStored,
  WHOLE_FIELDS,
  type WholeDocument,
} from './mongo-forecast-documents.ts';
import { claimsAmong, MANY, MANY_CLAIMS } from './mongo-forecast-updates.ts';
import { fieldsOf, listOf, type ReportedDocument, toReported, toWalked, type WalkedDocument } from './mongo-list-filter.ts';
import { type ForecastDocument, forecastIndexes, idFilter, STILL_HELD } from './mongo-schema.ts';

/** Of a claim, in characters of content: with more than sixty of them a forecast shares no insert. */
const WEIGHT_OF_CLAIM = 1000;

type RivalDocument = RecordDocument & Pick<ForecastDocument, 'held_until'> & { readonly claims?: readonly string[] | null };

export interface MongoForecastStoreOptions extends MongoForecastChangesOptions {
  /** Gives the integer ids of forecasts. */
  readonly ids: MongoCounter;
  /** What tenants see of an id. */
  readonly shownIdOf: (forecastId: number) => number;
}

/**
 * Forecasts in MongoDB, one document each: content, claims, applied events and messages lie in it, so insert and change
 * are one write each and there is no point between two writes to crash at. A response lost after such a write is found
 * again: a submission meets the holder of its po_number, an event its id among the applied ones.
 *
 * Several processes write side by side. Uniqueness rests on indexes; a change is written only onto the version that it
 * was decided on, so a stale read leads to another decision and never undoes anything. A write that fails for another's sake
 * is acknowledged by the majority only together with what it failed for; so the read behind it sees that, and a response
 * never names a forecast that a failover could take back.
 */
export class MongoForecastStore extends MongoForecastChanges implements ForecastStore {
  readonly #ids: MongoCounter;
  readonly #shownIdOf: (forecastId: number) => number;
  readonly #inserts: GatheredInserts<ForecastDocument>;

  constructor(options: MongoForecastStoreOptions) {
    super(options);
    this.#ids = options.ids;
    this.#shownIdOf = options.shownIdOf;
    this.#inserts = new GatheredInserts((documents) => this.outbox.insert(documents));
  }

  async insert(forecast: NewForecast, messagesOf: (forecastId: number) => readonly EncodedMessage[]): Promise<InsertOutcome> {
    const forecastId = await this.#ids.next();
    const document = {
      ...toDocument(forecast, forecastId, this.#shownIdOf(forecastId)),
      ...this.outbox.holding(messagesOf(forecastId), this.clock.now()),
    };
    const end = lastTryAt();
    const insert = (): Promise<InsertOutcome> => untilWritten(() => this.#tryInsert(forecast, document), end);
    return this.db.run(() => (forecast.claims.length > MANY_CLAIMS ? this.inTurn.run([MANY], insert) : insert()));
  }

  async findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined> {
    const found = await this.db.run(() => this.shown(tenantId, poNumber));
    return found ? toRecord(found) : undefined;
  }

  async findByPoNumbers(tenantId: string, poNumbers: readonly string[]): Promise<ReadonlyMap<string, ForecastRecord>> {
    const holding = { tenant_id: { $eq: tenantId }, po_number: { $in: poNumbers }, held_until: STILL_HELD };
    return this.db.run(async () => {
      const live = await this.model.find(holding, RECORD_FIELDS).hint(forecastIndexes.poNumber).lean<RecordDocument[]>();
      const found = new Map(live.map((document) => [document.po_number, toRecord(document)]));
      const rest = poNumbers.filter((poNumber) => !found.has(poNumber));
      // Of a po_number that nobody holds the newest is shown, however many there are: a look-up each.
      const released = await Promise.all(rest.map((poNumber) => this.shown(tenantId, poNumber)));
      for (const document of released) if (document) found.set(document.po_number, toRecord(document));
      return found;
    });
  }

  async findHeldNumbers(tenantId: string, numbers: readonly string[], except: number | undefined): Promise<readonly string[]> {
    if (numbers.length === 0) return [];
    const held = { tenant_id: { $eq: tenantId }, claims: { $in: numbers } };
    const holders = await this.db.run(() =>
      this.model
        .find(held, { forecast_id: 1, ...claimsAmong(numbers) })
        .hint(forecastIndexes.claims)
        .lean<Pick<RivalDocument, 'forecast_id' | 'claims'>[]>(),
    );
    const taken = new Set(holders.flatMap(({ forecast_id, claims }) => (forecast_id === except ? [] : (claims ?? []))));
    return numbers.filter((number) => taken.has(number));
  }

  async findScannedElsewhere(
    tenantId: string,
    warehouseCode: string,
    numbers: readonly string[],
    since: number,
  ): Promise<readonly string[]> {
    const filter = {
      warehouse_code: { $eq: warehouseCode },
      scanned: { $in: numbers, $exists: true },
      tenant_id: { $ne: tenantId },
      updated_at: { $gte: since },
    };
    const found = await this.db.run(() =>
      this.model
        .find(filter, { scanned: 1 })
        .limit(numbers.length)
        .hint(forecastIndexes.scanned)
        .lean<Pick<ForecastDocument, 'scanned'>[]>(),
    );
    const scanned = new Set(found.flatMap((document) => document.scanned ?? []));
    return numbers.filter((number) => scanned.has(number));
  }

  async readByPoNumber(tenantId: string, poNumber: string): Promise<StoredForecast | undefined> {
    const found = await this.db.run(() => this.shown<WholeDocument>(tenantId, poNumber, WHOLE_FIELDS));
    return found ? toStored(found) : undefined;
  }

  async readByForecastNo(tenantId: string, forecastNo: string): Promise<StoredForecast | undefined> {
    const found = await this.db.run(() =>
      this.model.findOne(idFilter(tenantId, forecastNo), WHOLE_FIELDS).hint({ _id: 1 }).lean<WholeDocument>(),
    );
    return found ? toStored(found) : undefined;
  }

  async readContent(tenantId: string, forecastNo: string): Promise<StoredContent | undefined> {
    const found = await this.db.run(() =>
      this.model.findOne(idFilter(tenantId, forecastNo), { content: 1, content_version: 1 }).hint({ _id: 1 }).lean(),
    );
    return found ? { content: found.content, version: found.content_version ?? 1 } : undefined;
  }

  async readReceivedItems(tenantId: string, forecastNo: string): Promise<readonly ReceivedItem[]> {
    const found = await this.db.run(() =>
      this.model.findOne(idFilter(tenantId, forecastNo), { received_items: 1 }).hint({ _id: 1 }).lean(),
    );
    return found?.received_items === undefined ? [] : (JSON.parse(found.received_items) as ReceivedItem[]);
  }

  async list(tenantId: string, query: ListQuery): Promise<WalkedForecast[]> {
    return (await this.#walk<WalkedDocument>(tenantId, query, false)).map(toWalked);
  }

  async report(tenantId: string, query: ListQuery): Promise<ReportedForecast[]> {
    return (await this.#walk<ReportedDocument>(tenantId, query, true)).map(toReported);
  }

  countOf(tenantId: string, status: ForecastStatus, most: number): Promise<number> {
    const filter = { tenant_id: { $eq: tenantId }, status: { $eq: status } };
    return this.db.run(() => this.model.countDocuments(filter).limit(most).hint(forecastIndexes.newestOfStatus));
  }

  async lastChange(tenantId: string): Promise<number | undefined> {
    const found = await this.db.run(() =>
      this.model
        .findOne({ tenant_id: { $eq: tenantId } }, { updated_at: 1 })
        .sort({ updated_at: -1, forecast_id: -1 })
        .hint(forecastIndexes.changed)
        .lean<Pick<ForecastDocument, 'updated_at'>>(),
    );
    return found?.updated_at;
  }

  check(): Promise<void> {
    return this.db.check();
  }

  async #walk<D>(tenantId: string, query: ListQuery, isReport: boolean): Promise<D[]> {
    const { filter, index, sort } = listOf(tenantId, query);
    return this.db.run(() => this.model.find(filter, fieldsOf(query, isReport)).sort(sort).limit(query.limit).hint(index).lean<D[]>());
  }

  /** @returns undefined when the rival was gone before it could be read */
  async #tryInsert(forecast: NewForecast, document: ForecastDocument): Promise<InsertOutcome | undefined> {
    try {
      await this.#insert(document);
      return { kind: 'inserted', forecastId: document.forecast_id };
    } catch (error) {
      if (isDuplicateKey(error, forecastIndexes.forecastNo)) return { kind: 'forecast-no-taken' };
      if (!isDuplicateKey(error, forecastIndexes.poNumber) && !isDuplicateKey(error, forecastIndexes.claims)) throw error;
      return this.#taken(forecast);
    }
  }

  /** On a sharded cluster each goes alone, see {@link GatheredInserts}. A claim costs a key of an index that may conflict with others. */
  #insert(document: ForecastDocument): Promise<void> {
    if (this.db.isSharded) return this.outbox.insert([document]);
    return this.#inserts.insert(document, document.content.length + WEIGHT_OF_CLAIM * (document.claims?.length ?? 0));
  }

  /**
   * Who holds what the forecast needs: read at once, whichever rule the server named, because both may be violated. Each
   * rival is read once with all that it holds, so a holder that is being cancelled is seen before or after, not half.
   */
  async #taken({ tenantId, poNumber, claims }: NewForecast): Promise<InsertOutcome | undefined> {
    const holding = { tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber }, held_until: STILL_HELD };
    const holdingAny = claims.length === 0 ? [holding] : [holding, { tenant_id: { $eq: tenantId }, claims: { $in: claims } }];
    const rivals = await this.model
      .find({ $or: holdingAny }, { ...RECORD_FIELDS, held_until: 1, ...claimsAmong(claims) })
      .lean<RivalDocument[]>();
    const holder = rivals.find((rival) => rival.po_number === poNumber && rival.held_until.getTime() === STILL_HELD.getTime());
    const taken = new Set(rivals.flatMap((rival) => (rival === holder ? [] : (rival.claims ?? []))));
    if (holder === undefined && taken.size === 0) return undefined;
    return { kind: 'taken', holder: holder && toRecord(holder), takenNumbers: claims.filter((number) => taken.has(number)) };
  }
}
