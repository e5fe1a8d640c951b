import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteKeys } from './sqlite-keys.ts';

/** The columns with which keys began. */
const KEYS = `CREATE TABLE keys (key_id TEXT PRIMARY KEY, tenant_id TEXT, warehouse_code TEXT, description TEXT NOT NULL, created_at INTEGER NOT NULL,
  expires_at INTEGER, revoked_at INTEGER) STRICT`;

test('keys of links from before they were set apart are among them, and no longer name the operator', async () => {
  const db = new SqliteDatabase(':memory:');
  const before = [KEYS, SqliteKeys.selfServiceSchema];
  db.migrate(before);
  const named = 'Link to the console, by operator alice';
  await db.transaction(() => {
    const insert = 'INSERT INTO keys (key_id, tenant_id, description, created_at, expires_at, created_by) VALUES (?, ?, ?, 1, ?, ?)';
    db.run(insert, 'key_1', 'tnt_a', named, 5, null);
    db.run(insert, 'key_2', 'tnt_a', named, 5, 'key_1');
    db.run(insert, 'key_3', 'tnt_a', 'Till', 5, null);
  });
  db.migrate([...before, SqliteKeys.linksSchema]);
  expect(db.all('SELECT key_id, description, is_link FROM keys ORDER BY key_id')).toEqual([
    { key_id: 'key_1', description: 'Link to the console, by the operator', is_link: 1 },
    { key_id: 'key_2', description: named, is_link: 0 },
    { key_id: 'key_3', description: 'Till', is_link: 0 },
  ]);
  db.close();
});
