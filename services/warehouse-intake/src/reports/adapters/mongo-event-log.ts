import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import type { MongoOutbox } from '@parcelway/mongo/mongo-outbox';
import { type Model, mongo } from 'mongoose';
import { byWarehouse, type EventScope, scannedUnder } from '../../expected/adapters/mongo-event-scope.ts';
import { type EventDocument, eventIndexes, events } from '../../expected/adapters/mongo-schema.ts';
import type { EventKey } from '../../expected/domain/event.ts';
import type { UnclaimedReason } from '../../expected/domain/match.ts';

/** What is read of an event that was stored before. */
export type StoredEvent = Pick<
  EventDocument,
  | '_id'
  | 'warehouse_code'
  | 'event_id'
  | 'received_at'
  | 'event'
  | 'waiting'
  | 'resolution'
  | 'published_to'
  | 'claims_number'
  | 'ends_stay'
  | 'unfinished_since'
>;

/** What names an event: its id, and the warehouse, which says which shard it is on. */
export type EventPlace = Pick<EventDocument, '_id' | 'warehouse_code'>;

/** These events. */
function placed(events: readonly EventPlace[]) {
  return { _id: { $in: events.map(({ _id }) => _id) }, warehouse_code: { $in: [...new Set(events.map((one) => one.warehouse_code))] } };
}

/** What is read of an event that waits. */
export type WaitingEvent = Pick<
  EventDocument,
  '_id' | 'warehouse_code' | 'event' | 'waiting' | 'occurred_at' | 'received_at' | 'resolution'
>;

/** What is read of an event that waits, to be shown. */
type UnclaimedEvent = Pick<EventDocument, 'event' | 'received_at'> & { readonly waiting: UnclaimedReason };

/** Change of a waiting event, applied while it still waits. */
export interface WaitingChange {
  readonly of: EventPlace;
  readonly update: object;
  /** The resolution that makes it. An event that another one has reserved is passed over. */
  readonly resolution?: string | undefined;
}

const STORED_FIELDS = {
  warehouse_code: 1,
  event_id: 1,
  received_at: 1,
  event: 1,
  waiting: 1,
  resolution: 1,
  published_to: 1,
  claims_number: 1,
  ends_stay: 1,
  unfinished_since: 1,
} as const;
const WAITING_FIELDS = { warehouse_code: 1, event: 1, waiting: 1, occurred_at: 1, received_at: 1, resolution: 1 } as const;

/** More documents than any step reads: then they come in one response instead of in steps of 101. */
const ONE_RESPONSE = 2000;

const waits = { waiting: { $exists: true } } as const;
const published = { waiting: { $exists: false } } as const;
/** Where an event is published or settled, its place is in the order of occurrence; those of one instant as they came. */
const IN_ORDER = { occurred_at: 1, _id: 1 } as const;

function behind(last: WaitingEvent | undefined): object {
  if (last === undefined) return {};
  const { occurred_at: at, _id: id } = last;
  return { $and: [{ $or: [{ occurred_at: { $gt: at } }, { occurred_at: at, _id: { $gt: id } }] }] };
}

/** Events that no resolution has reserved, or this one. */
export function freeFor(resolution: string | undefined): object {
  return { resolution: resolution === undefined ? { $exists: false } : { $in: [resolution, null] } };
}

/** The events and their outboxes, one document each. Whether an event waits or is published changes in one write on that document, once. */
export class MongoEventLog {
  readonly #db: MongoDatabase;
  readonly #model: Model<EventDocument>;
  readonly #outbox: MongoOutbox;

  /** @param db migrated with intakeCollections; `outbox`: of the events */
  constructor(db: MongoDatabase, outbox: MongoOutbox) {
    this.#db = db;
    this.#model = db.model(events);
    this.#outbox = outbox;
  }

