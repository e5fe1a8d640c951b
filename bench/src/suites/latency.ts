import { until } from '@parcelway/kernel/testing/until';
import { steadily } from '../closed-loop.ts';
import { type Row, rowOf } from '../report/row.ts';
import { percentile } from '../statistics.ts';

const PERCENTILES = [50, 95, 99] as const;
const ARRIVE_WITHIN_MS = 30_000;

/** What one cycle measured, milliseconds. */
export interface LatencyCycle {
  readonly ours: readonly number[];
  readonly reference: readonly number[];
}

/**
 * Begins something at a steady rate and measures how long it takes to arrive somewhere else.
 * @param keys one for each, by which it is known when it arrives
 * @returns milliseconds from the moment before `send` to its arrival
 */
export async function arrivalTimes(
  perSecond: number,
  keys: readonly string[],
  arrivedAt: ReadonlyMap<string, number>,
  send: (index: number) => Promise<void>,
): Promise<number[]> {
  const sentAt: number[] = [];
  await steadily(perSecond, keys.length, async (index) => {
    sentAt[index] = performance.now();
    await send(index);
  });
  await until(() => keys.every((key) => arrivedAt.has(key)), { within: ARRIVE_WITHIN_MS, what: 'all webhooks' });
  return keys.map((key, index) => (arrivedAt.get(key) as number) - (sentAt[index] as number));
}

/** Milliseconds from the beginning of each `send` to its end, at a steady rate. */
export async function responseTimes(perSecond: number, count: number, send: (index: number) => Promise<void>): Promise<number[]> {
  const times: number[] = [];
  await steadily(perSecond, count, async (index) => {
    const sent = performance.now();
    await send(index);
    times.push(performance.now() - sent);
  });
  return times;
}

/** A row for each percentile. `name`: without the percentile, which is put behind it. */
export function latencyRows(about: Pick<Row, 'suite' | 'name' | 'reference'>, cycles: readonly LatencyCycle[]): Row[] {
  return PERCENTILES.map((percent) => {
    const samples = cycles.map(({ ours, reference }) => ({ ours: percentile(ours, percent), reference: percentile(reference, percent) }));
    return rowOf({ ...about, name: `${about.name}, p${percent}`, unit: 'ms', better: 'lower' }, samples);
  });
}
