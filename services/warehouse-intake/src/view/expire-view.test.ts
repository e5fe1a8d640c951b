import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { expireView, VIEW_PURGE_BATCH } from './expire-view.ts';

test('expireView deletes batch by batch, what is past its time, and ends early when it is stopped', async () => {
  const asked: [number, number][] = [];
  const responses = [VIEW_PURGE_BATCH, VIEW_PURGE_BATCH, 3];
  const purge = async (before: number, limit: number): Promise<number> => {
    asked.push([before, limit]);
    return responses[asked.length - 1] ?? 0;
  };
  const options = { retention: { purge }, clock: new ManualClock(10_000), keepMs: 4000 };
  expect(await expireView(options)).toBe(2 * VIEW_PURGE_BATCH + 3);
  expect(asked).toEqual(Array.from({ length: 3 }, () => [6000, VIEW_PURGE_BATCH]));
  asked.length = 0;
  expect(await expireView({ ...options, stopping: () => true })).toBe(VIEW_PURGE_BATCH);
});
