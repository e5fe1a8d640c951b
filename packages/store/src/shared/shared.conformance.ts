import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { IdempotencyRecord, IdempotencyStore } from '@parcelway/kernel/idempotency-store';
import type { TenantDataKind } from '@parcelway/kernel/tenant-data';
import { AMOUNTS_KEPT_PER_DAY, type UsageOfDay, type UsageStore } from '@parcelway/kernel/usage-counter';
import { MAX_CLOCK_LEAD_MS, type WorkLease } from '@parcelway/kernel/work-lease';
import type { TenantCopy } from '../collection.ts';
import type { Store } from '../store.ts';
import { createIdempotencyStore } from './idempotency-keys.ts';
import { tenantKind } from './tenant-kind.ts';
import { createUsageStore, usageDays } from './usage-days.ts';

/** An empty database with the shared collections. */
export interface SharedDatabase {
  readonly store: Store;
  /** The lease of a work, as a process opens it. */
  lease(name: string): WorkLease;
  close(): Promise<void>;
}

const scope = { ownerId: 'tnt_a', route: 'createEndpoint', key: 'k1' };
const record = (over: Partial<IdempotencyRecord> = {}): IdempotencyRecord => ({
  ...scope,
  fingerprint: 'f1',
  seed: 's1',
  claim: 'c1',
  claimedUntil: 61_000,
  createdAt: 1000,
  response: null,
  ...over,
});
const response = { status: 200, body: '{"data":"绿"}' };
const NOW = 1_000_000;
const LATER = NOW + 10_000;

/**
 * What services that share a database rely on.
 * @param isDoubtful true for a database whose batch may be written although it failed
 */
