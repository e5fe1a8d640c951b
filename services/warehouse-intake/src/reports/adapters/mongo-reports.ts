import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import type { Model } from 'mongoose';
import { byWarehouse } from '../../expected/adapters/mongo-event-scope.ts';
import {
  type EventDocument,
  eventIndexes,
  events,
  type ForecastDocument,
  forecastIndexes,
  forecasts,
} from '../../expected/adapters/mongo-schema.ts';
import { type EventKey, type IntakeEvent, storedEvent } from '../../expected/domain/event.ts';
import { isHeldBy, type ReportKind } from '../../expected/domain/parcel-reports.ts';
import type {
  AppliedReports,
  ClaimedNumbers,
  DispatchOnHold,
  LatestReports,
  ReportedForecast,
  ReportLimits,
  ScannedText,
} from '../../expected/ports.ts';

/** A dispatch that was applied. */
interface AppliedDispatch extends EventKey {
  readonly forecastNo: string;
  /** When it occurred, epoch milliseconds. */
  readonly at: number;
}

/** At most this many reports of several forecasts are read together. If there are more, each forecast and kind is read by itself. */
const MAX_TOGETHER = 500;
/** At most this many holds of the dispatches of a call are looked at together. */
const MAX_HOLDS = 1000;

const TOGETHER_FIELDS = { warehouse_code: 1, published_to: 1, report_kind: 1, occurred_at: 1, event: 1 } as const;

const forecastKey = ({ warehouseCode, forecastNo }: ReportedForecast): string => `${warehouseCode} ${forecastNo}`;

