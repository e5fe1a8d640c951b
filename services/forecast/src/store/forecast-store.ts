import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { lastTryAt, untilWritten } from '@parcelway/kernel/optimistic-write';
import { SerialQueue } from '@parcelway/kernel/serial-queue';
import type { Key } from '@parcelway/store/collection';
import { createNumbers } from '@parcelway/store/shared/numbers';
import type { FindOptions, Store, Stored } from '@parcelway/store/store';
import type { CanonicalForecast } from './domain/canonical.ts';
import type { ForecastRecord } from './domain/forecast.ts';
import type { ForecastWrite, KnownForecast, WholeForecast } from './domain/known-forecast.ts';
import type { Walk } from './domain/list-plan.ts';
import { type ForecastDocument, forecasts } from './forecast-collection.ts';
import { changeOf, documentOf, HOLDS, recordOf } from './forecast-documents.ts';
import type { InsertOutcome, ListedForecast, ListQuery, NewForecast, WantedForecast, WriteOutcome } from './ports.ts';

type StoredForecast = Stored<ForecastDocument>;
type Heavy = NonNullable<FindOptions<ForecastDocument>['with']>;

const RECORD: Heavy = ['progress'];
const WHOLE: Heavy = ['progress', 'content', 'corrections', 'receivedItems'];

/**
 * Forecasts with more claims are written one after the other. Before 7.0, MongoDB passes by every key that others are just adding, again for each key
 * that it adds itself: of 2000 claims each, two at once take thirty times as long as two in turn. With a hundred it makes no difference.
 */
const MANY_CLAIMS = 100;
/** About what can be written in turn before a caller that waits reaches its deadline. */
const MAX_WAITING = 200;

/** Forecasts that are looked at of those that were scanned under some numbers: for each number, and for all of them. */
const SCANNED = { ofEach: 20, ofAll: 2000 } as const;

const keyOf = ({ tenantId, forecastNo }: Pick<WantedForecast, 'tenantId' | 'forecastNo'>): Key => [tenantId, forecastNo];

function wholeOf({ value }: StoredForecast): WholeForecast {
  const { content, corrections = [], receivedItems } = value;
  if (content === undefined) throw new Error(`Forecast ${value.forecastNo} was read without its content`);
  return { record: recordOf(value), content, corrections, receivedItems };
}

/** The forecast that holds the po_number, else the newest of those that did. */
async function shownOf(store: Store, tenantId: string, poNumber: string, heavy: Heavy): Promise<StoredForecast | undefined> {
  return (await store.find(forecasts.by.po, { eq: [tenantId, poNumber], limit: 1, with: heavy })).items[0];
}

/** Those of the numbers that forecasts hold, in their order. @param isNotCounted asked of each of these forecasts */
async function heldNumbers(
  store: Store,
  tenantId: string,
  numbers: readonly string[],
  isNotCounted: (value: ForecastDocument) => boolean,
): Promise<readonly string[]> {
  if (numbers.length === 0) return [];
  const { items } = await store.find(forecasts.by.claims, { eq: [tenantId], any: numbers, limit: numbers.length, with: ['claims'] });
  const held = new Set(items.flatMap(({ value }) => (isNotCounted(value) ? [] : (value.claims ?? []))));
  return numbers.filter((number) => held.has(number));
}

export type ForecastLister = Pick<ReturnType<typeof createForecastLister>, 'list' | 'placeBehind'>;
export type ForecastCounter = Pick<ReturnType<typeof createForecastLister>, 'countOf' | 'lastChange'>;

/** Lists and counts forecasts. No part of a list costs more because of forecasts that it does not return. Each method throws AppError 50301. */
function createForecastLister(store: Store) {
  return {
    /** The first `limit` forecasts of a walk, in its order. */
    async list(tenantId: string, { walk, after, limit, with: heavy = [] }: ListQuery): Promise<readonly ListedForecast[]> {
      if (walk.by === 'forecast_no')
        return (await store.read(forecasts, [[tenantId, walk.forecastNo]], { with: heavy })).map(({ value }) => value);
      const { by, eq, from, to } = walk;
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(after !== undefined && { after }) };
      const { items } = await store.find(forecasts.by[by], { eq: [tenantId, ...eq], ...range, limit, with: heavy });
      return items.map(({ value }): ListedForecast => value);
    },

    /** The place behind a forecast of a walk. */
    placeBehind(walk: Walk, forecast: ListedForecast): string {
      // It is the only one.
      if (walk.by === 'forecast_no') return '';
      return store.placeIn(forecasts.by[walk.by], 1 + walk.eq.length, { value: forecast as ForecastDocument });
    },

    /** How many forecasts are in a status, at most `most`: the rest is not looked at. */
    countOf: async (tenantId: string, status: ForecastStatus, most: number): Promise<number> =>
      (await store.count(forecasts.by.status, { eq: [tenantId, status], most })).count,

    /** When a forecast of the tenant last changed, epoch milliseconds; undefined when there is none. */
    lastChange: async (tenantId: string): Promise<number | undefined> =>
      (await store.find(forecasts.by.changed, { eq: [tenantId], limit: 1 })).items[0]?.value.updatedAt,
  };
}

