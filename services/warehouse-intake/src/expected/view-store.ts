import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import type { Clock } from '@parcelway/kernel/clock';
import { untilWritten } from '@parcelway/kernel/optimistic-write';
import type { Index } from '@parcelway/store/collection';
import type { Store, Stored, Write } from '@parcelway/store/store';
import { noteEntry } from './domain/change-message.ts';
import type { DecideView, ViewChange } from './domain/decide-view.ts';
import { isFoundOtherwise, isKept, isLive, type ViewForecast, type ViewItem } from './domain/forecast-copy.ts';
import { itemKeys, parcelKeys } from './domain/scan-keys.ts';
import { MOVED_STATUS, movedAway } from './domain/seen-by-warehouse.ts';
import type { ViewPosition } from './domain/view-round.ts';
import { type Expected, expected } from './expected-collection.ts';
import type { ExpectedKey, ViewSequence } from './view-sequence.ts';

/** Fields of an insert, and its messages. */
export interface Shown {
  readonly set: Readonly<Record<string, unknown>>;
  readonly messages: readonly EncodedMessage[];
}

/** What warehouses are shown of new forecasts, written together with what reports are matched with: one insert a forecast. */
export interface FirstShown {
  /** Forecasts that were inserted so. */
  readonly written: ReadonlySet<string>;
  /**
   * Runs the write that inserts these forecasts.
   * @param write given what to insert beside what it has; returns the numbers of those that it inserted
   */
  insert(forecastNos: readonly string[], write: (shown: ReadonlyMap<string, Shown>) => Promise<readonly string[]>): Promise<void>;
}

/** A forecast of a warehouse, with its place in the order of changes. */
export interface SeenForecast {
  readonly forecast: ViewForecast;
  /** Stamp of the last change: epoch microseconds, by which the changes of a warehouse are ordered. */
  readonly stamp: number;
}

/** A forecast with its items. */
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

type StoredForecast = Stored<Expected>;
/** Fields to set; those that are undefined are taken away. */
type Fields = { readonly [Field in keyof Expected]?: Expected[Field] | undefined };

/** A change of the forecast as it is stored. */
interface StoredChange {
  readonly change: ViewChange;
  readonly stored: StoredForecast | undefined;
  readonly before: ViewForecast | undefined;
  /** What its former warehouse is shown, when it moves. */
  readonly away: ViewForecast | undefined;
}

/** The most stretches of an index that one page merges. */
const MAX_MERGED = 200;

const keyOf = (forecastNo: string): ExpectedKey => [forecastNo, ''];
const shownIn = ({ value }: StoredForecast): ViewForecast | undefined => value.shown as ViewForecast | undefined;
const itemsIn = ({ value }: StoredForecast): readonly ViewItem[] => (value.items?.['items'] ?? []) as readonly ViewItem[];
const seenOf = (stored: StoredForecast): SeenForecast => ({ forecast: shownIn(stored) as ViewForecast, stamp: stored.value.stamp ?? 0 });
const completeOf = (stored: StoredForecast): CompleteForecast => ({ ...seenOf(stored), items: itemsIn(stored) });

/** What a view is opened with. */
export interface ViewOptions {
  readonly clock: Clock;
  readonly sequence: ViewSequence;
  /** Writes down what systems outside are to hear of changes. */
  readonly keepsChanges: boolean;
}

/** The index that has the order of a page for each status, and each day. */
function listOf({ tenantId, dueDays }: ViewQuery): { readonly by: Index<Expected>; readonly eq: readonly (string | readonly string[])[] } {
  const { status, tenant_status, due, tenant_due } = expected.by;
  if (dueDays === undefined) return tenantId === undefined ? { by: status, eq: [] } : { by: tenant_status, eq: [tenantId] };
  return tenantId === undefined ? { by: due, eq: [dueDays] } : { by: tenant_due, eq: [tenantId, dueDays] };
}

/** The first change first. */
const byLatest = (a: SeenForecast, b: SeenForecast): number =>
  b.stamp - a.stamp || (a.forecast.forecastNo < b.forecast.forecastNo ? 1 : -1);

const isShown = ({ forecast }: ViewChange): boolean => forecast.warehouseCode !== null && isLive(forecast.status);

