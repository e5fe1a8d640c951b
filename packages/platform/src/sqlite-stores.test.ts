import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import type { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeOutbox } from './outbox.conformance.ts';

const plans = new QueryPlans(['outbox.ts'].map((name) => new URL(`../../sqlite/src/${name}`, import.meta.url)));

/** One file with the tables of all stores: their plans are looked at together. */
function openStores(path?: string): SqliteDatabase {
  const db = plans.open(path);
  db.migrate([SqliteOutbox.schema]);
  return db;
}

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