export type ForecastReader = ReturnType<typeof createForecastReader>;

/** Reads forecasts; each sees what was committed before. */
function createForecastReader(store: Store) {
  return {
    /** The forecast that holds the po_number; when all of them are cancelled, the newest. */
    async findByPoNumber(tenantId: string, poNumber: string): Promise<ForecastRecord | undefined> {
      const found = await shownOf(store, tenantId, poNumber, RECORD);
      return found && recordOf(found.value);
    },

    /** As `findByPoNumber`, of many at once. @param poNumbers each once @returns po_number → forecast, without those that no forecast has */
    async findByPoNumbers(tenantId: string, poNumbers: readonly string[]): Promise<ReadonlyMap<string, ForecastRecord>> {
      const limit = 2 * poNumbers.length;
      const { items } = await store.find(forecasts.by.po, { eq: [tenantId], any: poNumbers, limit, with: RECORD });
      const known = new Set(items.map(({ value }) => value.poNumber));
      // Those that were cancelled many times have left no room for others.
      const others = items.length < limit ? [] : poNumbers.filter((poNumber) => !known.has(poNumber));
      const further = await Promise.all(others.map((poNumber) => shownOf(store, tenantId, poNumber, RECORD)));
      const found = new Map<string, ForecastRecord>();
      // Of each po_number the first.
      for (const stored of [...items, ...further])
        if (stored && !found.has(stored.value.poNumber)) found.set(stored.value.poNumber, recordOf(stored.value));
      return found;
    },

    /** Those of the numbers that live type 2 forecasts hold, in their order. @param except forecast_no of one that does not count */
    findHeldNumbers: (tenantId: string, numbers: readonly string[], except: string | undefined) =>
      heldNumbers(store, tenantId, numbers, (value) => value.forecastNo === except),

    /** Those of the numbers under which a scan at a warehouse went to a forecast of another tenant that has changed since an instant. */
    async findScannedElsewhere(
      tenantId: string,
      warehouseCode: string,
      numbers: readonly string[],
      since: number,
    ): Promise<readonly string[]> {
      const limit = Math.min(SCANNED.ofAll, SCANNED.ofEach * numbers.length);
      const { items } = await store.find(forecasts.by.scanned, { eq: [warehouseCode], any: numbers, limit });
      const elsewhere = items.filter(({ value }) => value.tenantId !== tenantId && value.updatedAt >= since);
      const scanned = new Set(elsewhere.flatMap(({ value }) => value.scanned ?? []));
      return numbers.filter((number) => scanned.has(number));
    },

    /** As `findByPoNumber`, with its content. */
    async readByPoNumber(tenantId: string, poNumber: string): Promise<WholeForecast | undefined> {
      const found = await shownOf(store, tenantId, poNumber, WHOLE);
      return found && wholeOf(found);
    },

    /** As `readByPoNumber`, by the number that no other forecast ever has. */
    async readByForecastNo(tenantId: string, forecastNo: string): Promise<WholeForecast | undefined> {
      const found = await store.get(forecasts, [tenantId, forecastNo], { with: WHOLE });
      return found && wholeOf(found);
    },

    /** What a forecast is to contain at this moment. */
    readContent: async (tenantId: string, forecastNo: string): Promise<CanonicalForecast | undefined> =>
      (await store.get(forecasts, [tenantId, forecastNo], { with: ['content'] }))?.value.content,
  };
}

export type ForecastStore = ReturnType<typeof createForecastStore>;
export type ForecastInserter = Pick<ForecastStore, 'nextId' | 'insert'>;
export type ForecastChanges = Pick<ForecastStore, 'read' | 'apply'>;

/**
 * Stores forecasts. Each method throws AppError 50301 when the database is out. Indexes keep numbers unique, and a change is written with its messages onto
 * the version that it was decided on, so any number of processes may write side by side. Repeating a call whose response was lost is safe: a submission
 * finds the holder of its po_number, an event finds its id among the applied ones.
 * @param store with {@link forecasts}
 * @param check throws AppError 50301 when the database is out
 */
