import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { AppError } from '@parcelway/kernel/app-error';
import type { Clock } from '@parcelway/kernel/clock';
import { lastTryAt, untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoCounter } from '@parcelway/mongo/mongo-counter';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { newOutbox } from '@parcelway/mongo/mongo-outbox';
import type { Model } from 'mongoose';
import type { ForecastRecord, ReceivedItem } from '../domain/forecast.ts';
import { holdsPoNumber } from '../domain/status.ts';
import type {
  Cause,
  ChangeOutcome,
  CorrectionOutcome,
  Decide,
  DecideCorrection,
  ForecastStore,
  InsertOutcome,
  ListedForecast,
  ListQuery,
  NewForecast,
  ScannedForecast,
  StoredContent,
  StoredForecast,
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
  toStored,
  WHOLE_FIELDS,
  type WholeDocument,
} from './mongo-forecast-documents.ts';
import { claimsAmong, correctionUpdateOf, updateOf } from './mongo-forecast-updates.ts';
import { documentId, type ForecastDocument, forecastIndexes, forecasts, STILL_HELD } from './mongo-schema.ts';
import { SerialQueue } from './serial-queue.ts';

/**
 * Forecasts with more claims are inserted one after the other. Before 7.0, MongoDB passes by every key that others are
 * just adding, again for each key that it adds itself: of 2000 claims each, two at once take thirty times as long as two
 * in turn. With a hundred it makes no difference.
 */
const MANY_CLAIMS = 100;
const MANY = 'many claims';
/** About what can be written in turn before those who wait give up. */
const MAX_WAITING = 200;

/**
 * Messages that wait in the document of a forecast have at most so many bytes when a correction adds its own. While nothing is published, each
 * correction adds up to some 800 kB, and a document has no room beyond 16 MB; up to 5 MB of that are content.
 */
const MAX_WAITING_BYTES = 4_000_000;
const TOO_MUCH_WAITS = 'The events of earlier corrections are not published yet; try again';

/** What `change` reads. */
type ChangingDocument = RecordDocument & Pick<ForecastDocument, 'version'> & Partial<Pick<ForecastDocument, 'applied'>>;

/** What `correct` reads. */
type CorrectingDocument = WholeDocument & Pick<ForecastDocument, 'version'> & { readonly waiting_bytes: number };

