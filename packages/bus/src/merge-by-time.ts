import type { LogRecord } from './driver.ts';

/** The oldest `limit` records of several ordered queues; within a queue the order stays as it is. */
export function mergeByTime(queues: readonly LogRecord[][], limit: number): LogRecord[] {
  const heads = queues.map(() => 0);
  const merged: LogRecord[] = [];
  while (merged.length < limit) {
    let oldest = -1;
    for (const [index, queue] of queues.entries()) {
      const head = queue[heads[index] as number];
      if (!head) continue;
      const best = oldest < 0 ? undefined : queues[oldest]?.[heads[oldest] as number];
      if (!best || head.timestamp < best.timestamp) oldest = index;
    }
    if (oldest < 0) return merged;
    merged.push(queues[oldest]?.[heads[oldest] as number] as LogRecord);
    heads[oldest] = (heads[oldest] as number) + 1;
  }
  return merged;
}
