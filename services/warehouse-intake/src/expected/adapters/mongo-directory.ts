import type { Environment } from '@parcelway/contracts/environment';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { isDuplicateKey } from '@parcelway/mongo/mongo-errors';
import { type Model, mongo } from 'mongoose';
import { countChange } from '../domain/declared-numbers.ts';
import { type DirectoryChange, type DirectoryEntry, listedEntry, type ScannedNumber } from '../domain/directory.ts';
import { isDeclared, poKey } from '../domain/event.ts';
import type { BatchEvent, ListedForecast } from '../domain/match-batch.ts';
import { byWarehouse, scannedUnder, scopeOf } from './mongo-event-scope.ts';
import type { MongoNumberCounts } from './mongo-number-counts.ts';
import { type ForecastDocument, forecasts } from './mongo-schema.ts';

/** More documents than a call's events lead to, as a rule: then they come in one response instead of in steps of 101. */
const ONE_RESPONSE = 2000;

/** Forecast numbers and what facts make of their entries. */
export type DirectoryChanges = ReadonlyMap<string, DirectoryChange>;

/** An entry before a change and after it. */
export interface ChangedEntry {
  readonly before: DirectoryEntry | undefined;
  readonly after: DirectoryEntry | undefined;
}

type Write = mongo.AnyBulkWriteOperation;

/** A document, and the entry that it is. */
interface ReadEntry {
  readonly document: ForecastDocument;
  readonly entry: DirectoryEntry;
  /** See ListedForecast; known of those that were looked up. */
  readonly isSuspect?: boolean;
}

/** Entries as they were read, undefined where there is none: a change of one of them needs no read of its own. */
export type ReadEntries = ReadonlyMap<string, ReadEntry | undefined>;

/**
 * The forecasts that events are matched with, one document each. Reads and writes; domain/directory decides. A decision is written on condition that
 * the document is still as it was read, else it is decided again.
 */
export class MongoDirectory {
  readonly #db: MongoDatabase;
  readonly #model: Model<ForecastDocument>;

  readonly #counts: MongoNumberCounts;

  /** @param db migrated with intakeCollections */
  constructor(db: MongoDatabase, counts: MongoNumberCounts) {
    this.#db = db;
    this.#counts = counts;
    this.#model = db.model(forecasts);
  }

