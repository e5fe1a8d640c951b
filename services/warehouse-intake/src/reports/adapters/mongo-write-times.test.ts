import { expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW } from '../../testing/samples.ts';
import { WriteTimes } from './mongo-write-times.ts';

test('times of writing rise within a millisecond and over several, and are never ahead of the clock', () => {
  const clock = new ManualClock(NOW);
  const times = new WriteTimes(clock);
  const taken: number[] = [];
  for (const count of [1000, 1, 4096]) {
    for (let index = 0; index < count; index += 1) taken.push(times.next());
    expect(taken.at(-1)).toBeLessThan(clock.now());
    clock.advance(1);
  }
  taken.slice(1).forEach((time, index) => {
    expect(time).toBeGreaterThan(taken[index] as number);
  });
});

test('times of writing stay due when there are more of them than a millisecond holds, or the clock is set back', () => {
  const clock = new ManualClock(NOW);
  const times = new WriteTimes(clock);
  for (let index = 0; index < 5000; index += 1) expect(times.next()).toBeLessThan(NOW);
  clock.advance(-60_000);
  expect(times.next()).toBeLessThan(NOW - 60_000);
});
