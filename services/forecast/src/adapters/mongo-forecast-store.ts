import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import type { MongoCounter } from '@parcelway/mongo/mongo-counter';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { newOutbox, withOutbox } from '@parcelway/mongo/mongo-outbox';
import type { Model } from 'mongoose';
import type { ForecastRecord } from '../domain/forecast.ts';
import { holdsPoNumber, holdsTrackingNumbers } from '../domain/status.ts';
import type {
  Cause,
  ChangeOutcome,
  Decide,
  Decision,
  ForecastStore,
  InsertOutcome,
  ListedForecast,
  ListQuery,
  NewForecast,
} from '../ports.ts';
import {
  LISTED_FIELDS,
  type ListedDocument,
  listFilter,
  RECORD_FIELDS,
  type RecordDocument,
  toDocument,
  toListed,
  toRecord,
} from './mongo-forecast-documents.ts';
import { lastTryAt, untilUndisturbed } from './mongo-optimistic-write.ts';
import { documentId, type ForecastDocument, forecastIndexes, forecasts, STILL_HELD } from './mongo-schema.ts';
import { SerialQueue } from './serial-queue.ts';

/**
 * The ids of so many events are remembered of a forecast, the latest. Far above what happens to any parcel, and it
 * keeps a warehouse that reports without end from filling the document.
 */
const MAX_APPLIED = 5000;

/**
 * Forecasts with more claims are inserted one after the other. Before 7.0, MongoDB passes by every key that others are
 * just adding, again for each key that it adds itself: of 2000 claims each, two at once take thirty times as long as two
 * in turn. With a hundred it makes no difference.
 */
const MANY_CLAIMS = 100;
const MANY = 'many claims';
/** About what can be written in turn before those who wait give up. */
const MAX_WAITING = 200;

/** What `change` reads. */
type ChangingDocument = RecordDocument & Pick<ForecastDocument, 'version'> & Partial<Pick<ForecastDocument, 'applied'>>;

/** Who stands in the way of an insert. */
type RivalDocument = RecordDocument & Pick<ForecastDocument, 'held_until'> & { readonly claims?: readonly string[] | null };

/**
 * Forecasts in MongoDB, one document each: content, claims, applied events and messages lie in it, so insert and change
 * are one write each and there is no point between two writes to crash at. An answer lost after such a write is found
 * again: a submission meets the holder of its po_number, an event its id among the applied ones.
 *
 * Several processes write side by side. Uniqueness rests on indexes; a change is written only onto the version that it
 * was decided on, so a stale read leads to another try and never undoes anything. A write that fails for another's sake
 * is acknowledged by the majority only together with what it failed for; so the read behind it sees that, and an answer
 * never names a forecast that a failover could take back.
 */
export class MongoForecastStore implements ForecastStore {
  readonly #db: MongoDatabase;
  readonly #model: Model<ForecastDocument>;
  readonly #ids: MongoCounter;
  readonly #shownIdOf: (forecastId: number) => number;
  readonly #clock: Clock;
  readonly #inTurn = new SerialQueue(MAX_WAITING);

  /**
   * @param db migrated with forecastCollections; `ids` gives the integer ids of forecasts
   * @param shownIdOf what tenants see of an id
   */
  constructor(db: MongoDatabase, ids: MongoCounter, shownIdOf: (forecastId: number) => number, clock: Clock) {
    this.#shownIdOf = shownIdOf;
    this.#db = db;
    this.#model = db.model(forecasts);
    this.#ids = ids;
    this.#clock = clock;
  }