  /**
   * What a match of these events depends on, read at once: the forecasts that they name, were published for or resolved to, and
   * those that declare their numbers.
   */
  async lookUp(events: readonly BatchEvent[]): Promise<ReadEntries> {
    const { forecastNos, scanned } = scopeOf(events.filter(({ publishedTo }) => publishedTo === undefined).map(({ event }) => event));
    const numbers = [...forecastNos, ...events.flatMap(({ publishedTo, resolvedTo }) => publishedTo ?? resolvedTo ?? [])];
    const named = numbers.length === 0 ? [] : [{ _id: { $in: [...new Set(numbers)] } }];
    const orders = scanned.map((one) => ({ ...one, number: poKey(one.number) }));
    const conditions = [...named, ...scannedUnder('numbers', [...scanned, ...orders])];
    if (conditions.length === 0) return new Map();
    const found = await this.#find(conditions);
    return new Map([
      ...(await this.#withSuspects(found, new Set(orders.map(({ number }) => number)))),
      ...(await this.#standIns(events, found)),
    ]);
  }

  /** Entries by the numbers of their forecasts. */
  async read(forecastNos: readonly string[]): Promise<ReadEntries> {
    return this.#find([{ _id: { $in: [...forecastNos] } }]);
  }

  /** See SeenNumbers. */
  async seenUnder({ warehouseCode, number }: ScannedNumber, forecastNos: readonly string[]): Promise<ReadonlySet<string>> {
    if (forecastNos.length === 0) return new Set();
    // A forecast that moved to another warehouse keeps what was claimed, but not its numbers.
    const seen = {
      _id: { $in: [...forecastNos] },
      warehouse_code: { $eq: warehouseCode },
      numbers: { $eq: number },
      claimed: { $eq: number },
    };
    const found = await this.#db.run(() => this.#model.find(seen, { _id: 1 }).hint('_id_').lean<{ readonly _id: string }[]>());
    return new Set(found.map(({ _id }) => _id));
  }

  /**
   * Changes entries: one read and one write for all of them, unless others change them at the same time.
   * @param known entries as they were read before, or undefined for those that do not exist as a rule: then the first try reads nothing
   * @throws AppError 50301 when others were quicker each time
   */
  async change(changes: DirectoryChanges, known?: ReadEntries): Promise<ReadonlyMap<string, ChangedEntry>> {
    const changed = new Map<string, ChangedEntry>();
    if (changes.size === 0) return changed;
    let entries = knownFor(changes, known);
    await untilWritten(async () => {
      const read = entries ?? (await this.read([...changes.keys()]));
      entries = undefined;
      const writes: Write[] = [];
      for (const [forecastNo, decide] of changes) {
        const found = read.get(forecastNo);
        const before = found?.entry;
        const after = decide(before);
        // Written by a try before this one.
        if (after === before && changed.has(forecastNo)) continue;
        changed.set(forecastNo, { before, after });
        if (after !== undefined && after !== before) writes.push(writeOf(found?.document, after));
      }
      const { written, existing } = await this.#write(writes);
      for (const forecastNo of existing) changed.delete(forecastNo);
      if (written === writes.length) {
        await this.#counts.add([...changed.values()].flatMap(({ before, after }) => countChange(before, after) ?? []));
        return true;
      }
      // When some were written, it is not known which. When none was, it is.
      if (written === 0) changed.clear();
      return undefined;
    });
    return changed;
  }

  /** Deletes at most `limit` forecasts that were over before `before` (epoch milliseconds). */
  async purge(before: number, limit: number): Promise<void> {
    const closed = { closed_at: { $lt: before } };
    const old = await this.#db.run(() => this.#model.find(closed, { _id: 1 }).sort({ closed_at: 1 }).limit(limit).lean());
    if (old.length === 0) return;
    await this.#db.run(() => this.#model.deleteMany({ _id: { $in: old.map(({ _id }) => _id) }, ...closed }));
  }

  /**
   * Says which of the forecasts are of suspect tenants. No scan goes to one that has no declared number left to be seen, or is held up by it,
   * unless it has the number as its po_number.
   * @param orders the scanned numbers as poKeys
   */
  async #withSuspects(found: ReadEntries, orders: ReadonlySet<string>): Promise<ReadEntries> {
    const matters = (entry: DirectoryEntry): boolean => isOpen(entry) || entry.numbers.some((number) => orders.has(number));
    const tenants = new Set(
      [...found.values()].flatMap((read) => (read && matters(read.entry) ? (read.entry.forecast?.tenantId ?? []) : [])),
    );
    const suspects = await this.#counts.suspectsAmong([...tenants]);
    if (suspects.size === 0) return found;
    const marked = (read: ReadEntry): ReadEntry => ({ ...read, isSuspect: suspects.has(read.entry.forecast?.tenantId ?? '') });
    return new Map([...found].map(([forecastNo, read]) => [forecastNo, read && marked(read)]));
  }

  /** @returns how many documents were written: one that has changed since it was read is not; and those to be added that exist */
  async #write(writes: readonly Write[]): Promise<{ readonly written: number; readonly existing: readonly string[] }> {
    if (writes.length === 0) return { written: 0, existing: [] };
    try {
      const { matchedCount, insertedCount } = await this.#db.run(() => this.#model.collection.bulkWrite([...writes], { ordered: false }));
      return { written: matchedCount + insertedCount, existing: [] };
    } catch (error) {
      if (!(error instanceof mongo.MongoBulkWriteError) || !isDuplicateKey(error)) throw error;
      const existing = [error.writeErrors].flat().flatMap(({ index }) => insertedNo(writes[index]) ?? []);
      return { written: error.result.matchedCount + error.result.insertedCount, existing };
    }
  }

  async #find(conditions: readonly object[]): Promise<ReadEntries> {
    const found = await this.#db.run(() =>
      this.#model
        .find({ $or: [...conditions] })
        .batchSize(ONE_RESPONSE)
        .lean<ForecastDocument[]>(),
    );
    return new Map(found.map((document) => [document._id, { document, entry: entryOf(document) }]));
  }

  /** The forecasts that warehouses have claimed numbers for, of those events whose forecast number leads nowhere. */
  async #standIns(events: readonly BatchEvent[], found: ReadEntries): Promise<ReadEntries> {
    const pairs = events.flatMap(({ event: { warehouseCode, forecastNo }, publishedTo }) =>
      forecastNo === null || publishedTo !== undefined || found.get(forecastNo)?.entry.forecast?.warehouseCode === warehouseCode
        ? []
        : [[warehouseCode, forecastNo] as const],
    );
    return pairs.length === 0 ? new Map() : this.#find(byWarehouse('stands_in_for.number', pairs));
  }
}

/** What is known of all entries that are to be changed; undefined when some have to be read. */
function knownFor(changes: DirectoryChanges, known: ReadEntries | undefined): ReadEntries | undefined {
  return known !== undefined && [...changes.keys()].every((forecastNo) => known.has(forecastNo)) ? known : undefined;
}

