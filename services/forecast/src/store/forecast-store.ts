import { lastTryAt, untilWritten } from '@parcelway/kernel/optimistic-write';
import { SerialQueue } from '@parcelway/kernel/serial-queue';
import type { Key } from '@parcelway/store/collection';
import { createNumbers } from '@parcelway/store/shared/numbers';
import type { FindOptions, Store, Stored } from '@parcelway/store/store';
import type { ForecastRecord } from './domain/forecast.ts';
import { type KnownForecast, keyText, type WholeForecast } from './domain/known-forecast.ts';
import { behindPrefix, type Walk } from './domain/list-plan.ts';
import { type ForecastDocument, forecasts } from './forecast-collection.ts';
import { changeOf, documentOf, HOLDS, recordOf } from './forecast-documents.ts';
import type {
  ForecastCounter,
  ForecastLister,
  ForecastReader,
  ForecastStore,
  InsertOutcome,
  ListedForecast,
  WantedForecast,
} from './ports.ts';

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

/** The index of a walk, and its range. */
function rangeOf(tenantId: string, walk: Exclude<Walk, { by: 'forecast_no' }>) {
  const { by } = forecasts;
  switch (walk.by) {
    case 'po_number':
      return { index: by.po, eq: [tenantId, walk.poNumber] };
    case 'po_prefix':
      return { index: by.po, eq: [tenantId], from: walk.prefix, to: behindPrefix(walk.prefix) };
    case 'term':
      return { index: by.term, eq: [tenantId, walk.term], from: walk.from, to: walk.to };
    case 'status':
      return { index: by.status, eq: [tenantId, walk.status], from: walk.from, to: walk.to };
    case 'change':
      return { index: by.changed, eq: [tenantId], from: walk.from, to: walk.to };
    default:
      return { index: by.newest, eq: [tenantId], from: walk.from, to: walk.to };
  }
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

function createForecastLister(store: Store): ForecastLister & ForecastCounter {
  return {
    async list(tenantId, { walk, after, limit, with: heavy = [] }) {
      if (walk.by === 'forecast_no')
        return (await store.read(forecasts, [[tenantId, walk.forecastNo]], { with: heavy })).map(({ value }) => value);
      const { index, eq, from, to } = rangeOf(tenantId, walk);
      const range = { ...(from !== undefined && { from }), ...(to !== undefined && { to }), ...(after !== undefined && { after }) };
      return (await store.find(index, { eq, ...range, limit, with: heavy })).items.map(({ value }): ListedForecast => value);
    },

    placeBehind(walk, forecast) {
      // It is the only one.
      if (walk.by === 'forecast_no') return '';
      const { index, eq } = rangeOf(forecast.tenantId, walk);
      return store.placeIn(index, eq.length, { value: forecast as ForecastDocument });
    },

    countOf: async (tenantId, status, most) => (await store.count(forecasts.by.status, { eq: [tenantId, status], most })).count,

    lastChange: async (tenantId) => (await store.find(forecasts.by.changed, { eq: [tenantId], limit: 1 })).items[0]?.value.updatedAt,
  };
}

function createForecastReader(store: Store): ForecastReader {
  return {
    async findByPoNumber(tenantId, poNumber) {
      const found = await shownOf(store, tenantId, poNumber, RECORD);
      return found && recordOf(found.value);
    },

    async findByPoNumbers(tenantId, poNumbers) {
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

    findHeldNumbers: (tenantId, numbers, except) => heldNumbers(store, tenantId, numbers, (value) => value.forecastNo === except),

    async findScannedElsewhere(tenantId, warehouseCode, numbers, since) {
      const limit = Math.min(SCANNED.ofAll, SCANNED.ofEach * numbers.length);
      const { items } = await store.find(forecasts.by.scanned, { eq: [warehouseCode], any: numbers, limit });
      const elsewhere = items.filter(({ value }) => value.tenantId !== tenantId && value.updatedAt >= since);
      const scanned = new Set(elsewhere.flatMap(({ value }) => value.scanned ?? []));
      return numbers.filter((number) => scanned.has(number));
    },

    async readByPoNumber(tenantId, poNumber) {
      const found = await shownOf(store, tenantId, poNumber, WHOLE);
      return found && wholeOf(found);
    },

    async readByForecastNo(tenantId, forecastNo) {
      const found = await store.get(forecasts, [tenantId, forecastNo], { with: WHOLE });
      return found && wholeOf(found);
    },

    readContent: async (tenantId, forecastNo) => (await store.get(forecasts, [tenantId, forecastNo], { with: ['content'] }))?.value.content,
  };
}

/**
 * The forecasts of a service. Uniqueness rests on indexes, and a change is written only onto the version that it was decided on, with its messages; so any
 * number of processes may write side by side. A response that was lost is found again: a submission meets the holder of its po_number, an event its id among
 * the applied ones.
 * @param store with {@link forecasts} @param check throws AppError 50301 when the database is out
 */
export function createForecastStore(store: Store, check: () => Promise<void>): ForecastStore {
  const reader = createForecastReader(store);
  const turns = new SerialQueue(MAX_WAITING);
  const inTurn = <T>(claims: number, write: () => Promise<T>): Promise<T> =>
    claims > MANY_CLAIMS ? turns.run(['many claims'], write) : write();

  const knownOf = async (stored: StoredForecast, { key, eventIds, withContent }: WantedForecast): Promise<KnownForecast> => {
    const { value, version } = stored;
    const applied = new Set((value.applied ?? []).map(({ eventId }) => eventId));
    const isShown =
      value.turn === HOLDS || (await shownOf(store, value.tenantId, value.poNumber, []))?.value.forecastNo === value.forecastNo;
    return {
      key,
      record: recordOf(value),
      version,
      isShown,
      applied: new Set(eventIds.filter((eventId) => applied.has(eventId))),
      ...(withContent && { whole: wholeOf(stored) }),
    };
  };

  return {
    ...reader,
    ...createForecastLister(store),
    check,
    nextId: createNumbers(store, 'forecast_id'),

    insert(forecast, messages) {
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

    async read(wanted) {
      const read = async (some: readonly WantedForecast[], heavy: Heavy): Promise<readonly KnownForecast[]> => {
        const byKey = new Map(some.map((one) => [keyText(one), one]));
        const found = await store.read(forecasts, some.map(keyOf), { with: heavy });
        return Promise.all(found.map((stored) => knownOf(stored, byKey.get(keyText(stored.value)) as WantedForecast)));
      };
      const marks: Heavy = wanted.some(({ eventIds }) => eventIds.length > 0) ? ['applied'] : [];
      const [plain, whole] = [wanted.filter(({ withContent }) => !withContent), wanted.filter(({ withContent }) => withContent)];
      return (await Promise.all([read(plain, [...RECORD, ...marks]), read(whole, [...WHOLE, ...marks])])).flat();
    },

    async apply(writes) {
      const claims = writes.reduce((sum, { content }) => sum + (content?.claims?.length ?? 0), 0);
      const patches = writes.map((write) => {
        const { record, version } = write.known;
        return { in: forecasts, patch: { value: record as ForecastDocument, version }, set: changeOf(write), messages: write.messages };
      });
      const outcomes = await inTurn(claims, () => store.apply(patches));
      return Promise.all(
        outcomes.map(async ({ kind }, place) => {
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
