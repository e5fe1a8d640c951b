import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteOutbox } from '@parcelway/sqlite/outbox';
import { describeOutbox } from './outbox.conformance.ts';

describeOutbox('SQLite', async (clock) => {
  const directory = mkdtempSync(join(tmpdir(), 'outbox-conformance-'));
  const open = () => {
    const db = new SqliteDatabase(join(directory, 'service.db'));
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
