import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { seededRandom } from '../../testing/seeded-random.ts';
import { countedMs, FreeConnections } from './free-connections.ts';

interface Connection {
  readonly name: number;
  tookMs: number;
}

describe('free connections', () => {
  test('are given once each, whatever the draw', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(9), { maxLength: 20 }), fc.nat(), (times, seed) => {
        const free = new FreeConnections<Connection>(seededRandom(seed));
        times.forEach((tookMs, name) => {
          free.put({ name, tookMs });
        });
        const given = times.map(() => free.take()?.name).sort((a, b) => Number(a) - Number(b));
        expect(given).toEqual(times.map((_, name) => name));
        expect(free.take()).toBeUndefined();
      }),
    );
  });

  /** How often each is given for requests one after the other. */
  const countsOf = (tookMs: readonly number[]): number[] => {
    const free = new FreeConnections<Connection>(seededRandom(7));
    const counts = tookMs.map(() => 0);
    tookMs.forEach((ms, name) => {
      free.put({ name, tookMs: ms });
    });
    for (let round = 0; round < 3000; round += 1) {
      const connection = free.take() as Connection;
      counts[connection.name] = (counts[connection.name] as number) + 1;
      free.put(connection);
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
    const free = new FreeConnections<Connection>(seededRandom(7));
    for (let name = 0; name < 100; name += 1) free.put({ name, tookMs: 5 });
    const use = (count: number): void => {
      const used = Array.from({ length: count }, () => free.take() as Connection);
      for (const connection of used) free.put(connection);
    };
    expect(free.surplus(0)).toEqual([]);
    use(60);
    expect(free.surplus(1999)).toEqual([]);
    // 40 were free all the time, of which 16 are kept.
    expect(free.surplus(2000)).toHaveLength(24);
    use(70);
    use(10);
    expect(free.surplus(4000)).toEqual([]);
    use(10);
    expect(free.surplus(6000)).toHaveLength(76 - 10 - 16);
    expect(free.surplus(8000)).toHaveLength(26 - 16);
    expect(free.surplus(10_000)).toEqual([]);
  });

  test('are none once they are cleared', () => {
    const free = new FreeConnections<Connection>();
    free.put({ name: 1, tookMs: 1 });
    free.clear();
    expect(free.take()).toBeUndefined();
  });
});
