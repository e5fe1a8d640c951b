import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { silentLogger } from '@parcelway/kernel/logger';
import { ActivitySweep } from './activity-sweep.ts';

const NOW = Date.UTC(2026, 10, 28);

function swept(counts: number[]) {
  const asked: number[] = [];
  return {
    asked,
    async deleteBefore(at: number) {
      asked.push(at);
      const count = counts.shift();
      if (count === undefined) throw new Error('out');
      return count;
    },
  };
}

test('deletes failed calls after 7 days and the audit log after a year, all that is due', async () => {
  const [failedCalls, audit] = [swept([1000, 3]), swept([0])];
  const sweep = new ActivitySweep({ audit, failedCalls, clock: new ManualClock(NOW), logger: silentLogger });
  sweep.start();
  await sweep.stop();
  expect(failedCalls.asked).toEqual([Date.UTC(2026, 10, 21), Date.UTC(2026, 10, 21)]);
  expect(audit.asked).toEqual([Date.UTC(2025, 10, 27)]);
});

test('leaves what a store that is out has to the next sweep', async () => {
  const [failedCalls, audit] = [swept([]), swept([0, 0])];
  const sweep = new ActivitySweep({ audit, failedCalls, clock: new ManualClock(NOW), logger: silentLogger });
  await sweep.sweep();
  expect(audit.asked).toEqual([]);
});
