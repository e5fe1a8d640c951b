import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { Index } from '@parcelway/store/collection';
import type { Store } from '@parcelway/store/store';
import type { ViewForecast, ViewItem } from './domain/forecast-copy.ts';
import { MOVED_STATUS } from './domain/seen-by-warehouse.ts';
import type { ViewPosition } from './domain/view-round.ts';
import { type Expected, expected, itemsIn, keyOf, type StoredExpected, shownIn } from './expected-collection.ts';
import type { ViewSequence } from './view-sequence.ts';

/** A forecast of a warehouse, with its place in the order of changes. */
export interface SeenForecast {
  readonly forecast: ViewForecast;
  /** Stamp of the last change: epoch microseconds, by which the changes of a warehouse are ordered. */
  readonly stamp: number;
}

export interface CompleteForecast extends SeenForecast {
  readonly items: readonly ViewItem[];
}

/** Which forecasts of a warehouse a page shows. */
export interface ViewQuery {
  readonly statuses: readonly ForecastStatus[];
  /** Also what corrections have moved to other warehouses, in whatever status it was. */
  readonly moved?: boolean;
  readonly tenantId?: string | undefined;
  /** Expected on one of these days, YYYY-MM-DD. */
  readonly dueDays?: readonly string[] | undefined;
  /** Changed after this stamp. */
  readonly above: number;
  /** Behind this place. */
  readonly behind?: ViewPosition | undefined;
  readonly limit: number;
}

/** The most stretches of an index that one page merges. */
const MAX_MERGED = 200;

const seenOf = (stored: StoredExpected): SeenForecast => ({ forecast: shownIn(stored) as ViewForecast, stamp: stored.value.stamp ?? 0 });
const completeOf = (stored: StoredExpected): CompleteForecast => ({ ...seenOf(stored), items: itemsIn(stored) });

/** The index that has the order of a page for each status, and each day. */
function listOf({ tenantId, dueDays }: ViewQuery): { readonly by: Index<Expected>; readonly eq: readonly (string | readonly string[])[] } {
  const { status, tenant_status, due, tenant_due } = expected.by;
  if (dueDays === undefined) return tenantId === undefined ? { by: status, eq: [] } : { by: tenant_status, eq: [tenantId] };
  return tenantId === undefined ? { by: due, eq: [dueDays] } : { by: tenant_due, eq: [tenantId, dueDays] };
}

/** The first change first. */
const byLatest = (a: SeenForecast, b: SeenForecast): number =>
  b.stamp - a.stamp || (a.forecast.forecastNo < b.forecast.forecastNo ? 1 : -1);

/**
 * What warehouses are shown of the forecasts that they expect. Every read shows those of the one warehouse and no others (domain/seen-by-warehouse.ts).
 * Every method throws AppError 50301 when the store is out.
 */
export class View {
  readonly #store: Store;
  readonly #sequence: ViewSequence;

  constructor(store: Store, sequence: ViewSequence) {
    this.#store = store;
    this.#sequence = sequence;
  }

  /** The forecasts of these numbers, in any order, as far as the warehouse has them. */
  async get(warehouseCode: string, forecastNos: readonly string[]): Promise<readonly SeenForecast[]> {
    return (await this.#named(warehouseCode, forecastNos, ['shown'])).map(seenOf);
  }

  /** A forecast with its items; undefined when the warehouse has none of this number. */
  async read(warehouseCode: string, forecastNo: string): Promise<CompleteForecast | undefined> {
    const [found] = await this.#named(warehouseCode, [forecastNo], ['shown', 'items']);
    return found && completeOf(found);
  }

  /** The first `limit` forecasts of a page, latest change first. */
  async list(warehouseCode: string, query: ViewQuery): Promise<readonly SeenForecast[]> {
    const { statuses, moved, above, behind, limit, dueDays } = query;
    const { by, eq } = listOf(query);
    const all: readonly number[] = moved ? [MOVED_STATUS, ...statuses] : statuses;
    const size = Math.floor(MAX_MERGED / Math.max(1, dueDays?.length ?? 1));
    const after = behind && { after: this.#store.placeIn(by, eq.length + 2, { value: { ...behind, place: '' } }) };
    const pages = [all.slice(0, size), all.slice(size)].filter(({ length }) => length > 0);
    const found = await Promise.all(
      pages.map((some) => this.#store.find(by, { eq: [warehouseCode, ...eq, some], from: above + 1, ...after, limit, with: ['shown'] })),
    );
    return found
      .flatMap(({ items }) => items.map(seenOf))
      .sort(byLatest)
      .slice(0, limit);
  }

  /** A stamp: every change that is recorded from now on has a later one. */
  settled(): Promise<number> {
    return this.#sequence.settled();
  }

  /** The first `limit` forecasts of each key (domain/scan-keys), expected and present ones first. */
  async find(warehouseCode: string, keys: readonly string[], limit: number): Promise<ReadonlyMap<string, readonly SeenForecast[]>> {
    const ask = async (phase: 0 | 1, key: string, most: number) =>
      most === 0
        ? []
        : (await this.#store.find(expected.by.keys, { eq: [warehouseCode, `${phase} ${key}`], limit: most, with: ['shown'] })).items;
    const found = [...new Set(keys)].map(async (key) => {
      const live = await ask(0, key, limit);
      return [key, [...live, ...(await ask(1, key, limit - live.length))].map(seenOf)] as const;
    });
    return new Map(await Promise.all(found));
  }

  /**
   * Deletes at most `limit` forecasts that left, were cancelled, moved to another warehouse, or were never accepted, before `before`.
   * @param before epoch milliseconds
   * @returns how many
   */
  purge(before: number, limit: number): Promise<number> {
    return this.#store.deleteRange(expected.by.closed, { eq: [], to: before, limit });
  }

  async #named(
    warehouseCode: string,
    forecastNos: readonly string[],
    heavy: readonly ('shown' | 'items')[],
  ): Promise<readonly StoredExpected[]> {
    const found = await this.#store.read(expected, forecastNos.map(keyOf), { with: heavy });
    return found.filter(({ value }) => value.shownAt === warehouseCode);
  }
}

export type ViewChanges = ReturnType<typeof createViewChanges>;

/** Changes that systems outside the platform are still to hear of. Every method throws AppError 50301 when the store is out. */
export function createViewChanges(store: Store) {
  return {
    /** How large the forecasts are in the store with their items, bytes; without those that are gone. */
    async sizes(forecastNos: readonly string[]): Promise<ReadonlyMap<string, number>> {
      const found = await store.read(expected, forecastNos.map(keyOf));
      return new Map(found.map(({ value }) => [value.forecastNo, value.bytes ?? 0]));
    },
    /** The forecasts as they are now, of whichever warehouse; without those that are gone. */
    async current(forecastNos: readonly string[]): Promise<readonly CompleteForecast[]> {
      const found = await store.read(expected, forecastNos.map(keyOf), { with: ['shown', 'items'] });
      return found.filter(({ value }) => value.shown !== undefined).map(completeOf);
    },
    /** Publishes changes again. @param entries one for each forecast */
    async repeat(entries: readonly EncodedMessage[]): Promise<void> {
      const keys = entries.map(({ key }) => keyOf(key));
      await store.change([{ in: expected, keys }], (known) => ({
        writes: entries.flatMap((entry) => {
          const stored = known.get(expected, keyOf(entry.key));
          return stored ? [{ in: expected, patch: stored, set: {}, messages: [entry] }] : [];
        }),
        result: undefined,
      }));
    },
  };
}
