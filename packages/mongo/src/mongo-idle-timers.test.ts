import { createRequire } from 'node:module';
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { patchIdleTimers } from './mongo-idle-timers.ts';

interface Pool {
  poolState: string;
  minPoolSizeTimer: NodeJS.Timeout | undefined;
  readonly connections: { prune: () => void };
  ensureMinPoolSize(): void;
}

describe('a connection pool of the MongoDB driver', () => {
  /** Times that the pool has looked at its connections. */
  let looks: number;
  let pool: Pool;

  beforeEach(() => {
    jest.useFakeTimers();
    patchIdleTimers();
    patchIdleTimers();
    looks = 0;
    const ofMongoose = createRequire(createRequire(import.meta.url).resolve('mongoose'));
    const { ConnectionPool } = ofMongoose('mongodb/lib/cmap/connection_pool.js') as { ConnectionPool: { prototype: object } };
    pool = Object.assign(Object.create(ConnectionPool.prototype), {
      options: { minPoolSize: 0, maxConnecting: 2, minPoolSizeCheckFrequencyMS: 100 },
      poolState: 'ready',
      connections: {
        length: 0,
        prune() {
          looks += 1;
        },
      },
      pending: 0,
      checkedOut: new Set(),
    }) as Pool;
  });
  afterEach(() => {
    clearTimeout(pool.minPoolSizeTimer);
    jest.useRealTimers();
  });

  test('looks at its connections once a second', () => {
    pool.ensureMinPoolSize();
    expect(looks).toBe(1);
    jest.advanceTimersByTime(999);
    expect(looks).toBe(1);
    jest.advanceTimersByTime(1);
    expect(looks).toBe(2);
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(12);
    expect(jest.getTimerCount()).toBe(1);
  });

  test('plans no look once it is closed', () => {
    pool.ensureMinPoolSize();
    pool.poolState = 'closed';
    jest.advanceTimersByTime(5000);
    expect(looks).toBe(1);
    expect(jest.getTimerCount()).toBe(0);
  });
});