/** Bytes of messages; what an entry of the outbox has besides is little. */
const bytesOf = (messages: readonly EncodedMessage[]): number => messages.reduce((sum, { value }) => sum + Buffer.byteLength(value), 0);

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
    const insert = (): Promise<InsertOutcome> => untilWritten(() => this.#tryInsert(forecast, document), end);
    return this.#db.run(() => (forecast.claims.length > MANY_CLAIMS ? this.#inTurn.run(MANY, insert) : insert()));
  }

  async findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined> {
    const found = await this.#db.run(() => this.#shown(tenantId, poNumber));
    return found ? toRecord(found) : undefined;
  }

  async readByPoNumber(tenantId: string, poNumber: string): Promise<StoredForecast | undefined> {
    const found = await this.#db.run(() => this.#shown<WholeDocument>(tenantId, poNumber, WHOLE_FIELDS));
    return found ? toStored(found) : undefined;
  }

  async readByForecastNo(tenantId: string, forecastNo: string): Promise<StoredForecast | undefined> {
    const id = documentId(tenantId, forecastNo);
    const found = await this.#db.run(() => this.#model.findById(id, WHOLE_FIELDS).lean<WholeDocument>());
    return found ? toStored(found) : undefined;
  }

  async readContent(tenantId: string, forecastNo: string): Promise<StoredContent | undefined> {
    const id = documentId(tenantId, forecastNo);
    const found = await this.#db.run(() => this.#model.findById(id, { content: 1, content_version: 1 }).lean());
    return found ? { content: found.content, version: found.content_version ?? 1 } : undefined;
  }

  async readReceivedItems(tenantId: string, forecastNo: string): Promise<readonly ReceivedItem[]> {
    const found = await this.#db.run(() => this.#model.findById(documentId(tenantId, forecastNo), { received_items: 1 }).lean());
    return found?.received_items === undefined ? [] : (JSON.parse(found.received_items) as ReceivedItem[]);
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

  async scan(after: string | null, limit: number): Promise<readonly ScannedForecast[]> {
    const found = await this.#db.run(() =>
      this.#model
        .find({ _id: { $gt: after ?? '' } }, LISTED_FIELDS)
        .sort({ _id: 1 })
        .limit(limit)
        .hint({ _id: 1 })
        .lean<ListedDocument[]>(),
    );
    return found.map((document) => ({ ...toListed(document), place: document._id }));
  }

  change(tenantId: string, forecastNo: string, cause: Cause | null, decide: Decide): Promise<ChangeOutcome> {
    const id = documentId(tenantId, forecastNo);
    const end = lastTryAt();
    // In turn within the process: what is left are rivals in other processes, a few at most.
    return this.#db.run(() => this.#inTurn.run(id, () => untilWritten(() => this.#tryChange(id, cause, decide), end)));
  }

  correct(tenantId: string, forecastNo: string, decide: DecideCorrection): Promise<CorrectionOutcome> {
    const id = documentId(tenantId, forecastNo);
    const end = lastTryAt();
    return this.#db.run(() => this.#inTurn.run(id, () => untilWritten(() => this.#tryCorrect(id, decide), end)));
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
    const rivals = await this.#model
      .find({ $or: holdingAny }, { ...RECORD_FIELDS, held_until: 1, ...claimsAmong(claims) })
      .lean<RivalDocument[]>();
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

  /** @returns undefined when another writer came in between, or what stood in the way was gone before it could be read */
  async #tryCorrect(id: string, decide: DecideCorrection): Promise<CorrectionOutcome | undefined> {
    const waiting: object = { waiting_bytes: { $bsonSize: { entries: '$outbox' } } };
    const found = await this.#model.findById(id, { ...WHOLE_FIELDS, version: 1, ...waiting }).lean<CorrectingDocument>();
    if (found === null) return { kind: 'unknown' };
    const decision = decide(toStored(found));
    if (decision === undefined) return { kind: 'unchanged' };
    const { messages, claims } = decision;
    if (found.waiting_bytes + bytesOf(messages) > MAX_WAITING_BYTES) throw AppError.unavailable(TOO_MUCH_WAITS);
    const update = correctionUpdateOf(decision, this.#clock.now());
    // Past mongoose, as the insert: thousands of claims.
    const write = async () => (await this.#model.collection.updateOne({ _id: id, version: found.version } as object, update)).matchedCount;
    try {
      const matched = await ((claims ?? []).length > MANY_CLAIMS ? this.#inTurn.run(MANY, write) : write());
      return matched === 1 ? { kind: 'corrected' } : undefined;
    } catch (error) {
      if (!isDuplicateKey(error, forecastIndexes.claims)) throw error;
      return this.#heldByOthers(id, found.tenant_id, claims ?? []);
    }
  }

  async #heldByOthers(id: string, tenantId: string, claims: readonly string[]): Promise<CorrectionOutcome | undefined> {
    const others = { _id: { $ne: id }, tenant_id: { $eq: tenantId }, claims: { $in: claims } };
    const rivals = await this.#model.find(others, claimsAmong(claims)).lean<{ readonly claims?: readonly string[] | null }[]>();
    const taken = new Set(rivals.flatMap((rival) => rival.claims ?? []));
    return taken.size === 0 ? undefined : { kind: 'taken', takenNumbers: claims.filter((number) => taken.has(number)) };
  }

  /** The forecast that holds the po_number, else the last that did. */
  async #shown<D extends RecordDocument = RecordDocument>(
    tenantId: string,
    poNumber: string,
    fields: object = RECORD_FIELDS,
  ): Promise<D | null> {
    return this.#model
      .findOne({ tenant_id: { $eq: tenantId }, po_number: { $eq: poNumber } }, fields)
      .sort({ held_until: -1 })
      .lean<D>();
  }

  async #isShown(forecast: ForecastRecord): Promise<boolean> {
    if (holdsPoNumber(forecast.status)) return true;
    return (await this.#shown(forecast.tenantId, forecast.poNumber))?.forecast_no === forecast.forecastNo;
  }
}
