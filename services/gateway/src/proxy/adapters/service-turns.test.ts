import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { upstreamLimits } from '../domain/client-shares.ts';
import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import { ServiceTurns, type TurnTaker } from './service-turns.ts';

/** A service with one processor, which works on requests one after the other, and then waits for its store. Times in milliseconds. */
interface Service {
  readonly workMs: number;
  readonly storeMs: number;
}

describe('turns at a service that several holders share', () => {
  let turns: ServiceTurns;
  let service: Service;
  let freeAt: number;
  let underWay: number;
  let isOver: boolean;
  let loopUse: number;

  beforeEach(() => {
    jest.useFakeTimers();
    turns = new ServiceTurns({ capacity: 256, part: 1 }, new ConcurrencyLimit({ ...upstreamLimits.atOnce, loopUse: () => loopUse }));
    [freeAt, underWay, isOver, loopUse] = [0, 0, false, 0];
  });
  afterEach(() => {
    turns.close();
    jest.useRealTimers();
  });

  const newRequest = (holder: string): TurnTaker => ({ holder, kind: 'POST /forecasts', sentAt: 0, isSlow: false });
  const send = (request: TurnTaker, done: () => void): void => {
    turns.sent(request);
    underWay += 1;
    freeAt = Math.max(performance.now(), freeAt) + service.workMs;
    setTimeout(
      () => {
        underWay -= 1;
        turns.responded(request, 200);
        turns.ended(request);
        done();
      },
      freeAt + service.storeMs - performance.now(),
    );
  };
  const ask = (holder: string, done: () => void): void => {
    const request = newRequest(holder);
    if (turns.take(request)) send(request, done);
    else turns.wait(request, () => send(request, done));
  };
  /** A holder that always has so many requests open. @returns how many were responded */
  const busy = (holder: string, open: number): { done: number } => {
    const counted = { done: 0 };
    const next = (): void =>
      ask(holder, () => {
        counted.done += 1;
        if (!isOver) next();
      });
    for (let index = 0; index < open; index += 1) next();
    return counted;
  };
  /** A holder that asks now and then. @returns how long each request took */
  const quiet = (holder: string, everyMs: number): number[] => {
    const times: number[] = [];
    const timer = setInterval(() => {
      const begun = performance.now();
      if (isOver) clearInterval(timer);
      else ask(holder, () => times.push(performance.now() - begun));
    }, everyMs);
    return times;
  };
  const run = (seconds: number): void => {
    for (let step = 0; step < seconds * 100; step += 1) jest.advanceTimersByTime(10);
  };
  const p95 = (times: readonly number[]): number => times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.95)] as number;

  test('a busy holder takes hardly any time from others, and gets as much done as alone', () => {
    service = { workMs: 2, storeMs: 3 };
    const counted = busy('a', 100);
    const times = quiet('b', 90);
    run(25);
    expect(times.length).toBeGreaterThan(200);
    // Alone it takes 5 ms; in the service, behind all of the others, it would take 200.
    expect(p95(times)).toBeLessThanOrEqual(12);
    expect(counted.done).toBeGreaterThan(0.85 * 25 * 500);
  });

  test('two busy ones get the same', () => {
    service = { workMs: 2, storeMs: 3 };
    const [a, b] = [busy('a', 100), busy('b', 30)];
    run(10);
    expect(Math.abs(a.done - b.done)).toBeLessThan(0.2 * b.done);
    expect(a.done + b.done).toBeGreaterThan(0.85 * 10 * 500);
  });

  test('one that comes when another fills the service waits for nobody, and what was under way then says nothing', () => {
    service = { workMs: 5, storeMs: 5 };
    busy('a', 128);
    run(2);
    expect(underWay).toBe(128);
    quiet('b', 100);
    run(0.11);
    expect(underWay).toBeGreaterThanOrEqual(100);
    run(10);
    expect(underWay).toBeLessThanOrEqual(8);
  });

  test('requests that hang leave their places to others of their holder, up to a quarter of all', () => {
    service = { workMs: 1, storeMs: 1 };
    busy('a', 10);
    quiet('b', 50);
    run(3);
    const gone: TurnTaker[] = [];
    for (let index = 0; index < 200; index += 1) {
      const hanging = newRequest('c');
      turns.wait(hanging, () => {
        turns.sent(hanging);
        gone.push(hanging);
      });
    }
    run(1);
    const first = gone.length;
    expect(first).toBeLessThan(20);
    run(30);
    expect(gone.length).toBeGreaterThan(64);
    expect(gone.filter(({ isSlow }) => isSlow)).toHaveLength(64);
    expect(gone.length).toBeLessThan(100);
    const times = quiet('d', 50);
    run(2);
    expect(times.length).toBeGreaterThan(30);
    for (const request of gone) turns.ended(request);
    run(1);
    expect(gone.length).toBeGreaterThan(100);
  });

  test('a busy one pauses between its requests while the event loop is too busy, and goes on when it is not', () => {
    service = { workMs: 2, storeMs: 3 };
    loopUse = 1;
    const counted = busy('a', 50);
    const times = quiet('b', 90);
    run(5);
    counted.done = 0;
    run(5);
    // Five milliseconds of eighty.
    expect(counted.done).toBeLessThan(0.05 * 5 * 500);
    expect(counted.done).toBeGreaterThan(40);
    expect(p95(times.slice(-50))).toBeLessThanOrEqual(7);
    loopUse = 0.5;
    run(5);
    counted.done = 0;
    run(5);
    expect(counted.done).toBeGreaterThan(0.5 * 5 * 500);
  });

  test('one that sends each request when the last is responded does not pause', () => {
    service = { workMs: 2, storeMs: 3 };
    loopUse = 1;
    busy('a', 50);
    const one = busy('b', 1);
    run(10);
    expect(one.done).toBeGreaterThan(0.8 * 10 * 200);
  });

  test('a pause ends when nothing of its holder waits any more', () => {
    service = { workMs: 2, storeMs: 3 };
    loopUse = 1;
    busy('a', 50);
    quiet('c', 90);
    run(5);
    const [first, second] = [newRequest('b'), newRequest('b')];
    expect(turns.take(first)).toBe(true);
    turns.sent(first);
    const stopWaiting = turns.wait(second, () => undefined);
    jest.advanceTimersByTime(30);
    turns.ended(first);
    expect(turns.take(newRequest('b'))).toBe(false);
    stopWaiting();
    expect(turns.take(newRequest('b'))).toBe(true);
  });

  test('many that wait share five seconds of pauses', () => {
    service = { workMs: 2, storeMs: 3 };
    loopUse = 1;
    const counted = busy('a', 500);
    quiet('b', 90);
    run(5);
    counted.done = 0;
    run(10);
    // Of 500 that wait, each pauses for ten milliseconds.
    expect(counted.done).toBeGreaterThan(500);
    expect(counted.done).toBeLessThan(1000);
  });

  test('nothing happens after the close, also when somebody pauses', () => {
    service = { workMs: 2, storeMs: 3 };
    loopUse = 1;
    const counted = busy('a', 50);
    quiet('b', 90);
    run(5);
    while (underWay > 0) jest.advanceTimersByTime(1);
    turns.close();
    const before = counted.done;
    isOver = true;
    run(2);
    expect(counted.done).toBe(before);
  });

  test('a failure says nothing of how long requests take', () => {
    service = { workMs: 1, storeMs: 1 };
    const fail = (): void => {
      const request = newRequest('a');
      if (!turns.take(request)) return;
      turns.sent(request);
      turns.responded(request, 404);
      turns.ended(request);
    };
    quiet('b', 50);
    run(0.1);
    for (let index = 0; index < 100; index += 1) fail();
    const counted = busy('a', 50);
    run(10);
    expect(counted.done).toBeGreaterThan(0.85 * 10 * 1000);
  });
});
