import type { Index, Value } from '@parcelway/store/collection';
import type { Store, Stored } from '@parcelway/store/store';
import type { ScannedNumber } from '../expected/domain/directory.ts';
import { type IntakeEvent, storedEvent } from '../expected/domain/event.ts';
import { type EventDocument, events } from './report-collections.ts';

export type StoredEvent = Stored<EventDocument>;

/** Which events: those that wait for one of the forecasts, and those that wait under one of the numbers. */
export interface EventScope {
  readonly forecastNos: readonly string[];
  readonly scanned: readonly ScannedNumber[];
}

/** Events that one step matches again. */
const BATCH = 500;
/** Numbers that one read asks for. */
const NUMBERS_AT_ONCE = 2000;

/** A part of an index, and how far it was read. */
interface Stretch {
  readonly by: Index<EventDocument>;
  readonly eq: readonly Value[];
  readonly any: readonly string[];
  items: readonly StoredEvent[];
  next: string | null | undefined;
}

export const eventIn = ({ value }: StoredEvent): IntakeEvent => storedEvent(value.event);
export const keyOf = ({ warehouseCode, eventId }: Pick<EventDocument, 'warehouseCode' | 'eventId'>): readonly [string, string] => [
  warehouseCode,
  eventId,
];
export const isUnfinished = ({ value }: StoredEvent): boolean => value.unfinishedSince !== undefined;

/** What waits is released in the order in which it occurred; what occurred in one instant, as it came. */
const inOrder = ({ value: a }: StoredEvent, { value: b }: StoredEvent): number =>
  a.occurredAt - b.occurredAt || (a.id === b.id ? 0 : a.id < b.id ? -1 : 1);

/** The stretches in which a scope lies, each of many numbers. */
function stretchesOf({ forecastNos, scanned }: EventScope): readonly Stretch[] {
  const byWarehouse = new Map<string, Set<string>>();
  for (const { warehouseCode, number } of scanned)
    byWarehouse.set(warehouseCode, (byWarehouse.get(warehouseCode) ?? new Set()).add(number));
  const stretches: Stretch[] = [];
  const add = (by: Index<EventDocument>, eq: readonly Value[], all: readonly string[]): void => {
    for (let first = 0; first < all.length; first += NUMBERS_AT_ONCE)
      stretches.push({ by, eq, any: all.slice(first, first + NUMBERS_AT_ONCE), items: [], next: undefined });
  };
  add(events.by.named, [], [...new Set(forecastNos)]);
  for (const [warehouseCode, numbers] of byWarehouse) add(events.by.scanned, [warehouseCode], [...numbers]);
  return stretches;
}

async function readOn(store: Store, stretch: Stretch): Promise<void> {
  const { by, eq, any, next } = stretch;
  const [only] = any;
  const range = any.length === 1 ? { eq: [...eq, only as string] } : { eq, any };
  const page = await store.find(by, { ...range, limit: BATCH, ...(next && { after: next }) });
  stretch.items = [...stretch.items, ...page.items];
  stretch.next = page.next;
}

/**
 * What waits in a scope, in the order in which it occurred, some hundred events at a time. A crowd, more than one read returns, is read number by number.
 */
export async function* waitingIn(store: Store, scope: EventScope): AsyncGenerator<readonly StoredEvent[]> {
  let open = stretchesOf(scope);
  await Promise.all(open.map((stretch) => readOn(store, stretch)));
  if (open.some(({ next, any }) => next !== null && any.length > 1))
    open = open.flatMap(({ by, eq, any }) => any.map((one): Stretch => ({ by, eq, any: [one], items: [], next: undefined })));
  for (;;) {
    const empty = open.filter(({ items, next }) => items.length === 0 && next !== null);
    await Promise.all(empty.map((stretch) => readOn(store, stretch)));
    open = open.filter(({ items }) => items.length > 0);
    if (open.length === 0) return;
    // No further than the first stretch of which the rest is not known.
    const ends = open.flatMap(({ items, next }) => (next === null ? [] : [items.at(-1) as StoredEvent]));
    const end = ends.sort(inOrder)[0];
    const batch = open.flatMap(({ items }) => items).filter((one) => end === undefined || inOrder(one, end) <= 0);
    batch.sort(inOrder);
    const taken = new Set(batch.slice(0, BATCH));
    for (const stretch of open) stretch.items = stretch.items.filter((one) => !taken.has(one));
    yield [...taken];
  }
}