  async insert(forecast: NewForecast, messagesOf: (forecastId: number) => readonly EncodedMessage[]): Promise<InsertOutcome> {
    const forecastId = await this.#ids.next();
    const document = {
      ...toDocument(forecast, forecastId, this.#shownIdOf(forecastId)),
      ...newOutbox(messagesOf(forecastId), this.#clock.now()),
    };
    const end = lastTryAt();
    const insert = (): Promise<InsertOutcome> => untilUndisturbed(() => this.#tryInsert(forecast, document), end);
    return this.#db.run(() => (forecast.claims.length > MANY_CLAIMS ? this.#inTurn.run(MANY, insert) : insert()));
  }

  async findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined> {
    const found = await this.#db.run(() => this.#shown(tenantId, poNumber));
    return found ? toRecord(found) : undefined;
  }

  async readContent(tenantId: string, forecastNo: string): Promise<string | undefined> {
    const found = await this.#db.run(() => this.#model.findById(documentId(tenantId, forecastNo), { content: 1 }).lean());
    return found?.content;
  }

  async list(tenantId: string, query: ListQuery): Promise<ListedForecast[]> {
    const { filter, index } = listFilter(tenantId, query);
    const found = await this.#db.run(() =>
      this.#model
        .find(filter, LISTED_FIELDS)
        .sort({ created_at: -1, forecast_id: -1 })
        .limit(query.limit)
        .hint(index)
        .lean<ListedDocument[]>(),
    );
    return found.map(toListed);
  }

  change(tenantId: string, forecastNo: string, cause: Cause | null, decide: Decide): Promise<ChangeOutcome> {
    const id = documentId(tenantId, forecastNo);
    const end = lastTryAt();
    // In turn within the process: what is left are rivals in other processes, a few at most.
    return this.#db.run(() => this.#inTurn.run(id, () => untilUndisturbed(() => this.#tryChange(id, cause, decide), end)));
  }

  check(): Promise<void> {
    return this.#db.check();
  }

  /** @returns undefined when what stood in the way was gone before it could be read */
  async #tryInsert(forecast: NewForecast, document: ForecastDocument): Promise<InsertOutcome | undefined> {
    try {
      // Past mongoose: casting thousands of claims one by one would cost more than the write.
      await this.#model.collection.insertOne(document as object);
      return { kind: 'inserted', forecastId: document.forecast_id };
    } catch (error) {
      if (isDuplicateKey(error, forecastIndexes.forecastNo)) return { kind: 'forecast-no-taken' };
      if (!isDuplicateKey(error, forecastIndexes.poNumber) && !isDuplicateKey(error, forecastIndexes.claims)) throw error;
      return this.#taken(forecast);
    }
  }

  /**
   * Who holds what the forecast needs: read at once, whichever rule the server named, because both may be violated. Each
   * rival is read once with all that it holds, so a holder that is being cancelled is seen before or after, not half.
   */
  async #taken({ tenantId, poNumber, claims }: NewForecast): Promise<InsertOutcome | undefined> {
    const holding = { tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber }, held_until: STILL_HELD };
    const holdingAny = claims.length === 0 ? [holding] : [holding, { tenant_id: { $eq: tenantId }, claims: { $in: claims } }];
    // Only the numbers in question; as a literal, because a number may begin with a dollar sign.
    const inQuestion: object = { claims: { $setIntersection: ['$claims', { $literal: claims }] } };
    const rivals = await this.#model.find({ $or: holdingAny }, { ...RECORD_FIELDS, held_until: 1, ...inQuestion }).lean<RivalDocument[]>();
    const holder = rivals.find((rival) => rival.po_number === poNumber && rival.held_until.getTime() === STILL_HELD.getTime());
    const taken = new Set(rivals.flatMap((rival) => (rival === holder ? [] : (rival.claims ?? []))));
    if (holder === undefined && taken.size === 0) return undefined;
    return { kind: 'taken', holder: holder && toRecord(holder), takenNumbers: claims.filter((number) => taken.has(number)) };
  }

  /** @returns undefined when another writer came in between */
  async #tryChange(id: string, cause: Cause | null, decide: Decide): Promise<ChangeOutcome | undefined> {
    const sameEvent: object = cause ? { applied: { $elemMatch: { id: { $eq: cause.eventId } } } } : {};
    const found = await this.#model.findById(id, { ...RECORD_FIELDS, version: 1, ...sameEvent }).lean<ChangingDocument>();
    if (found === null) return 'unknown';
    if (found.applied !== undefined) return 'repeated';
    const before = toRecord(found);
    const decision = decide(before, await this.#isShown(before));
    try {
      const update = updateOf(before, decision, cause, this.#clock.now());
      const { matchedCount } = await this.#model.updateOne({ _id: id, version: found.version }, update);
      return matchedCount === 1 ? 'changed' : undefined;
    } catch (error) {
      // Two forecasts of one po_number gave it up within one millisecond of the database's clock.
      if (isDuplicateKey(error, forecastIndexes.poNumber)) return undefined;
      throw error;
    }
  }

  /** The forecast that holds the po_number, else the last that did. */
  async #shown(tenantId: string, poNumber: string): Promise<RecordDocument | null> {
    return this.#model
      .findOne({ tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber } }, RECORD_FIELDS)
      .sort({ held_until: -1 })
      .lean<RecordDocument>();
  }

  async #isShown(forecast: ForecastRecord): Promise<boolean> {
    if (holdsPoNumber(forecast.status)) return true;
    return (await this.#shown(forecast.tenantId, forecast.poNumber))?.forecast_no === forecast.forecastNo;
  }
}

/** The one update that writes a decision with all that follows from it. */
function updateOf(before: ForecastRecord, decision: Decision, cause: Cause | null, now: number): object {
  const { status, progress, updatedAt, messages } = decision;
  const applied = cause && { $each: [{ id: cause.eventId, type: cause.type, at: updatedAt }], $slice: -MAX_APPLIED };
  const releases = holdsPoNumber(before.status) && !holdsPoNumber(status);
  const update = {
    $set: { status, progress, updated_at: updatedAt },
    $inc: { version: 1 },
    ...(applied && { $push: { applied } }),
    ...(!holdsTrackingNumbers(status, before.forecastType) && { $unset: { claims: '' } }),
    // The database's clock, the same for all who write: cancelled forecasts of one po_number stay in their order.
    ...(releases && { $currentDate: { held_until: true } }),
  };
  return withOutbox(update, messages, now);
}
