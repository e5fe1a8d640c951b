import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { countedMs, FreeConnections, type TimedConnection } from './free-connections.ts';

/** Numbers from 0 to below 1 that are the same in every run (a linear congruential generator, with the numbers of the C standard's example). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}

interface Connection extends TimedConnection {
  readonly name: number;
}

const IDLE_MS = 2000;
const freeConnections = (seed = 7) => new FreeConnections<Connection>({ idleMs: IDLE_MS, random: seededRandom(seed) });
const connectionOf = (name: number, tookMs = 5): Connection => ({ name, tookMs, freeSince: 0 });
const namesOf = (connections: readonly Connection[]): number[] => connections.map(({ name }) => name);

describe('free connections', () => {
  /** How often each is given for requests one after the other. */
  const countsOf = (tookMs: readonly number[]): number[] => {
    const free = freeConnections();
    const counts = tookMs.map(() => 0);
    tookMs.forEach((ms, name) => {
      free.put(connectionOf(name, ms), 0);
    });
    for (let round = 0; round < 3000; round += 1) {
      const connection = free.take(0) as Connection;
      counts[connection.name] = (counts[connection.name] as number) + 1;
      free.put(connection, 0);
    }
    return counts;
  };

  test('that are as quick as each other get the same', () => {
    for (const count of countsOf([5, 5, 5])) expect(Math.abs(count - 1000)).toBeLessThan(100);
  });

  test('that are slow get little, and still something', () => {
    const slow = countsOf([5, 5, 50])[2] as number;
    expect(slow).toBeGreaterThan(200);
    expect(slow).toBeLessThan(500);
  });

  test.each([
    [200, 5, 5],
    [404, 5, 5],
    [422, 40_000, 40_000],
    [401, 1, 30_000],
    [500, 1, 30_000],
    [503, 40_000, 40_000],
  ])('a response with %i after %i ms counts for %i ms', (status, tookMs, counted) => {
    expect(countedMs(status, tookMs)).toBe(counted);
  });

  test('are sorted out when they were not needed for two seconds, but for some', () => {
    // None of them is closed in this time.
    const free = new FreeConnections<Connection>({ idleMs: 60_000, random: seededRandom(7) });
    for (let name = 0; name < 100; name += 1) free.put(connectionOf(name), 0);
    const use = (count: number, now: number): void => {
      const used = Array.from({ length: count }, () => free.take(now) as Connection);
      for (const connection of used) free.put(connection, now);
    };
    expect(free.surplus(0)).toEqual([]);
    use(60, 0);
    expect(free.surplus(1999)).toEqual([]);
    // 40 were free all the time, of which 16 are kept.
    expect(free.surplus(2000)).toHaveLength(24);
    use(70, 2000);
    use(10, 2000);
    expect(free.surplus(4000)).toEqual([]);
    use(10, 4000);
    expect(free.surplus(6000)).toHaveLength(76 - 10 - 16);
    expect(free.surplus(8000)).toHaveLength(26 - 16);
    expect(free.surplus(10_000)).toEqual([]);
  });

  test('that are closed are sorted out as soon as one is open', () => {
    const free = freeConnections();
    for (let name = 0; name < 10; name += 1) free.put(connectionOf(name), name);
    expect(free.surplus(10)).toEqual([]);
    // The first three are closed by then.
    const given = free.take(IDLE_MS + 2) as Connection;
    expect(given.name).toBeGreaterThan(2);
    free.put(given, IDLE_MS + 2);
    expect(namesOf(free.surplus(IDLE_MS + 2))).toEqual([0, 1, 2]);
    const last = free.take(10 * IDLE_MS) as Connection;
    expect(free.surplus(10 * IDLE_MS)).toEqual([]);
    free.put(last, 10 * IDLE_MS);
    expect(free.surplus(10 * IDLE_MS)).toHaveLength(6);
    expect([free.take(10 * IDLE_MS), free.take(10 * IDLE_MS)]).toEqual([last, undefined]);
  });

  test('whatever happens when, none is closed that is given while one is open, and none is lost', () => {
    const step = fc.record({ does: fc.constantFrom('take', 'put', 'open', 'sort out'), afterMs: fc.nat(900) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), fc.nat(), (steps, seed) => {
        const free = freeConnections(seed);
        const freeNow = new Set<Connection>();
        const used: Connection[] = [];
        let now = 0;
        let opened = 0;
        const isOpen = ({ freeSince }: Connection): boolean => now - freeSince < IDLE_MS;
        const take = (): void => {
          const hasOpen = [...freeNow].some(isOpen);
          const given = free.take(now);
          if (given === undefined) return;
          if (hasOpen) expect(isOpen(given)).toBe(true);
          expect(freeNow.delete(given)).toBe(true);
          used.push(given);
        };
        for (const { does, afterMs } of steps) {
          now += afterMs;
          if (does === 'take') take();
          if (does === 'open') used.push(connectionOf(opened++));
          if (does === 'sort out') for (const ended of free.surplus(now)) expect(freeNow.delete(ended)).toBe(true);
          const back = does === 'put' ? used.shift() : undefined;
          if (back === undefined) continue;
          free.put(back, now);
          freeNow.add(back);
        }
        for (let left = freeNow.size; left > 0; left -= 1) take();
        for (const ended of free.surplus(now)) expect(freeNow.delete(ended)).toBe(true);
        expect(freeNow.size).toBe(0);
      }),
    );
  });

  test('are none once they are cleared', () => {
    const free = freeConnections();
    free.put(connectionOf(1), 0);
    free.clear();
    expect(free.take(0)).toBeUndefined();
  });
});