const writeOf = (stored: StoredForecast | undefined, key: ExpectedKey, set: Fields, messages: Write['messages'] = []): Write =>
  (stored
    ? { in: expected, patch: stored, set, messages }
    : { in: expected, insert: { forecastNo: key[0], place: key[1], ...set }, messages }) as Write;

/**
 * What warehouses are shown of the forecasts that they expect. Every read shows those of the one warehouse and no others (domain/seen-by-warehouse.ts).
 * Every method throws AppError 50301 when the store is out.
 */
export class View {
  readonly #store: Store;
  readonly #options: ViewOptions;

  constructor(store: Store, options: ViewOptions) {
    this.#store = store;
    this.#options = options;
  }

  /**
   * Changes forecasts: one read, one decision and one write for all of them, and again when another writer comes in between. Changes of
   * one forecast at the same time come one after the other. Once it has resolved, a poll shows the changes, also those that were written before and
   * whose caller did not live to hear of it. The notes of a change are written with it, if the view keeps them. When a
   * forecast goes to another warehouse, polls of the former one show that ({@link ViewQuery.moved}) until it comes back.
   * @param forecastNos each once
   * @throws AppError 50301 also when others were quicker each time. A part may be written then
   */
  async change(forecastNos: readonly string[], decide: DecideView): Promise<void> {
    if (forecastNos.length === 0) return;
    await untilWritten(async () => {
      const found = await this.#store.read(expected, forecastNos.map(keyOf), { with: ['shown'] });
      const shown = found.filter(({ value }) => value.shown !== undefined);
      const changes = decide(new Map(shown.map((stored) => [stored.value.forecastNo, shownIn(stored) as ViewForecast])));
      const changed = new Set(changes.map(({ forecast }) => forecast.forecastNo));
      await this.#options.sequence.renew(shown.flatMap(({ value }) => (changed.has(value.forecastNo) ? [] : [value])));
      const byNo = new Map(found.map((stored) => [stored.value.forecastNo, stored]));
      const all = changes.map((change): StoredChange => {
        const stored = byNo.get(change.forecast.forecastNo);
        const before = stored && shownIn(stored);
        return { change, stored, before, away: movedAway(before, change.forecast) };
      });
      return changes.length === 0 || (await this.#write(all)) || undefined;
    });
  }

  /** Prepares inserts. @param changes of forecasts that are not known, with their items */
  async first(changes: readonly ViewChange[]): Promise<FirstShown> {
    const keys = await this.#keysOf(changes);
    const byNo = new Map(changes.map((change) => [change.forecast.forecastNo, change]));
    const written = new Set<string>();
    return {
      written,
      insert: async (forecastNos, write) => {
        const own = forecastNos.flatMap((forecastNo) => byNo.get(forecastNo) ?? []);
        if (own.length === 0) return void (await write(new Map()));
        await this.#options.sequence.stamped(own.length, async (first) => {
          const shownOf = (change: ViewChange, place: number) =>
            this.#shownOf({ change, stored: undefined }, keys.get(change.forecast.forecastNo), first + place);
          const done = await write(new Map(own.map((change, place) => [change.forecast.forecastNo, shownOf(change, place)])));
          const shown = done.filter((forecastNo) => own.includes(byNo.get(forecastNo) as ViewChange));
          for (const forecastNo of shown) written.add(forecastNo);
          return shown.map(keyOf);
        });
      },
    };
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
    return this.#options.sequence.settled();
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
  ): Promise<readonly StoredForecast[]> {
    const found = await this.#store.read(expected, forecastNos.map(keyOf), { with: heavy });
    return found.filter(({ value }) => value.shownAt === warehouseCode);
  }

  /** @returns false when another was quicker: some of the changes may be written */
  async #write(changes: readonly StoredChange[]): Promise<boolean> {
    const refound = changes.filter(({ change, before }) => change.items !== undefined || isFoundOtherwise(before, change.forecast));
    const keys = await this.#keysOf(refound.map(({ change }) => change));
    const moves = await this.#movesOf(changes);
    let isWritten = true;
    await this.#options.sequence.stamped(changes.length, async (first) => {
      const groups = changes.map((one, place) => {
        const key = keyOf(one.change.forecast.forecastNo);
        const { set, messages } = this.#shownOf(one, keys.get(key[0]), first + place);
        return [...this.#moveWrites(one, first + place, moves), writeOf(one.stored, key, set, messages)];
      });
      const together = groups.filter(({ length }) => length > 1);
      const outcomes = await Promise.all([
        this.#store.apply(groups.filter(({ length }) => length === 1).flat(), { flushLater: true }),
        ...together.map((group) => this.#store.apply(group, { together: true, flushLater: true })),
      ]);
      isWritten = outcomes.flat().every(({ kind }) => kind === 'written');
      return changes.flatMap(({ change: { forecast }, away }): readonly ExpectedKey[] => [
        keyOf(forecast.forecastNo),
        ...(away ? [[forecast.forecastNo, String(away.warehouseCode)] as const] : []),
      ]);
    });
    return isWritten;
  }

  /** What a write of the forecast itself sets. @param keys what scans find it by; undefined when that stays */
  #shownOf({ change, stored }: Pick<StoredChange, 'change' | 'stored'>, keys: readonly string[] | undefined, stamp: number): Shown {
    const { forecast, items, notes = [] } = change;
    const { forecastNo, warehouseCode, tenantId, status, content } = forecast;
    const closedAt = stored?.value.stamp === undefined ? undefined : stored.value.closedAt;
    const { keepsChanges, clock } = this.#options;
    const set: Fields = {
      tenantId,
      shownAt: warehouseCode ?? undefined,
      status,
      dueDate: content?.dueDate ?? undefined,
      stamp,
      closedAt: isKept(forecast) ? undefined : (closedAt ?? clock.now()),
      shown: { ...forecast },
      ...(items && { items: { items }, bytes: Buffer.byteLength(JSON.stringify([forecast, items])) }),
      ...(keys && { keys: keys.length === 0 ? undefined : [...keys] }),
    };
    return { set, messages: keepsChanges ? notes.map((note) => noteEntry(forecastNo, note)) : [] };
  }

  /** Leaves word at the former warehouse. The one where the forecast is now has no such word of it, or no longer. */
  #moveWrites({ change: { forecast }, away }: StoredChange, stamp: number, moves: ReadonlyMap<string, StoredForecast>): readonly Write[] {
    if (away === undefined) return [];
    const { forecastNo, warehouseCode } = forecast;
    const left = String(away.warehouseCode);
    const set: Fields = {
      tenantId: away.tenantId,
      shownAt: left,
      status: MOVED_STATUS,
      dueDate: away.content?.dueDate ?? undefined,
      stamp,
      closedAt: this.#options.clock.now(),
      shown: { ...away },
    };
    const here = moves.get(`${forecastNo} ${warehouseCode}`);
    return [
      writeOf(moves.get(`${forecastNo} ${left}`), [forecastNo, left], set),
      ...(here ? [{ in: expected, delete: here } as Write] : []),
    ];
  }

  /** The words that were left of forecasts that move, by number and warehouse. */
  async #movesOf(changes: readonly StoredChange[]): Promise<ReadonlyMap<string, StoredForecast>> {
    const keys = changes.flatMap(({ change: { forecast }, away }): readonly ExpectedKey[] =>
      away ? [away, forecast].map(({ warehouseCode }) => [forecast.forecastNo, String(warehouseCode)]) : [],
    );
    const found = await this.#store.read(expected, keys);
    return new Map(found.map((stored) => [`${stored.value.forecastNo} ${stored.value.place}`, stored]));
  }

  /** What scans find forecasts by, with one read of the items that the changes do not bring. */
  async #keysOf(changes: readonly ViewChange[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const unread = changes.filter((change) => isShown(change) && change.items === undefined);
    const read = await this.#store.read(
      expected,
      unread.map(({ forecast }) => keyOf(forecast.forecastNo)),
      { with: ['items'] },
    );
    const items = new Map(read.map((stored) => [stored.value.forecastNo, itemsIn(stored)]));
    return new Map(
      changes.map((change) => {
        const { forecast, items: given = items.get(forecast.forecastNo) ?? [] } = change;
        const keys = isShown(change) ? [...parcelKeys(forecast), ...itemKeys(given)] : parcelKeys(forecast);
        return [forecast.forecastNo, forecast.warehouseCode === null ? [] : keys.map((key) => `${isShown(change) ? 0 : 1} ${key}`)];
      }),
    );
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
