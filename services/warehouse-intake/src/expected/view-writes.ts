import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import type { Clock } from '@parcelway/kernel/clock';
import type { Store, Write } from '@parcelway/store/store';
import { noteEntry, type ViewChange } from './domain/decide-view.ts';
import { isFoundOtherwise, isKept, isLive, type ViewForecast } from './domain/forecast-copy.ts';
import { itemKeys, parcelKeys } from './domain/scan-keys.ts';
import { MOVED_STATUS, movedAway } from './domain/seen-by-warehouse.ts';
import { type Expected, type ExpectedKey, expected, itemsIn, keyOf, type StoredExpected } from './expected-collection.ts';

/** Fields to set; those that are undefined are taken away. */
export type Fields = { readonly [Field in keyof Expected]?: Expected[Field] | undefined };

/** A change of what warehouses are shown of a forecast, as it is stored. */
export interface ShownChange {
  readonly change: ViewChange;
  readonly stored: StoredExpected | undefined;
  /** What they are shown so far. */
  readonly seen: ViewForecast | undefined;
}

export interface ShownWrite {
  /** Of the forecast itself. */
  readonly set: Fields;
  readonly messages: readonly EncodedMessage[];
  /** What its former warehouse is shown, when it moves. They go together. */
  readonly beside: readonly Write[];
  readonly keys: readonly ExpectedKey[];
}

export interface ViewWriteOptions {
  readonly clock: Clock;
  /** Writes down what systems outside are to hear of changes. */
  readonly keepsChanges: boolean;
}

const isShown = ({ forecast }: ViewChange): boolean => forecast.warehouseCode !== null && isLive(forecast.status);

/** The write of a document. @param set what a new one has beside its key */
export const writeOf = (
  stored: StoredExpected | undefined,
  [forecastNo, place]: ExpectedKey,
  set: Fields,
  messages: readonly EncodedMessage[] = [],
): Write =>
  (stored ? { in: expected, patch: stored, set, messages } : { in: expected, insert: { forecastNo, place, ...set }, messages }) as Write;

/** Makes the writes of changes of what warehouses are shown. @returns for each change its writes, given its place in the order of changes */
export async function viewWrites(
  store: Store,
  { clock, keepsChanges }: ViewWriteOptions,
  changes: readonly ShownChange[],
): Promise<readonly ((stamp: number) => ShownWrite)[]> {
  const refound = changes.filter(({ change, seen }) => change.items !== undefined || isFoundOtherwise(seen, change.forecast));
  const found = await keysOf(
    store,
    refound.map(({ change }) => change),
  );
  const moves = await movesOf(store, changes);
  return changes.map((one) => {
    const { forecast, items, notes = [] } = one.change;
    const { forecastNo, warehouseCode, tenantId, status, content } = forecast;
    const away = movedAway(one.seen, forecast);
    const closedAt = one.stored?.value.stamp === undefined ? undefined : one.stored.value.closedAt;
    const keys = found.get(forecastNo);
    return (stamp) => ({
      set: {
        tenantId,
        shownAt: warehouseCode ?? undefined,
        status,
        dueDate: content?.dueDate ?? undefined,
        stamp,
        closedAt: isKept(forecast) ? undefined : (closedAt ?? clock.now()),
        shown: { ...forecast },
        ...(items && { items: { items }, bytes: Buffer.byteLength(JSON.stringify([forecast, items])) }),
        ...(keys && { keys: keys.length === 0 ? undefined : [...keys] }),
      },
      messages: keepsChanges ? notes.map((note) => noteEntry(forecastNo, note)) : [],
      beside: away ? moveWrites(away, warehouseCode, { stamp, closedAt: clock.now() }, moves) : [],
      keys: [keyOf(forecastNo), ...(away ? [[forecastNo, String(away.warehouseCode)] as const] : [])],
    });
  });
}

/** Leaves word at the former warehouse. The one where the forecast is now has no such word of it, or no longer. */
function moveWrites(
  away: ViewForecast,
  warehouseCode: string | null,
  at: Pick<Fields, 'stamp' | 'closedAt'>,
  moves: ReadonlyMap<string, StoredExpected>,
): readonly Write[] {
  const { forecastNo, tenantId } = away;
  const left = String(away.warehouseCode);
  const set: Fields = {
    tenantId,
    shownAt: left,
    status: MOVED_STATUS,
    dueDate: away.content?.dueDate ?? undefined,
    ...at,
    shown: { ...away },
  };
  const here = moves.get(`${forecastNo} ${warehouseCode}`);
  return [writeOf(moves.get(`${forecastNo} ${left}`), [forecastNo, left], set), ...(here ? [{ in: expected, delete: here } as Write] : [])];
}

/** The words that were left of forecasts that move, by number and warehouse. */
async function movesOf(store: Store, changes: readonly ShownChange[]): Promise<ReadonlyMap<string, StoredExpected>> {
  const keys = changes.flatMap(({ seen, change: { forecast } }): readonly ExpectedKey[] => {
    const away = movedAway(seen, forecast);
    return away ? [away, forecast].map(({ warehouseCode }) => [forecast.forecastNo, String(warehouseCode)]) : [];
  });
  const found = await store.read(expected, keys);
  return new Map(found.map((stored) => [`${stored.value.forecastNo} ${stored.value.place}`, stored]));
}

/** What scans find forecasts by, with one read of the items that the changes do not bring. */
async function keysOf(store: Store, changes: readonly ViewChange[]): Promise<ReadonlyMap<string, readonly string[]>> {
  const unread = changes.filter((change) => isShown(change) && change.items === undefined);
  const read = await store.read(
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