/** Number of the forecast that a write adds. */
function insertedNo(write: Write | undefined): string | undefined {
  return write !== undefined && 'insertOne' in write ? String(write.insertOne.document._id) : undefined;
}

/** True while a number of the forecast waits for its first scan. */
const isOpen = ({ numbers, claimed }: DirectoryEntry): boolean => numbers.some((number) => isDeclared(number) && !claimed.includes(number));

/** The entries as a match needs them. */
export function listedIn(entries: ReadEntries): readonly ListedForecast[] {
  return [...entries.values()].flatMap((read) => {
    const listed = read && listedEntry(read.entry);
    return listed === undefined ? [] : [{ ...listed, isSuspect: read?.isSuspect === true }];
  });
}

function entryOf(document: ForecastDocument): DirectoryEntry {
  const { _id: forecastNo, tenant_id: tenantId, environment, warehouse_code: warehouseCode, forecast_type: forecastType } = document;
  const forecast =
    tenantId === undefined || warehouseCode === undefined || forecastType === undefined
      ? null
      : { forecastNo, tenantId, environment: environment as Environment, warehouseCode, forecastType };
  const left = (document.left ?? []).map(({ warehouse_code, number }) => ({ warehouseCode: warehouse_code, number }));
  const freed = warehouseCode === undefined ? [] : (document.freed ?? []).map((number) => ({ warehouseCode, number }));
  return {
    forecastNo,
    forecast,
    version: document.version ?? 1,
    numbers: document.numbers ?? [],
    claimed: document.claimed ?? [],
    assigned: document.assigned ?? [],
    aliases: document.stands_in_for ?? [],
    released: [...left, ...freed],
    cancelledAt: document.cancelled_at ?? null,
    finishedAt: document.finished_at ?? null,
  };
}

const listOrNone = <T>(list: readonly T[]): readonly T[] | undefined => (list.length === 0 ? undefined : list);

/** The fields of an entry; undefined where the document has none. */
function fieldsOf({ forecast, version, numbers, claimed, assigned, aliases, released, cancelledAt, finishedAt }: DirectoryEntry) {
  const isFreed = (warehouseCode: string): boolean => cancelledAt !== null && warehouseCode === forecast?.warehouseCode;
  const freed = released.filter(({ warehouseCode }) => isFreed(warehouseCode)).map(({ number }) => number);
  const left = released.filter(({ warehouseCode }) => !isFreed(warehouseCode));
  return {
    tenant_id: forecast?.tenantId,
    environment: forecast?.environment,
    warehouse_code: forecast?.warehouseCode,
    forecast_type: forecast?.forecastType,
    numbers: listOrNone(numbers),
    claimed: listOrNone(claimed),
    assigned: listOrNone(assigned),
    stands_in_for: listOrNone(aliases),
    freed: listOrNone(freed),
    left: listOrNone(left.map(({ warehouseCode: warehouse_code, number }) => ({ warehouse_code, number }))),
    version: version === 1 ? undefined : version,
    cancelled_at: cancelledAt ?? undefined,
    finished_at: finishedAt ?? undefined,
    closed_at: cancelledAt ?? finishedAt ?? undefined,
  } satisfies Omit<{ readonly [Field in keyof Required<ForecastDocument>]: ForecastDocument[Field] | undefined }, '_id'>;
}

/** Fields that decisions depend on: a write needs them unchanged. What nobody but a decision writes follows from these. */
const DECIDED_ON = [
  'tenant_id',
  'warehouse_code',
  'numbers',
  'claimed',
  'assigned',
  'stands_in_for',
  'version',
  'cancelled_at',
  'finished_at',
  'freed',
  'left',
] as const satisfies (keyof ForecastDocument)[];

/** Writes an entry if its document is as it was read. */
function writeOf(document: ForecastDocument | undefined, after: DirectoryEntry): Write {
  const fields = Object.entries(fieldsOf(after));
  const present = Object.fromEntries(fields.filter(([, value]) => value !== undefined));
  if (document === undefined) return { insertOne: { document: { _id: after.forecastNo, ...present } as object } };
  const absent = fields.filter(([field, value]) => value === undefined && field in document).map(([field]) => [field, '']);
  const unchanged = DECIDED_ON.map((field) => [field, document[field] ?? { $exists: false }]);
  return {
    updateOne: {
      filter: { _id: after.forecastNo, ...Object.fromEntries(unchanged) } as object,
      update: { $set: present, ...(absent.length > 0 && { $unset: Object.fromEntries(absent) }) },
    },
  };
}
