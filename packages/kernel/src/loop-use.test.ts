import { beforeEach, describe, expect, test } from '@jest/globals';
import { LoopUse } from './loop-use.ts';

describe('the use of the event loop', () => {
  let times: { active: number; idle: number };
  let now: number;
  let use: LoopUse;

  beforeEach(() => {
    times = { active: 1000, idle: 5000 };
    now = 0;
    use = new LoopUse(1000, () => times);
  });

  /** Works for a part of a time, and gives the use after it. */
  const after = (milliseconds: number, part: number): number => {
    now += milliseconds;
    times = { active: times.active + milliseconds * part, idle: times.idle + milliseconds * (1 - part) };
    return use.at(now);
  };

  test('is nothing at first, whatever there was before', () => {
    expect(use.at(now)).toBe(0);
  });

  test('is the part of the time that it works', () => {
    for (let second = 0; second < 10; second += 1) after(1000, 0.7);
    expect(use.at(now)).toBeCloseTo(0.7, 2);
    expect(after(60_000, 0)).toBeCloseTo(0, 5);
  });

  test('is not raised much by a moment of work', () => {
    for (let second = 0; second < 10; second += 1) after(1000, 0.2);
    expect(after(150, 1)).toBeLessThan(0.35);
  });

  test('is the same in each of its readings, however many there are', () => {
    const others = new LoopUse(1000, () => times);
    for (let step = 0; step < 50; step += 1) {
      after(20, 0.5);
      others.at(now);
    }
    expect(others.at(now)).toBeCloseTo(use.at(now), 1);
    after(1000, 0.9);
    const seen = use.at(now);
    times = { active: times.active + 40, idle: times.idle };
    expect(use.at(now + 40)).toBe(seen);
  });

  test('follows sooner with a shorter memory', () => {
    const short = new LoopUse(200, () => times);
    after(1000, 0.9);
    expect(short.at(now)).toBeGreaterThan(0.85);
    expect(use.at(now)).toBeLessThan(0.6);
  });

  test('is read of this process where nothing else is said', async () => {
    const own = new LoopUse();
    const end = performance.now() + 300;
    while (performance.now() < end);
    await new Promise((resolve) => setTimeout(resolve, 10));
    expect(own.at(performance.now())).toBeGreaterThan(0.1);
  });
});