export function describeShared(name: string, open: () => Promise<SharedDatabase>, isDoubtful = false): void {
  let opened: SharedDatabase;
  beforeEach(async () => {
    opened = await open();
  });
  afterEach(() => opened.close());

  describe(`idempotency keys: ${name}`, () => {
    let keys: IdempotencyStore;
    beforeEach(() => {
      keys = createIdempotencyStore(opened.store);
    });

    test('adds a record once, and gives it to those who come later', async () => {
      expect(await keys.add(record())).toBeUndefined();
      expect(await keys.add(record({ fingerprint: 'f2', seed: 's2', claim: 'c2' }))).toEqual(record());
    });

    test('keeps keys of owners and routes apart', async () => {
      const others = [{ ownerId: 'tnt_b' }, { route: 'rotateSecret' }, { key: 'k2' }];
      for (const other of [{}, ...others]) expect(await keys.add(record(other))).toBeUndefined();
      expect(await keys.complete(record({ ownerId: 'tnt_b' }), 's1', response)).toEqual(response);
      expect((await keys.add(record()))?.response).toBeNull();
      expect((await keys.add(record({ ownerId: 'tnt_b' })))?.response).toEqual(response);
    });

    test('added by many at once, one of them adds it', async () => {
      const claims = Array.from({ length: 20 }, (_, index) => `c${index}`);
      const added = await Promise.all(claims.map((claim) => keys.add(record({ claim }))));
      expect(added.filter((known) => known === undefined)).toHaveLength(1);
      const [winner] = claims.filter((_, index) => added[index] === undefined);
      expect(added.every((known) => known === undefined || known.claim === winner)).toBe(true);
    });

    test('is replaced by one of those who name its claim', async () => {
      await keys.add(record());
      const next = (claim: string): IdempotencyRecord => record({ claim, seed: `seed of ${claim}`, createdAt: 2000 });
      const replaced = await Promise.all(['c2', 'c3', 'c4'].map((claim) => keys.replace(next(claim), 'c1')));
      expect(replaced.filter(Boolean)).toHaveLength(1);
      const held = await keys.add(record());
      expect(held).toEqual(next(String(held?.claim)));
      expect(await keys.replace(next('c5'), 'c1')).toBe(false);
      expect(await keys.replace(record({ key: 'unknown' }), 'c1')).toBe(false);
    });

    test('keeps the first response of a request, whichever attempt brings it', async () => {
      await keys.add(record());
      await keys.replace(record({ claim: 'c2' }), 'c1');
      expect(await keys.complete(scope, 's1', response)).toEqual(response);
      expect(await keys.complete(scope, 's1', { status: 200, body: '{}' })).toEqual(response);
      expect((await keys.add(record()))?.response).toEqual(response);
    });

    test('takes no response of a request that has lost the key', async () => {
      await keys.add(record());
      await keys.replace(record({ claim: 'c2', seed: 's2' }), 'c1');
      expect(await keys.complete(scope, 's1', response)).toBeUndefined();
      expect((await keys.add(record()))?.response).toBeNull();
      expect(await keys.complete({ ...scope, key: 'unknown' }, 's1', response)).toBeUndefined();
    });

    test('replaced after its time, a response is gone', async () => {
      await keys.add(record());
      await keys.complete(scope, 's1', response);
      expect(await keys.replace(record({ claim: 'c2' }), 'c1')).toBe(true);
      expect((await keys.add(record()))?.response).toBeNull();
    });

    test('is released by the attempt that holds it, and keeps its seed', async () => {
      await keys.add(record());
      await keys.release(scope, 'c0');
      expect((await keys.add(record()))?.claimedUntil).toBe(61_000);
      await keys.release(scope, 'c1');
      expect(await keys.add(record())).toEqual(record({ claimedUntil: 0 }));
      await keys.release({ ...scope, key: 'unknown' }, 'c1');
    });

    test('with a response it is not released', async () => {
      await keys.add(record());
      await keys.complete(scope, 's1', response);
      await keys.release(scope, 'c1');
      expect(await keys.add(record())).toEqual(record({ response }));
    });
  });

  describe(`the usage of tenants: ${name}`, () => {
    let usage: UsageStore;
    let kind: TenantDataKind;
    beforeEach(() => {
      usage = createUsageStore(opened.store);
      kind = tenantKind(opened.store, { by: usageDays.by.days, ...(usageDays.copy as TenantCopy<object>) });
    });

    let number = 0;
    const add = (records: readonly UsageOfDay[]): Promise<void> => {
      number += 1;
      return usage.add({ counter: 'c1', number, records });
    };
    const record = (day: string, amounts: Record<string, number>, tenantId = 'tnt_1') => ({ tenantId, day, amounts });

    test('adds up for each tenant and day', async () => {
      await add([
        record('2026-01-31', { calls: 2 }),
        record('2026-02-01', { calls: 1, files: 1 }),
        record('2026-02-01', { calls: 9 }, 'tnt_2'),
      ]);
      await add([record('2026-02-01', { calls: 4, bytes: 5_000_000_000 })]);
      expect(await usage.days('tnt_1', '2026-01-31', '2026-02-01')).toEqual([
        record('2026-01-31', { calls: 2 }),
        record('2026-02-01', { calls: 5, files: 1, bytes: 5_000_000_000 }),
      ]);
      expect(await usage.days('tnt_1', '2026-02-01', '2026-02-28')).toHaveLength(1);
      expect(await usage.days('tnt_3', '2026-01-31', '2026-02-01')).toEqual([]);
    });

    test('reads the amounts whose names begin so', async () => {
      const amounts = { 'ep_1:failed': 1, 'ep_1:succeeded': 2, 'ep_12:failed': 3 };
      await add([record('2026-01-31', amounts), record('2026-02-01', { 'ep_12:failed': 4 })]);
      const days = await usage.days('tnt_1', '2026-01-31', '2026-02-01', 'ep_1:');
      expect(days.find(({ day }) => day === '2026-01-31')?.amounts).toEqual({ 'ep_1:failed': 1, 'ep_1:succeeded': 2 });
      expect(await usage.days('tnt_1', '2026-01-31', '2026-01-31')).toEqual([record('2026-01-31', amounts)]);
      expect(days.every(({ tenantId }) => tenantId === 'tnt_1')).toBe(true);
    });

    test('keeps all amounts of a day up to a number, and goes on for others behind it', async () => {
      const names = (count: number, prefix: string) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`${prefix}${at}`, 1]));
      await add([record('2026-02-01', names(AMOUNTS_KEPT_PER_DAY, 'a'))]);
      await add([record('2026-02-01', { ...names(10, 'b'), a7: 2 }), record('2026-02-01', { calls: 1 }, 'tnt_2')]);
      const [day] = await usage.days('tnt_1', '2026-02-01', '2026-02-01');
      const kept = Object.entries(day?.amounts ?? {}).filter(([name]) => name.startsWith('a'));
      expect([kept.length, kept.filter(([name, amount]) => amount !== (name === 'a7' ? 3 : 1))]).toEqual([AMOUNTS_KEPT_PER_DAY, []]);
      expect(await usage.days('tnt_2', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { calls: 1 }, 'tnt_2')]);
    });

    test('adds a batch once, and the next one of the same and of another counter', async () => {
      const batch = (counter: string, number: number) => ({ counter, number, records: [record('2026-02-01', { calls: 1 })] });
      const done = [batch('a', 1), batch('a', 2), batch('b', 1)];
      for (const one of done) await usage.add(one);
      if (isDoubtful) for (const one of done.slice(1)) await usage.add(one);
      expect(await usage.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { calls: 3 })]);
    });

    test('adds what several counters write at the same moment', async () => {
      const counters = ['a', 'b', 'c', 'd', 'e'];
      await Promise.all(counters.map((counter) => usage.add({ counter, number: 1, records: [record('2026-02-01', { calls: 1 })] })));
      expect(await usage.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { calls: 5 })]);
    });

    test('keeps what was measured as it is, beside what was counted, and once more after a repeat', async () => {
      await usage.set(record('2026-02-01', { storage_files: 0, storage_bytes: 0 }));
      expect(await usage.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([record('2026-02-01', { storage_files: 0, storage_bytes: 0 })]);
      await add([record('2026-02-01', { files: 2 })]);
      const measured = record('2026-02-01', { storage_files: 3, storage_bytes: 5_000_000_000 });
      for (const _twice of [1, 2]) await usage.set(measured);
      await add([record('2026-02-01', { files: 1 })]);
      await usage.set(record('2026-02-02', { storage_files: 1 }));
      await usage.set(record('2026-02-01', { storage_files: 9 }, 'tnt_2'));
      expect(await usage.days('tnt_1', '2026-02-01', '2026-02-02')).toEqual([
        record('2026-02-01', { files: 3, storage_files: 3, storage_bytes: 5_000_000_000 }),
        record('2026-02-02', { storage_files: 1 }),
      ]);
    });

    test('keeps what was measured and what was counted at the same moment', async () => {
      // Each counter writes its batches one after the other: those of one moment are of several.
      const count = (counter: string) => usage.add({ counter, number: 1, records: [record('2026-02-01', { files: 1 })] });
      await Promise.all([
        usage.set(record('2026-02-01', { storage_files: 3 })),
        count('a'),
        usage.set(record('2026-02-01', { storage_bytes: 4 })),
        count('b'),
      ]);
      expect(await usage.days('tnt_1', '2026-02-01', '2026-02-01')).toEqual([
        record('2026-02-01', { files: 2, storage_files: 3, storage_bytes: 4 }),
      ]);
    });

    test('takes the records of many tenants at once', async () => {
      const records = Array.from({ length: 1500 }, (_, number) => record('2026-02-01', { calls: 1 }, `tnt_${number}`));
      await add(records);
      expect(await usage.days('tnt_1499', '2026-02-01', '2026-02-01')).toHaveLength(1);
    });

    test('lists and erases what a tenant used', async () => {
      await add([record('2026-02-01', { calls: 1 }), record('2026-02-02', { calls: 2 }), record('2026-02-02', { calls: 3 }, 'tnt_2')]);
      const listed = (await kind.list?.('tnt_1', null)) ?? [];
      expect(listed.map(({ record: { day } }) => day)).toEqual(['2026-02-01', '2026-02-02']);
      expect(await kind.list?.('tnt_1', listed[0]?.cursor ?? null)).toHaveLength(1);
      expect(await kind.erase?.('tnt_1')).toBe(2);
      expect(await kind.erase?.('tnt_1')).toBe(0);
      expect(await usage.days('tnt_2', '2026-02-01', '2026-02-02')).toHaveLength(1);
    });
  });

  describe(`leases of regular work: ${name}`, () => {
    test('give the work out once, from its beginning, until it is given back', async () => {
      const lease = opened.lease('one');
      expect(await lease.take(NOW, NOW + 60, LATER)).toBe('');
      expect(await lease.take(NOW + 1, NOW + 61, LATER)).toBeUndefined();
      await lease.giveBack('tnt_b', NOW + 20);
      expect(await lease.take(NOW + 19, NOW + 80, LATER)).toBeUndefined();
      expect(await lease.take(NOW + 20, NOW + 80, LATER)).toBe('tnt_b');
    });

    test('keep how far the work has come, and that it is taken', async () => {
      const lease = opened.lease('one');
      await lease.take(NOW, NOW + 60, LATER);
      expect(await lease.keep('tnt_a', NOW + 90)).toBe(true);
      expect(await lease.keep('tnt_b', NOW + 100)).toBe(true);
      expect(await lease.take(NOW + 99, NOW + 200, LATER)).toBeUndefined();
      // Its process has ended without a word.
      expect(await opened.lease('one').take(NOW + 100, NOW + 200, LATER)).toBe('tnt_b');
    });

    test('give out what nobody has before it is due, when that is too late', async () => {
      const lease = opened.lease('one');
      await lease.take(NOW, NOW + 60, LATER);
      expect(await lease.take(NOW + 1, NOW + 61, NOW + 2)).toBeUndefined();
      await lease.giveBack('tnt_a', NOW + 1000);
      expect(await lease.take(NOW + 1, NOW + 61, NOW + 1001)).toBeUndefined();
      expect(await lease.take(NOW + 1, NOW + 61, NOW + 2)).toBe('tnt_a');
      expect(await lease.take(NOW + 2, NOW + 62, NOW + 2)).toBeUndefined();
    });

    test('are not honoured when they end so late that the clock of their process was ahead', async () => {
      const lease = opened.lease('one');
      const until = NOW + 60;
      await lease.take(NOW, until + MAX_CLOCK_LEAD_MS, LATER);
      await lease.keep('tnt_a', until + MAX_CLOCK_LEAD_MS);
      expect(await lease.take(NOW, until, LATER)).toBeUndefined();
      expect(await lease.take(NOW, until - 1, LATER)).toBe('tnt_a');
      expect(await lease.take(NOW, until, LATER)).toBeUndefined();
    });

    test('leave work that nobody has until it is due, however late that is', async () => {
      const lease = opened.lease('one');
      const dueAt = NOW + 10 * MAX_CLOCK_LEAD_MS;
      await lease.take(NOW, NOW + 60, dueAt);
      await lease.giveBack('tnt_a', dueAt);
      expect(await lease.take(NOW, NOW + 60, dueAt)).toBeUndefined();
    });

    test('of other works are others', async () => {
      const [one, two] = [opened.lease('one'), opened.lease('two')];
      await one.take(NOW, NOW + 60, LATER);
      expect(await two.take(NOW, NOW + 60, LATER)).toBe('');
      await one.keep('tnt_a', NOW + 60);
      await two.giveBack('tnt_z', NOW);
      await one.giveBack('tnt_a', NOW);
      expect([await one.take(NOW, NOW + 60, LATER), await two.take(NOW, NOW + 60, LATER)]).toEqual(['tnt_a', 'tnt_z']);
    });
  });
}
