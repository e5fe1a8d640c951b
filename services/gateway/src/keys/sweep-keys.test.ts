import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { DEAD_KEYS_KEPT_MS, KeySweep } from './sweep-keys.ts';

function setUp(counts: Array<number | Error>) {
  const calls: number[] = [];
  const links: number[] = [];
  const keys = {
    async deleteDeadLinks(before: number): Promise<number> {
      links.push(before);
      return links.length === 1 ? 500 : 0;
    },
    async deleteDead(before: number): Promise<number> {
      calls.push(before);
      const count = counts.shift() ?? 0;
      if (count instanceof Error) throw count;
      return count;
    },
  };
  const now = DEAD_KEYS_KEPT_MS + 5000;
  return { calls, links, now, sweep: new KeySweep({ keys, clock: new ManualClock(now), logger: silentLogger }) };
}

test('deletes in batches what is dead for longer than it is kept', async () => {
  const { calls, links, now, sweep } = setUp([1000, 500, 7]);
  await sweep.sweep();
  expect(calls).toEqual([5000, 5000, 5000]);
  // Keys of links are kept for an hour.
  expect(links).toEqual([now - 3_600_000, now - 3_600_000]);
});

test('begins at once, and goes on after a failure', async () => {
  const { calls, sweep } = setUp([new Error('out')]);
  sweep.start();
  await until(async () => calls.length === 1, { what: 'a sweep' });
  await sweep.stop();
  await sweep.sweep();
  expect(calls).toHaveLength(2);
});
