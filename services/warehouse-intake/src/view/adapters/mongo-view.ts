import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { newOutbox, type OutboxEntry, withOutbox } from '@parcelway/mongo/mongo-outbox';
import type { MongoServerTime } from '@parcelway/mongo/mongo-server-time';
import type { Model } from 'mongoose';
import { noteEntry } from '../domain/change-message.ts';
import { itemKeys, parcelKeys } from '../domain/scan.ts';
import { isFoundOtherwise, isKept, isLive, MOVED_STATUS, movedAway, type ViewForecast, type ViewItem } from '../domain/view-forecast.ts';
import type { CompleteForecast, DecideChange, FoundByKey, SeenForecast, ViewChange, ViewQuery, ViewStore } from '../ports.ts';
import { ViewMoves } from './mongo-view-moves.ts';
import { type ViewDocument, viewForecasts, viewIndexes } from './mongo-view-schema.ts';
import { ViewStamps } from './mongo-view-stamps.ts';

type SeenDocument = Pick<ViewDocument, 'forecast' | 'stamp'>;
/** With those of the keys looked for that it has. */
type MatchedDocument = SeenDocument & { readonly matched: readonly string[] };
type StoredDocument = Pick<ViewDocument, 'forecast' | 'stamp' | 'revision' | 'closed_at'>;

const SEEN = { _id: 0, forecast: 1, stamp: 1 } as const;
const STORED = { _id: 0, forecast: 1, stamp: 1, revision: 1, closed_at: 1 } as const;
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
 * {@link ViewStamps} says up to where a poll has seen everything.
 */
export class MongoView implements ViewStore {
  readonly #db: MongoDatabase;
  readonly #clock: Clock;
  readonly #model: Model<ViewDocument>;
  readonly #stamps: ViewStamps;
  readonly #moves: ViewMoves;
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
    this.#stamps = new ViewStamps(db, time);
    this.#moves = new ViewMoves(db, clock, this.#stamps);
  }

  async change(forecastNo: string, decide: DecideChange): Promise<void> {
    await untilWritten(async () => {
      const stored = await this.#db.run(
        () => this.#model.collection.findOne({ _id: forecastNo } as object, { projection: STORED }) as Promise<StoredDocument | null>,
      );
      const before = stored === null ? undefined : (JSON.parse(stored.forecast) as ViewForecast);
      const change = decide(before);
      if (change !== undefined) return (await this.#write(before, stored, change)) || undefined;
      if (stored !== null) await this.#stamps.renew(forecastNo, stored.stamp);
      return true;
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
    return this.#stamps.settled();
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

  /** @returns false when somebody else was first */
  async #write(before: ViewForecast | undefined, stored: StoredDocument | null, change: ViewChange): Promise<boolean> {
    const { forecast, items, note } = change;
    const entries = note !== undefined && this.#keepsChanges ? [noteEntry(forecast.forecastNo, note)] : [];
    const away = movedAway(before, forecast);
    const confirmMove = away && (await this.#moves.note(away, forecast));
    const keys = items !== undefined || isFoundOtherwise(before, forecast) ? await this.#keysOf(forecast, items) : {};
    const stamp = await this.#stamps.take();
    const values: Record<string, unknown> = {
      warehouse_code: forecast.warehouseCode ?? undefined,
      tenant_id: forecast.tenantId,
      status: forecast.status,
      due_date: forecast.content?.dueDate ?? undefined,
      closed_at: isKept(forecast) ? undefined : (stored?.closed_at ?? this.#clock.now()),
      forecast: JSON.stringify(forecast),
      ...(items !== undefined && { items: JSON.stringify(items) }),
      ...keys,
    };
    const isWritten =
      stored === null
        ? await this.#insert(forecast.forecastNo, values, stamp.at, entries)
        : await this.#update(forecast.forecastNo, stored.revision, values, stamp.at, entries);
    if (isWritten) await Promise.all([this.#stamps.confirm(forecast.forecastNo, stamp), confirmMove?.()]);
    return isWritten;
  }

  async #insert(forecastNo: string, values: Record<string, unknown>, stamp: number, entries: readonly OutboxEntry[]): Promise<boolean> {
    const present = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined));
    const document = { _id: forecastNo, ...present, stamp, revision: 1, ...newOutbox(entries, this.#clock.now()) };
    try {
      await this.#db.run(() => this.#model.collection.insertOne(document as object));
      return true;
    } catch (error) {
      if (isDuplicateKey(error)) return false;
      throw error;
    }
  }

  async #update(
    forecastNo: string,
    revision: number,
    values: Record<string, unknown>,
    stamp: number,
    entries: readonly OutboxEntry[],
  ): Promise<boolean> {
    const fields = Object.entries(values);
    const absent = fields.filter(([, value]) => value === undefined).map(([field]) => [field, '']);
    const update = {
      $set: Object.fromEntries(fields.filter(([, value]) => value !== undefined)),
      ...(absent.length > 0 && { $unset: Object.fromEntries(absent) }),
      // Another process may have stamped it anew in the meantime, by a clock that is a little ahead.
      $max: { stamp },
      $inc: { revision: 1 },
    };
    const { matchedCount } = await this.#db.run(() =>
      this.#model.collection.updateOne({ _id: forecastNo, revision } as object, withOutbox(update, entries, this.#clock.now()) as object),
    );
    return matchedCount > 0;
  }

  /** What a scan finds the forecast by. */
  async #keysOf(forecast: ViewForecast, given: readonly ViewItem[] | undefined): Promise<Record<string, unknown>> {
    if (forecast.warehouseCode === null) return { live_keys: undefined, past_keys: undefined };
    if (!isLive(forecast.status)) return { live_keys: undefined, past_keys: parcelKeys(forecast) };
    const items = given ?? (await this.#items(forecast.forecastNo));
    return { live_keys: [...parcelKeys(forecast), ...itemKeys(items)], past_keys: undefined };
  }

  async #items(forecastNo: string): Promise<readonly ViewItem[]> {
    const found = await this.#db.run(() =>
      this.#model.collection.findOne<Pick<ViewDocument, 'items'>>({ _id: forecastNo } as object, { projection: { items: 1 } }),
    );
    return JSON.parse(found?.items ?? '[]') as readonly ViewItem[];
  }
}
