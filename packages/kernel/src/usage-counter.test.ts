import { beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from './clock.ts';
import { silentLogger } from './logger.ts';
import { type UsageBatch, UsageCounter, type UsageOfDay, type UsageStore } from './usage-counter.ts';

/** Keeps what is added; fails as often as the test says. */
class KeptUsage implements Omit<UsageStore, 'set'> {
  readonly added: UsageOfDay[][] = [];
  failures = 0;

  readonly numbers: number[] = [];

  async add({ number, records }: UsageBatch): Promise<void> {
    this.numbers.push(number);
    if (this.failures > 0) {
      this.failures -= 1;
      throw new Error('out');
    }
    this.added.push(records.map((record) => structuredClone(record)));
  }
  async days(): Promise<readonly UsageOfDay[]> {
    return this.added.flat();
  }
}

describe('a counter of usage', () => {
  const clock = new ManualClock(Date.UTC(2026, 0, 31, 23, 59, 59, 999));
  let store: KeptUsage;
  let counter: UsageCounter;
  beforeEach(() => {
    store = new KeptUsage();
    counter = new UsageCounter({ store, clock, logger: silentLogger });
  });

  test('writes a record for each tenant and day', async () => {
    counter.add('tnt_1', 'calls');
    counter.add('tnt_1', 'calls', 2);
    counter.add('tnt_2', 'files', 0);
    clock.advance(1);
    counter.add('tnt_1', 'calls');
    await counter.flush();
    expect(store.added).toEqual([
      [
        { tenantId: 'tnt_1', day: '2026-01-31', amounts: { calls: 3 } },
        { tenantId: 'tnt_1', day: '2026-02-01', amounts: { calls: 1 } },
      ],
    ]);
  });

  test('loses nothing to a store that is out, and counts nothing twice', async () => {
    store.failures = 1;
    counter.add('tnt_1', 'calls');
    await counter.flush();
    counter.add('tnt_1', 'calls', 4);
    counter.add('tnt_1', 'files');
    await counter.stop();
    expect(store.added).toEqual([
      [{ tenantId: 'tnt_1', day: '2026-02-01', amounts: { calls: 1 } }],
      [{ tenantId: 'tnt_1', day: '2026-02-01', amounts: { calls: 4, files: 1 } }],
    ]);
    // The store can see that the second write is the first one again.
    expect(store.numbers).toEqual([1, 1, 2]);
    await counter.flush();
    expect(store.added).toHaveLength(2);
  });

  test('writes nothing of an erased tenant', async () => {
    const erasing = new UsageCounter({ store, clock, logger: silentLogger, isErased: (tenantId) => tenantId === 'tnt_1' });
    erasing.add('tnt_1', 'calls');
    erasing.add('tnt_2', 'calls');
    await erasing.flush();
    expect(store.added.flat().map(({ tenantId }) => tenantId)).toEqual(['tnt_2']);
  });

  test('counts no further tenants once very many wait', async () => {
    for (let number = 0; number < 50_001; number += 1) counter.add(`tnt_${number}`, 'calls');
    counter.add('tnt_0', 'calls');
    await counter.stop();
    expect(store.added.flat()).toHaveLength(50_000);
    expect(store.added[0]?.[0]?.amounts).toEqual({ calls: 2 });
  });

  test('writes many tenants in parts, and at its stop without pauses', async () => {
    for (let tenant = 0; tenant < 60; tenant += 1) counter.add(`tnt_${tenant}`, 'calls');
    await counter.stop();
    expect(store.added.map((records) => records.length)).toEqual([25, 25, 10]);
    expect(new Set(store.numbers).size).toBe(3);
  });
});
