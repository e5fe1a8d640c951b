import { describe, expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { createSqliteStore } from '../sqlite/sqlite-store.ts';
import { sqliteSchema } from '../sqlite/sqlite-table.ts';
import type { Outcome, Store } from '../store.ts';
import { createIdempotencyStore } from './idempotency-keys.ts';
import { describeShared } from './shared.conformance.ts';
import { sharedCollections } from './shared-collections.ts';
import { tenantKind } from './tenant-kind.ts';
import { createUsageStore, usageDays } from './usage-days.ts';
import { createLoneWorkLease } from './work-leases.ts';

function open() {
  const db = new SqliteDatabase(':memory:');
  db.declare(sqliteSchema(sharedCollections));
  return { store: createSqliteStore({ db }), close: async () => db.close() };
}

describe('in a database of one process', () => {
  describeShared('SQLite', async () => {
    const { store, close } = open();
    return { store, close, lease: (name) => createLoneWorkLease(store, name) };
  });
});

test('an idempotency key whose holder is gone by then is added after all', async () => {
  const { store, close } = open();
  let refusals = 1;
  const refusing = Object.assign(Object.create(store) as Store, {
    apply: async (...given: Parameters<Store['apply']>): Promise<readonly Outcome[]> => {
      refusals -= 1;
      return refusals === 0 ? [{ kind: 'taken', index: 'key', holder: undefined }] : store.apply(...given);
    },
  });
  const scope = { ownerId: 'tnt_a', route: 'r', key: 'k' };
  const record = { ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 1, createdAt: 1, response: null };
  expect(await createIdempotencyStore(refusing).add(record)).toBeUndefined();
  expect(await createIdempotencyStore(store).add(record)).toEqual(record);
  await close();
});

test('an erasure goes on while documents change in its midst', async () => {
  const { store, close } = open();
  const usage = createUsageStore(store);
  const count = (number: number) =>
    usage.add({ counter: 'c', number, records: [{ tenantId: 'tnt_a', day: '2026-01-01', amounts: { calls: 1 } }] });
  await count(1);
  const kind = tenantKind(store, { by: usageDays.by.days, before: () => count(2) });
  expect(await kind.erase?.('tnt_a')).toBe(1);
  expect(await kind.erase?.('tnt_a')).toBe(1);
  expect(await kind.erase?.('tnt_a')).toBe(0);
  await close();
});
