import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { until } from '@parcelway/kernel/testing/until';
import { SqliteDatabase } from './database.ts';
import { SqliteOutbox } from './outbox.ts';

/** What is SQLite's own: the transaction and the put-off removals. What every outbox does is in the platform's conformance suite. */
describe('SqliteOutbox', () => {
  let directory: string;
  let db: SqliteDatabase;
  let outbox: SqliteOutbox;

  const open = (): void => {
    db = new SqliteDatabase(join(directory, 'service.db'));
    db.migrate([SqliteOutbox.schema, 'CREATE TABLE state (name TEXT PRIMARY KEY) STRICT']);
    outbox = new SqliteOutbox(db);
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'outbox-'));
    open();
  });
  afterEach(() => {
    db.close();
    rmSync(directory, { recursive: true, force: true });
  });

  const write = (...values: string[]): Promise<void> =>
    db.transaction(() => {
      for (const value of values) outbox.append({ topic: 't', key: 'k', value });
    });
  const values = async (limit = 100): Promise<string[]> => (await outbox.lease(limit)).map((entry) => entry.value);
  const removeFirst = async (count: number): Promise<void> => outbox.remove((await outbox.lease(count)).map((entry) => entry.id));

  test('a message and its state change commit together or not at all', async () => {
    await db.transaction(() => {
      db.run('INSERT INTO state VALUES (?)', 'a');
      outbox.append({ topic: 't', key: 'k', value: '1' });
    });
    const failing = db.transaction(() => {
      outbox.append({ topic: 't', key: 'k', value: 'lost' });
      db.run('INSERT INTO state VALUES (?)', 'a');
    });
    await expect(failing).rejects.toThrow();
    expect(await values()).toEqual(['1']);
  });

  test('append outside a transaction is refused', () => {
    expect(() => outbox.append({ topic: 't', key: 'k', value: '1' })).toThrow('only allowed inside transaction');
  });

  test('a crash before the removal was written down repeats, and loses nothing', async () => {
    await write('1', '2');
    await removeFirst(2);
    expect(await values()).toEqual([]);
    db.close();
    open();
    expect(await values()).toEqual(['1', '2']);
  });

  test('removals are written down by themselves', async () => {
    await write('1');
    await removeFirst(1);
    await until(() => db.get<{ n: number }>('SELECT count(*) AS n FROM outbox')?.n === 0, { what: 'an empty outbox' });
  });
});