  /** Those of the events that are stored. */
  async stored(keys: readonly EventKey[]): Promise<readonly StoredEvent[]> {
    if (keys.length === 0) return [];
    const named = byWarehouse(
      'event_id',
      keys.map(({ warehouseCode, eventId }) => [warehouseCode, eventId]),
    );
    return this.#db.run(() =>
      this.#model.find({ $or: named }, STORED_FIELDS).hint(eventIndexes.event).batchSize(ONE_RESPONSE).lean<StoredEvent[]>(),
    );
  }

  /**
   * Stores events.
   * @returns indices of those that another process stored first
   */
  async insert(documents: readonly EventDocument[]): Promise<ReadonlySet<number>> {
    if (documents.length === 0) return new Set();
    try {
      await this.#outbox.insert(documents);
      return new Set();
    } catch (error) {
      if (!isDuplicateKey(error, eventIndexes.event)) throw error;
      // One event is inserted by a write of its own, whose error names no index.
      return new Set(error instanceof mongo.MongoBulkWriteError ? [error.writeErrors].flat().map(({ index }) => index) : [0]);
    }
  }

  /** The first `limit` waiting events of the scope in the order in which they occurred, those behind `last`. */
  async waiting(scope: EventScope, last: WaitingEvent | undefined, limit: number): Promise<readonly WaitingEvent[]> {
    const { forecastNos, scanned } = scope;
    const read = (condition: object, index: string): Promise<WaitingEvent[]> =>
      this.#db.run(() =>
        this.#model
          .find({ ...waits, ...condition, ...behind(last) }, WAITING_FIELDS)
          .sort(IN_ORDER)
          .limit(limit)
          .batchSize(ONE_RESPONSE)
          // An index of all events would serve as well, and go through all that the warehouse ever reported.
          .hint(index)
          .lean<WaitingEvent[]>(),
      );
    const found = await Promise.all([
      forecastNos.length === 0 ? [] : read({ forecast_no: { $in: forecastNos } }, eventIndexes.waitingNamed),
      scanned.length === 0
        ? []
        : read({ scanned_no: { $exists: true }, $or: scannedUnder('scanned_no', scanned) }, eventIndexes.waitingScanned),
    ]);
    return found
      .flat()
      .sort((a, b) => a.occurred_at - b.occurred_at || (a._id < b._id ? -1 : 1))
      .slice(0, limit);
  }

  /**
   * Applies each change whose event still waits: two processes that change one event do so one after the other, and what
   * the first has published does not wait for the second.
   * @returns how many were applied
   */
  async changeWaiting(changes: readonly WaitingChange[]): Promise<number> {
    if (changes.length === 0) return 0;
    const writes = changes.map(({ of: { _id, warehouse_code }, update, resolution }) => ({
      updateOne: { filter: { _id, warehouse_code, ...waits, ...freeFor(resolution) } as object, update, hint: { _id: 1 } },
    }));
    const { matchedCount } = await this.#db.run(() => this.#model.collection.bulkWrite(writes, { ordered: false }));
    this.#outbox.noteWaiting();
    return matchedCount;
  }

  /**
   * Has an event wait again that was published for a forecast which its warehouse did not name. What it says of that forecast goes, and the look into
   * the directory remains to be taken. @param now epoch milliseconds
   */
  async returned({ warehouseCode, eventId }: EventKey, forecastNo: string, now: number): Promise<void> {
    const filter = { warehouse_code: warehouseCode, event_id: eventId, published_to: forecastNo, forecast_no: { $ne: forecastNo } };
    const $unset = { published_to: '', claims_number: '', ends_stay: '', resolution: '' };
    const update = { $set: { waiting: 'no_forecast', unfinished_since: now }, $unset };
    await this.#db.run(() => this.#model.updateOne({ ...filter, ...published }, update).hint(eventIndexes.event));
  }

  /** Those of the events that are published and of which a step remains, in the order given. */
  async publishedUnfinished(places: readonly EventPlace[]): Promise<readonly StoredEvent[]> {
    if (places.length === 0) return [];
    const filter = { ...placed(places), unfinished_since: { $exists: true }, ...published };
    const found = await this.#db.run(() =>
      this.#model.find(filter, STORED_FIELDS).hint({ _id: 1 }).batchSize(ONE_RESPONSE).lean<StoredEvent[]>(),
    );
    const byId = new Map(found.map((event) => [event._id, event]));
    return places.flatMap(({ _id }) => byId.get(_id) ?? []);
  }

  /** The second look has been taken for these events. Those published since are passed over: another step remains of them. */
  async looked(places: readonly EventPlace[]): Promise<void> {
    await this.#finished(places, waits);
  }

  /** The directory has what these published events change in it. */
  async concluded(places: readonly EventPlace[]): Promise<void> {
    await this.#finished(places, published);
  }

  /** At most `limit` events of which a step remains since before `before` (epoch milliseconds), the oldest first. */
  async unfinished(before: number, limit: number): Promise<readonly StoredEvent[]> {
    const filter = { unfinished_since: { $lt: before } };
    return this.#db.run(() =>
      this.#model
        .find(filter, STORED_FIELDS)
        .sort({ unfinished_since: 1 })
        .limit(limit)
        .batchSize(ONE_RESPONSE)
        .hint(eventIndexes.unfinished)
        .lean<StoredEvent[]>(),
    );
  }

  /** The oldest `limit` events that wait, for one reason or for any. */
  async unclaimed(limit: number, reason: UnclaimedReason | undefined): Promise<readonly UnclaimedEvent[]> {
    return this.#db.run(() =>
      this.#model
        .find(reason === undefined ? waits : { waiting: reason }, { event: 1, waiting: 1, received_at: 1 })
        .sort({ received_at: 1, _id: 1 })
        .limit(limit)
        .batchSize(ONE_RESPONSE)
        .hint(reason === undefined ? eventIndexes.unclaimed : eventIndexes.reason)
        .lean<UnclaimedEvent[]>(),
    );
  }

  /** How many events wait for that reason, counted to `most`. */
  async countUnclaimed(reason: UnclaimedReason, most: number): Promise<number> {
    return this.#db.run(() => this.#model.countDocuments({ waiting: reason }).limit(most).hint(eventIndexes.reason));
  }

  /**
   * Deletes at most `limit` events received before `before` (epoch milliseconds), but none whose publication is still in
   * the outbox.
   * @returns what was there to delete; another process may have deleted some of it at the same time
   */
  async purge(before: number, limit: number): Promise<readonly Pick<EventDocument, 'warehouse_code' | 'event_id' | 'waiting'>[]> {
    const relayed = { outbox_due: { $exists: false } };
    const old = await this.#db.run(() =>
      this.#model
        .find({ received_at: { $lt: before }, ...relayed }, { warehouse_code: 1, event_id: 1, waiting: 1 })
        .sort({ received_at: 1 })
        .limit(limit)
        .batchSize(ONE_RESPONSE)
        .hint(eventIndexes.received)
        .lean<EventDocument[]>(),
    );
    if (old.length === 0) return [];
    await this.#db.run(() => this.#model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, ...relayed }));
    return old;
  }

  async #finished(places: readonly EventPlace[], state: object): Promise<void> {
    const update = { $unset: { unfinished_since: '' } };
    await this.#db.run(() => this.#model.updateMany({ ...placed(places), ...state }, update).hint({ _id: 1 }));
  }
}
