import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { describeOutbox } from './outbox.conformance.ts';

const plans = new QueryPlans([new URL('../../sqlite/src/outbox.ts', import.meta.url)]);

describeOutbox('SQLite', async (clock) => {
  const directory = mkdtempSync(join(tmpdir(), 'outbox-conformance-'));
  const open = () => {
    const db = plans.open(join(directory, 'service.db'));
    db.migrate([SqliteOutbox.schema]);
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

test('no statement of the outbox reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});