export function createForecastStore(store: Store, check: () => Promise<void>) {
  const reader = createForecastReader(store);
  const turns = new SerialQueue(MAX_WAITING);
  const inTurn = <T>(claims: number, write: () => Promise<T>): Promise<T> =>
    claims > MANY_CLAIMS ? turns.run(['many claims'], write) : write();

  const knownOf = async (stored: StoredForecast, withContent: boolean): Promise<KnownForecast> => {
    const { value, version } = stored;
    const isShown =
      value.turn === HOLDS || (await shownOf(store, value.tenantId, value.poNumber, []))?.value.forecastNo === value.forecastNo;
    return {
      record: recordOf(value),
      version,
      isShown,
      applied: new Set((value.applied ?? []).map(({ eventId }) => eventId)),
      ...(withContent && { whole: wholeOf(stored) }),
    };
  };

  return {
    ...reader,
    ...createForecastLister(store),
    check,
    /** The id of a forecast that is to be inserted: never given twice. */
    nextId: createNumbers(store, 'forecast_id'),

    /** Stores a forecast, its claims and its messages in one durable write. */
    insert(forecast: NewForecast, messages: readonly EncodedMessage[]): Promise<InsertOutcome> {
      const { tenantId, poNumber, claims } = forecast;
      const insert = documentOf(forecast);
      const end = lastTryAt();
      const attempt = async (): Promise<InsertOutcome | undefined> => {
        const [outcome] = await store.apply([{ in: forecasts, insert, messages }]);
        if (outcome?.kind === 'written') return { kind: 'inserted' };
        if (outcome?.kind === 'taken' && outcome.index === 'key') return { kind: 'forecast-no-taken' };
        // Both rules may be violated, and rivals change meanwhile. Whoever has the po_number at one of the two moments is no other one.
        const takenNumbers = await heldNumbers(store, tenantId, claims, (value) => value.poNumber === poNumber);
        const found = await shownOf(store, tenantId, poNumber, RECORD);
        const holder = found?.value.turn === HOLDS ? recordOf(found.value) : undefined;
        return holder === undefined && takenNumbers.length === 0 ? undefined : { kind: 'taken', holder, takenNumbers };
      };
      return inTurn(claims.length, () => untilWritten(attempt, end));
    },

    /** The forecasts as they are now, without those that do not exist, in any order. @param wanted each once */
    async read(wanted: readonly WantedForecast[]): Promise<readonly KnownForecast[]> {
      const marks: Heavy = wanted.some(({ withMarks }) => withMarks) ? ['applied'] : [];
      const read = async (withContent: boolean): Promise<readonly KnownForecast[]> => {
        const keys = wanted.filter((one) => (one.withContent === true) === withContent).map(keyOf);
        const found = await store.read(forecasts, keys, { with: [...(withContent ? WHOLE : RECORD), ...marks] });
        return Promise.all(found.map((stored) => knownOf(stored, withContent)));
      };
      return (await Promise.all([read(false), read(true)])).flat();
    },

    /**
     * Writes each decision onto the version that it was made on: state, content, marks, messages, and the release of the po_number and of claims in one
     * durable write of the forecast. Claims that a correction releases are free afterwards.
     * @param writes at most one of each forecast
     * @returns what became of them, in their order
     * @throws AppError 50301 when the store is out: then some may have been written
     */
    async apply(writes: readonly ForecastWrite<EncodedMessage>[]): Promise<readonly WriteOutcome[]> {
      const claims = writes.reduce((sum, { content }) => sum + (content?.claims?.length ?? 0), 0);
      const patches = writes.map((write) => {
        const { record, version } = write.known;
        return { in: forecasts, patch: { value: record as ForecastDocument, version }, set: changeOf(write), messages: write.messages };
      });
      const outcomes = await inTurn(claims, () => store.apply(patches));
      return Promise.all(
        outcomes.map(async ({ kind }, place): Promise<WriteOutcome> => {
          if (kind === 'written') return { kind };
          const { known, content } = writes[place] as (typeof writes)[number];
          const { tenantId, forecastNo } = known.record;
          const takenNumbers = kind === 'taken' ? await reader.findHeldNumbers(tenantId, content?.claims ?? [], forecastNo) : [];
          // The rival may be gone by now.
          return takenNumbers.length > 0 ? { kind: 'taken', takenNumbers } : { kind: 'lost' };
        }),
      );
    },
  };
}
