import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { KafkaFetchPace } from './kafka-fetch-pace.ts';

describe('the pace of fetches', () => {
  let pace: KafkaFetchPace;

  beforeEach(() => {
    jest.useFakeTimers();
    pace = new KafkaFetchPace();
  });
  afterEach(() => {
    jest.useRealTimers();
  });

  /** Milliseconds until the broker may be asked. */
  const waitOf = async (nodeId: string): Promise<number> => {
    const begun = performance.now();
    let waited: number | undefined;
    void pace.turn(nodeId).then(() => {
      waited = performance.now() - begun;
    });
    await jest.advanceTimersByTimeAsync(1000);
    return waited as number;
  };

  test.each([
    ['at once at first', undefined, 0],
    ['at once after a response without records', 0, 0],
    ['a moment after a response with one record', 1, 15],
    ['later after one with two', 2, 25],
    ['a longer moment after a response with some records', 3, 35],
    ['no later after one with more', 50, 35],
    ['at once in a backlog', 51, 0],
  ])('a broker is asked %s', async (_name, records, waited) => {
    if (records !== undefined) pace.responded('1', records);
    expect(await waitOf('1')).toBe(waited);
  });

  test('a group that nobody waits for gathers longer', async () => {
    pace = new KafkaFetchPace(100);
    pace.responded('1', 1);
    expect(await waitOf('1')).toBe(100);
  });

  test('time that has passed since the response counts, and each broker has its own', async () => {
    pace.responded('1', 1);
    await jest.advanceTimersByTimeAsync(10);
    pace.responded('2', 1);
    const [one, two] = [pace.turn('1'), pace.turn('2')];
    const done: string[] = [];
    void one.then(() => done.push('1'));
    void two.then(() => done.push('2'));
    await jest.advanceTimersByTimeAsync(5);
    expect(done).toEqual(['1']);
    await jest.advanceTimersByTimeAsync(10);
    expect(done).toEqual(['1', '2']);
  });

  test('a broker may wait long, and shortly while a partition is left out', () => {
    const idle = pace.maxWaitMs;
    pace.setFull(3, true);
    pace.setFull(4, true);
    pace.setFull(3, false);
    expect(pace.maxWaitMs).toBeLessThan(idle);
    pace.setFull(4, false);
    expect(pace.maxWaitMs).toBe(idle);
    pace.setFull(3, true);
    pace.clear();
    expect(pace.maxWaitMs).toBe(idle);
  });

  test('a broker waits so shortly that processing pauses for less than a second while a member hears of a rebalance', () => {
    pace.responded('1', 1);
    pace.responded('2', 0);
    expect(pace.maxWaitMs).toBeLessThanOrEqual(800);
  });

  test('a broker waits longer once no records have come for some seconds', () => {
    expect(pace.maxWaitMs).toBe(3000);
    pace.responded('1', 1);
    jest.advanceTimersByTime(9999);
    expect(pace.maxWaitMs).toBe(750);
    jest.advanceTimersByTime(1);
    expect(pace.maxWaitMs).toBe(3000);
  });

  test('a broker waits shortly for the fetch that comes behind one that was ended', () => {
    expect(pace.maxWaitMs).toBe(3000);
    pace.wake();
    expect(pace.maxWaitMs).toBe(750);
  });

  test('a wake ends what waits for a broker or a turn, and nothing that comes later', async () => {
    pace.responded('1', 1);
    const waiting = [pace.turn('1'), pace.untilWoken(new Promise(() => undefined))];
    pace.wake();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect([await pace.untilWoken(Promise.resolve(1)), pace.isStopped]).toEqual([1, false]);
    expect(await waitOf('1')).toBe(15);
  });

  test('a stop ends what waits for a broker or a turn', async () => {
    pace.responded('1', 1);
    const waiting = [pace.turn('1'), pace.untilWoken(new Promise(() => undefined))];
    pace.stop();
    expect(await Promise.all(waiting)).toEqual([undefined, undefined]);
    expect(pace.isStopped).toBe(true);
    expect(await pace.untilWoken(Promise.resolve(1))).toBeUndefined();
  });

  test('a fetch that fails before the stop fails', async () => {
    await expect(pace.untilWoken(Promise.reject(new Error('closed')))).rejects.toThrow('closed');
  });
});