/** Reads applied reports, and the numbers that warehouses have claimed, from MongoDB. */
export class MongoReports implements AppliedReports, ClaimedNumbers {
  readonly #db: MongoDatabase;
  readonly #events: Model<EventDocument>;
  readonly #forecasts: Model<ForecastDocument>;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase) {
    this.#db = db;
    this.#events = db.model(events);
    this.#forecasts = db.model(forecasts);
  }

  async #latest(
    { warehouseCode, forecastNo }: ReportedForecast,
    kind: ReportKind,
    limit: number,
    until = Number.MAX_SAFE_INTEGER,
  ): Promise<readonly IntakeEvent[]> {
    const applied = { warehouse_code: { $eq: warehouseCode }, published_to: { $eq: forecastNo }, report_kind: kind };
    const found = await this.#db.run(() =>
      this.#events
        .find({ ...applied, occurred_at: { $lte: until } }, { _id: 0, event: 1 })
        .sort({ occurred_at: -1, _id: -1 })
        .limit(limit)
        .batchSize(limit + 1)
        .hint(eventIndexes.applied)
        .lean<Pick<EventDocument, 'event'>[]>(),
    );
    return found.map(({ event }) => storedEvent(event));
  }

  async latestOf(forecasts: readonly ReportedForecast[], limits: ReportLimits): Promise<readonly LatestReports[]> {
    if (forecasts.length === 0) return [];
    const kinds = Object.keys(limits) as ReportKind[];
    const of = byWarehouse(
      'published_to',
      forecasts.map(({ warehouseCode, forecastNo }) => [warehouseCode, forecastNo]),
    );
    const found = await this.#db.run(() =>
      this.#events
        .find({ $or: of.map((condition) => ({ ...condition, report_kind: { $in: kinds } })) }, TOGETHER_FIELDS)
        .limit(MAX_TOGETHER)
        .batchSize(MAX_TOGETHER + 1)
        .hint(eventIndexes.applied)
        .lean<EventDocument[]>(),
    );
    if (found.length === MAX_TOGETHER) return Promise.all(forecasts.map((forecast) => this.#latestOfOne(forecast, limits)));
    const inOrder = found.sort((a, b) => b.occurred_at - a.occurred_at || (a._id < b._id ? 1 : -1));
    const byForecast = groupBy(inOrder, ({ warehouse_code: warehouseCode, published_to: forecastNo = '' }) =>
      forecastKey({ warehouseCode, forecastNo }),
    );
    return forecasts.map((forecast) => {
      const byKind = groupBy(byForecast.get(forecastKey(forecast)) ?? [], ({ report_kind: kind }) => kind);
      const latest = [...byKind].map(([kind = '', reports]) => [
        kind,
        reports.slice(0, limits[kind as ReportKind]).map(({ event }) => storedEvent(event)),
      ]);
      return Object.fromEntries(latest) as LatestReports;
    });
  }

  async dispatchedOnHold(keys: readonly EventKey[]): Promise<readonly DispatchOnHold[]> {
    const dispatches = await this.#dispatches(keys);
    const held = await this.#onceHeld(dispatches);
    const found = await Promise.all(dispatches.filter((dispatch) => held.has(forecastKey(dispatch))).map((one) => this.#onHold(one)));
    return found.flatMap((one) => one ?? []);
  }

  async claimedFor(warehouseCode: string, { text, number }: ScannedText, limit: number): Promise<readonly string[]> {
    // A forecast that moved to another warehouse keeps its claims, but not their numbers.
    const scanned = { 'assigned.number': { $eq: number }, numbers: { $eq: number } };
    const [byNumber, byName] = await Promise.all([
      this.#claiming(warehouseCode, scanned, forecastIndexes.claimed, limit),
      this.#claiming(warehouseCode, { 'stands_in_for.number': { $eq: text } }, forecastIndexes.alias, limit),
    ]);
    return [...byNumber, ...byName].map(({ _id }) => _id);
  }

  #claiming(warehouseCode: string, claimed: object, index: string, limit: number): Promise<readonly Pick<ForecastDocument, '_id'>[]> {
    return this.#db.run(() =>
      this.#forecasts
        .find({ warehouse_code: { $eq: warehouseCode }, ...claimed }, { _id: 1 })
        .limit(limit)
        .batchSize(limit + 1)
        .hint(index)
        .lean<Pick<ForecastDocument, '_id'>[]>(),
    );
  }

  async #latestOfOne(forecast: ReportedForecast, limits: ReportLimits): Promise<LatestReports> {
    const wanted = Object.entries(limits) as [ReportKind, number][];
    return Object.fromEntries(
      await Promise.all(wanted.map(async ([kind, limit]) => [kind, await this.#latest(forecast, kind, limit)] as const)),
    );
  }

  /** Those of the events that are applied dispatches. */
  async #dispatches(keys: readonly EventKey[]): Promise<readonly AppliedDispatch[]> {
    const named = byWarehouse(
      'event_id',
      keys.map(({ warehouseCode, eventId }) => [warehouseCode, eventId]),
    );
    if (named.length === 0) return [];
    const fields = { warehouse_code: 1, event_id: 1, event: 1, occurred_at: 1, published_to: 1 } as const;
    const found = await this.#db.run(() =>
      this.#events
        .find({ $or: named, published_to: { $exists: true } }, fields)
        .batchSize(keys.length + 1)
        .hint(eventIndexes.event)
        .lean<EventDocument[]>(),
    );
    return found
      .filter(({ event }) => (JSON.parse(event) as Pick<IntakeEvent, 'detail'>).detail.type === 'dispatch')
      .map(({ warehouse_code: warehouseCode, event_id: eventId, published_to: forecastNo = '', occurred_at: at }) => ({
        warehouseCode,
        eventId,
        forecastNo,
        at,
      }));
  }

  /** Forecasts of which a hold was reported, in one look for all: next to none. All of them when there are too many holds to look at. */
  async #onceHeld(dispatches: readonly AppliedDispatch[]): Promise<ReadonlySet<string>> {
    const of = byWarehouse(
      'published_to',
      dispatches.map(({ warehouseCode, forecastNo }) => [warehouseCode, forecastNo]),
    );
    if (of.length === 0) return new Set();
    const holds = await this.#db.run(() =>
      this.#events
        .find({ $or: of.map((condition) => ({ ...condition, report_kind: 'hold' })) }, { _id: 0, warehouse_code: 1, published_to: 1 })
        .limit(MAX_HOLDS)
        .batchSize(MAX_HOLDS + 1)
        .hint(eventIndexes.applied)
        .lean<EventDocument[]>(),
    );
    const held = holds.map(({ warehouse_code: warehouseCode, published_to: forecastNo = '' }) => ({ warehouseCode, forecastNo }));
    return new Set((holds.length < MAX_HOLDS ? held : dispatches).map(forecastKey));
  }

  async #onHold({ at, ...dispatch }: AppliedDispatch): Promise<DispatchOnHold | undefined> {
    const [[hold], [release]] = await Promise.all([this.#latest(dispatch, 'hold', 1, at), this.#latest(dispatch, 'release', 1, at)]);
    return isHeldBy(hold, release) ? { ...dispatch, heldAt: hold.occurredAt } : undefined;
  }
}

/** Items by key, in their order. */
function groupBy<K, T>(items: readonly T[], keyOf: (item: T) => K): ReadonlyMap<K, readonly T[]> {
  const groups = new Map<K, T[]>();
  for (const item of items) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return groups;
}
