import { setTimeout as pause } from 'node:timers/promises';
import type { ForecastLister } from '../store/forecast-store.ts';
import type { ListedForecast } from '../store/ports.ts';
import { isWanted, type PlannedList } from './list-forecasts.ts';

/** Forecasts that are read at once: some milliseconds of work. */
const AT_ONCE = 200;
const MAX_PAUSE_MS = 100;

/** Leaves other work as much time as a batch took. */
const leaveTime = (tookMs: number): Promise<void> => pause(Math.min(MAX_PAUSE_MS, tookMs));

/**
 * All forecasts of a list with their progress, batch by batch, in its order. Each batch is read when the one before has been taken, so memory is bounded; what changes
 * meanwhile is as it is when its batch is read.
 * The first batch may be empty: it comes after one read of the store.
 * @param signal ends it: between two batches, also while none of them has a forecast that is wanted
 * @param pace called after each batch with the milliseconds that it took
 * @throws AppError 50301 when the store is out; the reason of the signal
 */
export async function* exportForecasts(
  store: ForecastLister,
  tenantId: string,
  list: PlannedList,
  signal: AbortSignal,
  pace: (tookMs: number) => Promise<void> = leaveTime,
): AsyncGenerator<readonly ListedForecast[], void, undefined> {
  const { walk } = list.plan;
  let after: string | undefined;
  for (;;) {
    signal.throwIfAborted();
    const beganAt = performance.now();
    const read = await store.list(tenantId, { walk, after, limit: AT_ONCE, with: ['progress', ...list.with] });
    const wanted = read.filter((forecast) => isWanted(list, forecast));
    const tookMs = performance.now() - beganAt;
    // The first batch also without any: whoever waits for it hears that the store responds.
    if (wanted.length > 0 || after === undefined) yield wanted;
    const last = read.at(-1);
    if (last === undefined || read.length < AT_ONCE) return;
    after = store.placeBehind(walk, last);
    await pace(tookMs);
  }
}
