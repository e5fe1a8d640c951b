import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { newOutbox, withOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import { type Model, mongo } from 'mongoose';
import { noteEntry } from '../domain/change-message.ts';
import type { DecideView, ViewChange } from '../domain/decide-view.ts';
import { isFoundOtherwise, isKept, isLive, type ViewForecast, type ViewItem } from '../domain/forecast-copy.ts';
import { itemKeys, parcelKeys } from '../domain/scan-keys.ts';
import { MOVED_STATUS, moveOf } from '../domain/seen-by-warehouse.ts';
import type { CompleteForecast, FoundByKey, SeenForecast, ViewQuery, ViewStore } from '../ports.ts';
import { MongoViewMoves } from './mongo-view-moves.ts';
import { type ViewDocument, viewForecasts, viewIndexes } from './mongo-view-schema.ts';
import { ViewSequence } from './mongo-view-sequence.ts';

type SeenDocument = Pick<ViewDocument, 'forecast' | 'stamp'>;
/** With those of the keys looked for that it has. */
type MatchedDocument = SeenDocument & { readonly matched: readonly string[] };
type StoredDocument = Pick<ViewDocument, '_id' | 'forecast' | 'stamp' | 'revision' | 'closed_at'>;

type ItemsDocument = Pick<ViewDocument, '_id' | 'items'>;

/** A change of a document. */
interface DocumentChange {
  readonly change: ViewChange;
  readonly stored: StoredDocument | undefined;
  /** What scans find the forecast by; empty when that stays. */
  readonly keys: Record<string, unknown>;
  readonly stamp: number;
}

const SEEN = { _id: 0, forecast: 1, stamp: 1 } as const;
const STORED = { forecast: 1, stamp: 1, revision: 1, closed_at: 1 } as const;
const LATEST_FIRST = { stamp: -1, _id: -1 } as const;
/** The server merges so many stretches of an index in their order (internalQueryMaxScansToExplode); of more it would sort everything. */
const MAX_MERGED = 200;

const seenOf = ({ forecast, stamp }: SeenDocument): SeenForecast => ({ forecast: JSON.parse(forecast) as ViewForecast, stamp });

/** The index that has the order of a page for each status, and each day. */
function indexOf({ tenantId, dueDays }: ViewQuery): string {
  if (dueDays !== undefined) return tenantId === undefined ? viewIndexes.due : viewIndexes.tenantDue;
  return tenantId === undefined ? viewIndexes.status : viewIndexes.tenant;
}

/** The statuses in groups, so that the server merges what it finds for each status and day. */
function mergeable({ statuses, moved, dueDays }: ViewQuery): readonly (readonly number[])[] {
  const size = Math.floor(MAX_MERGED / Math.max(1, dueDays?.length ?? 1));
  const all = moved ? [MOVED_STATUS, ...statuses] : statuses;
  return all.length <= size ? [all] : [all.slice(0, size), all.slice(size)];
}

/** The first change first: by stamp, then by number, both falling. */
function byLatest(a: SeenForecast, b: SeenForecast): number {
  return b.stamp - a.stamp || (a.forecast.forecastNo < b.forecast.forecastNo ? 1 : -1);
}

/**
 * The warehouse's view in MongoDB: a document per forecast. A change is decided on what was read and written only if nobody
 * else has written since. Several processes write at once, so a change may become visible after one with a later stamp:
 * {@link ViewSequence} says up to where a poll has seen everything.
 */
export class MongoView implements ViewStore {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<ViewDocument>;
  readonly #sequence: ViewSequence;
  readonly #moves: MongoViewMoves;
  readonly #keepsChanges: boolean;

  /**
   * @param db migrated with the service's collections
   * @param keepsChanges writes down what systems outside are to hear of changes
   */
  constructor(db: MongoDatabase, clock: Clock, time: MongoServerTime, keepsChanges: boolean) {
    this.#db = db;
    this.#keepsChanges = keepsChanges;
    this.#clock = clock;
    this.#model = db.model(viewForecasts);
    this.#sequence = new ViewSequence(db, time);
    this.#moves = new MongoViewMoves(db, clock);
  }

  async change(forecastNos: readonly string[], decide: DecideView): Promise<void> {
    if (forecastNos.length === 0) return;
    await untilWritten(async () => {
      const stored = await this.#stored(forecastNos);
      const known = new Map([...stored].map(([forecastNo, { forecast }]) => [forecastNo, JSON.parse(forecast) as ViewForecast]));
      const changes = decide(known);
      const changed = new Set(changes.map(({ forecast }) => forecast.forecastNo));
      await this.#sequence.renew([...stored].flatMap(([id, { stamp }]) => (changed.has(id) ? [] : [[id, stamp] as const])));
      return changes.length === 0 || (await this.#write(changes, known, stored)) || undefined;
    });
  }

  async get(warehouseCode: string, forecastNos: readonly string[]): Promise<readonly SeenForecast[]> {
    return (await this.#named<SeenDocument>(warehouseCode, forecastNos, SEEN)).map(seenOf);
  }

  async read(warehouseCode: string, forecastNo: string): Promise<CompleteForecast | undefined> {
    const [found] = await this.#named<SeenDocument & Pick<ViewDocument, 'items'>>(warehouseCode, [forecastNo], { ...SEEN, items: 1 });
    return found === undefined ? undefined : { ...seenOf(found), items: JSON.parse(found.items ?? '[]') as readonly ViewItem[] };
  }

  async list(warehouseCode: string, query: ViewQuery): Promise<readonly SeenForecast[]> {
    const { tenantId, dueDays, above, behind, limit } = query;
    const filter = {
      warehouse_code: { $eq: warehouseCode },
      ...(tenantId !== undefined && { tenant_id: { $eq: tenantId } }),
      ...(dueDays !== undefined && { due_date: { $in: dueDays } }),
      stamp: { $gt: above, ...(behind !== undefined && { $lte: behind.stamp }) },
      ...(behind !== undefined && { $or: [{ stamp: { $lt: behind.stamp } }, { _id: { $lt: behind.forecastNo } }] }),
    };
    const pages = await this.#db.run(() =>
      Promise.all(
        mergeable(query).map((statuses) =>
          this.#model.collection
            .find<SeenDocument>({ ...filter, status: { $in: statuses } } as object, {
              projection: SEEN,
              sort: LATEST_FIRST,
              limit,
              batchSize: limit + 1,
              hint: indexOf(query),
            })
            .toArray(),
        ),
      ),
    );
    return pages.flat().map(seenOf).sort(byLatest).slice(0, limit);
  }

  settled(): Promise<number> {
    return this.#sequence.settled();
  }

  async find(warehouseCode: string, keys: readonly string[], limit: number): Promise<FoundByKey> {
    const [live, past] = await Promise.all([
      this.#having(warehouseCode, 'live_keys', keys, limit),
      this.#having(warehouseCode, 'past_keys', keys, limit),
    ]);
    const found = new Map<string, SeenForecast[]>(keys.map((key) => [key, []]));
    for (const document of [...live, ...past]) {
      const seen = seenOf(document);
      for (const key of document.matched) found.get(key)?.push(seen);
    }
    return new Map([...found].map(([key, all]) => [key, all.slice(0, limit)]));
  }

  async purge(before: number, limit: number): Promise<number> {
    const closed = { closed_at: { $lt: before } };
    return this.#db.run(async () => {
      const options = { projection: { _id: 1 }, sort: { closed_at: 1 }, limit, hint: viewIndexes.closed } as const;
      const old = await this.#model.collection.find(closed, options).toArray();
      if (old.length === 0) return 0;
      const { deletedCount } = await this.#model.collection.deleteMany(
        { _id: { $in: old.map(({ _id }) => _id) }, ...closed },
        // The planner takes the index of the time for as good, and reads all that is past it.
        { hint: { _id: 1 } },
      );
      return deletedCount;
    });
  }

  #named<Found extends SeenDocument>(warehouseCode: string, forecastNos: readonly string[], projection: object): Promise<readonly Found[]> {
    const filter = { _id: { $in: forecastNos }, warehouse_code: { $eq: warehouseCode }, status: { $ne: MOVED_STATUS } };
    return this.#db.run(() =>
      this.#model.collection.find<Found>(filter as object, { projection, hint: { _id: 1 }, batchSize: forecastNos.length + 1 }).toArray(),
    );
  }

  /** The documents that have one of the keys, by their `_id`; of each key at least the first `limit`. */
  async #having(
    warehouseCode: string,
    field: 'live_keys' | 'past_keys',
    keys: readonly string[],
    limit: number,
  ): Promise<readonly MatchedDocument[]> {
    const filter = { warehouse_code: { $eq: warehouseCode }, [field]: { $in: keys } };
    const found = await this.#db.run(() =>
      this.#model.collection
        .find<MatchedDocument>(filter as object, {
          projection: { ...SEEN, matched: { $setIntersection: [`$${field}`, { $literal: keys }] } },
          sort: { _id: 1 },
          limit,
          batchSize: limit + 1,
          hint: field === 'live_keys' ? viewIndexes.liveKeys : viewIndexes.pastKeys,
        })
        .toArray(),
    );
    if (found.length < limit || keys.length === 1) return found;
    // A key that many have may have left no place for another one: each gets a query of its own.
    return (await Promise.all(keys.map((key) => this.#having(warehouseCode, field, [key], limit)))).flat();
  }

  async #stored(forecastNos: readonly string[]): Promise<ReadonlyMap<string, StoredDocument>> {
    const options = { projection: STORED, hint: { _id: 1 }, batchSize: forecastNos.length + 1 } as const;
    const found = await this.#db.run(() =>
      this.#model.collection.find<StoredDocument>({ _id: { $in: forecastNos } } as object, options).toArray(),
    );
    return new Map(found.map((document) => [document._id, document]));
  }

  /** @returns false when another writer came in between: some of the changes may be written */
  async #write(
    changes: readonly ViewChange[],
    known: ReadonlyMap<string, ViewForecast>,
    stored: ReadonlyMap<string, StoredDocument>,
  ): Promise<boolean> {
    const beforeOf = ({ forecast }: ViewChange): ViewForecast | undefined => known.get(forecast.forecastNo);
    const moves = changes.flatMap((change) => moveOf(beforeOf(change), change.forecast) ?? []);
    const refound = changes.filter((change) => change.items !== undefined || isFoundOtherwise(beforeOf(change), change.forecast));
    const keys = await this.#keysOf(refound);
    const stamp = await this.#sequence.take(changes.length);
    const moved = await this.#moves.write(moves, stamp.at);
    if (moved === undefined) return false;
    const writes = changes.map((change, index) => {
      const { forecastNo } = change.forecast;
      return this.#writeOf({ change, stored: stored.get(forecastNo), keys: keys.get(forecastNo) ?? {}, stamp: stamp.at + index });
    });
    const isWritten = await this.#writeAll(writes);
    await this.#sequence.confirm([...changes.map(({ forecast }) => forecast.forecastNo), ...moved], stamp);
    return isWritten;
  }

  /** @returns false when documents have changed since they were read: the others are written */
  async #writeAll(writes: readonly mongo.AnyBulkWriteOperation[]): Promise<boolean> {
    try {
      const { matchedCount, insertedCount } = await this.#db.run(() => this.#model.collection.bulkWrite([...writes], { ordered: false }));
      return matchedCount + insertedCount === writes.length;
    } catch (error) {
      if (error instanceof mongo.MongoBulkWriteError && isDuplicateKey(error)) return false;
      throw error;
    }
  }

  #writeOf({ change, stored, keys, stamp }: DocumentChange): mongo.AnyBulkWriteOperation {
    const { forecast, items, notes = [] } = change;
    const { forecastNo } = forecast;
    const now = this.#clock.now();
    const entries = this.#keepsChanges ? notes.map((note) => noteEntry(forecastNo, note)) : [];
    const values: Record<string, unknown> = {
      warehouse_code: forecast.warehouseCode ?? undefined,
      tenant_id: forecast.tenantId,
      status: forecast.status,
      due_date: forecast.content?.dueDate ?? undefined,
      closed_at: isKept(forecast) ? undefined : (stored?.closed_at ?? now),
      forecast: JSON.stringify(forecast),
      ...(items !== undefined && { items: JSON.stringify(items) }),
      ...keys,
    };
    const fields = Object.entries(values);
    const present = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
    if (stored === undefined) {
      return { insertOne: { document: { _id: forecastNo, ...present, stamp, revision: 1, ...newOutbox(entries, now) } as object } };
    }
    const absent = fields.filter(([, value]) => value === undefined).map(([field]) => [field, '']);
    const update = {
      $set: present,
      ...(absent.length > 0 && { $unset: Object.fromEntries(absent) }),
      // Another process may have stamped it again in the meantime, by a clock that is a little ahead.
      $max: { stamp },
      $inc: { revision: 1 },
    };
    const filter = { _id: forecastNo, revision: stored.revision } as object;
    return { updateOne: { filter, update: withOutbox(update, entries, now) as object } };
  }

  /** What scans find forecasts by, with one read of the items that the changes do not bring. */
  async #keysOf(changes: readonly ViewChange[]): Promise<ReadonlyMap<string, Record<string, unknown>>> {
    const isShown = ({ forecast }: ViewChange): boolean => forecast.warehouseCode !== null && isLive(forecast.status);
    const unread = changes.filter((change) => isShown(change) && change.items === undefined);
    const items = await this.#items(unread.map(({ forecast }) => forecast.forecastNo));
    return new Map(
      changes.map((change): readonly [string, Record<string, unknown>] => {
        const { forecast, items: given = items.get(forecast.forecastNo) ?? [] } = change;
        const { forecastNo, warehouseCode } = forecast;
        if (warehouseCode === null) return [forecastNo, { live_keys: undefined, past_keys: undefined }];
        if (!isShown(change)) return [forecastNo, { live_keys: undefined, past_keys: parcelKeys(forecast) }];
        return [forecastNo, { live_keys: [...parcelKeys(forecast), ...itemKeys(given)], past_keys: undefined }];
      }),
    );
  }

  async #items(forecastNos: readonly string[]): Promise<ReadonlyMap<string, readonly ViewItem[]>> {
    if (forecastNos.length === 0) return new Map();
    const options = { projection: { items: 1 }, hint: { _id: 1 }, batchSize: forecastNos.length + 1 } as const;
    const found = await this.#db.run(() =>
      this.#model.collection.find<ItemsDocument>({ _id: { $in: forecastNos } } as object, options).toArray(),
    );
    return new Map(found.map(({ _id, items }) => [_id, JSON.parse(items ?? '[]') as readonly ViewItem[]]));
  }
}
