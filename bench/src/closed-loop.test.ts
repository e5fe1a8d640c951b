import { describe, expect, test } from '@jest/globals';
import { closedLoop, closedLoopOf, steadily } from './closed-loop.ts';

const turn = () => new Promise<void>((resolve) => setImmediate(resolve));

describe('load loops', () => {
  test('never run more pieces at once than asked for', async () => {
    let running = 0;
    let most = 0;
    const result = await closedLoopOf(3, 20, async () => {
      running += 1;
      most = Math.max(most, running);
      await turn();
      running -= 1;
    });
    expect({ most, done: result.done }).toEqual({ most: 3, done: 20 });
  });

  test('count what they did until the time is over', async () => {
    let count = 0;
    const result = await closedLoop(2, 5, async () => {
      count += 1;
      await turn();
    });
    expect(result.done).toBe(count);
    expect(count).toBeGreaterThan(0);
  });

  test('do a piece at least, though the time is over at once', async () => {
    expect((await closedLoop(2, 0, turn)).done).toBe(2);
  });

  test('a failing piece fails the loop', async () => {
    const fail = () => Promise.reject(new Error('refused'));
    await expect(closedLoop(1, 5, fail)).rejects.toThrow('refused');
    await expect(closedLoopOf(1, 5, fail)).rejects.toThrow('refused');
    await expect(steadily(1000, 5, fail)).rejects.toThrow('refused');
  });

  test('a steady rate does each piece once, without waiting for the one before', async () => {
    const seen: number[] = [];
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    await steadily(10_000, 4, async (index) => {
      seen.push(index);
      if (index === 3) release();
      await held;
    });
    expect(seen).toEqual([0, 1, 2, 3]);
  });
});
