import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteIdempotencyStore } from '@parcelway/sqlite/idempotency';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { SqliteUsage, usageKind } from '@parcelway/sqlite/usage';
import { SqliteWorkLease } from '@parcelway/sqlite/work-lease';
import { describeIdempotencyStore } from './idempotency.conformance.ts';
import { describeOutbox } from './outbox.conformance.ts';
import { describeUsageStore } from './usage/usage-store.conformance.ts';
import { describeWorkLease } from './work-lease.conformance.ts';

const plans = new QueryPlans(
  ['idempotency.ts', 'outbox.ts', 'usage.ts', 'work-lease.ts'].map((name) => new URL(`../../sqlite/src/${name}`, import.meta.url)),
);

/** One file with the tables of all stores: their plans are looked at together. */
function openStores(path?: string): SqliteDatabase {
  const db = plans.open(path);
  db.migrate([SqliteIdempotencyStore.schema, SqliteOutbox.schema, SqliteUsage.schema(), SqliteWorkLease.schema]);
  return db;
}

describeIdempotencyStore('SQLite', async () => {
  const db = openStores();
  return { store: new SqliteIdempotencyStore(db), close: async () => db.close() };
});

describeUsageStore('SQLite', async () => {
  const db = openStores();
  return { store: new SqliteUsage(db), kind: usageKind(db), close: async () => db.close() };
});

describeWorkLease('SQLite', async () => {
  const db = openStores();
  return { open: (name) => new SqliteWorkLease(db, name), close: async () => db.close() };
});

describeOutbox('SQLite', async (clock) => {
  const directory = mkdtempSync(join(tmpdir(), 'outbox-conformance-'));
  const open = () => {
    const db = openStores(join(directory, 'service.db'));
    return { db, outbox: new SqliteOutbox(db, clock) };
  };
  let current = open();
  return {
    source: () => current.outbox,
    write: (messages) => current.db.transaction(() => messages.forEach((message) => void current.outbox.append(message))),
    async writeInVain(messages) {
      const failing = current.db.transaction(() => {
        for (const message of messages) current.outbox.append(message);
        throw new Error('rolled back');
      });
      await expect(failing).rejects.toThrow('rolled back');
    },
    async reopen() {
      current.db.close();
      current = open();
    },
    async close() {
      current.db.close();
      rmSync(directory, { recursive: true });
    },
  };
});

test('no statement of a store reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
