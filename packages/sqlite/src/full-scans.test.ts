import { expect, test } from '@jest/globals';
import { SqliteDatabase } from './database.ts';
import { fullScansOf } from './full-scans.ts';

test('finds statements that go through a whole table or index, and no others', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(['CREATE TABLE t (id INTEGER PRIMARY KEY, name TEXT, other TEXT) STRICT; CREATE INDEX t_name ON t (name)']);
  db.get('SELECT * FROM t WHERE name = ?', 'a');
  db.get('SELECT 1 AS one');
  db.all('SELECT value FROM json_each(?) JOIN t ON name = value', '[]');
  await db.transaction(() => db.run('INSERT INTO t (name) VALUES (?)', 'a'));
  expect(fullScansOf(db)).toEqual([]);
  db.get('SELECT * FROM t WHERE other = ?', 'a');
  db.all('SELECT name FROM t ORDER BY name');
  await db.transaction(() => db.run('DELETE FROM t WHERE other = ?', 'a'));
  expect(fullScansOf(db)).toEqual([
    'SCAN t: SELECT * FROM t WHERE other = ?',
    'SCAN t USING COVERING INDEX t_name: SELECT name FROM t ORDER BY name',
    'SCAN t: DELETE FROM t WHERE other = ?',
  ]);
  expect(fullScansOf(db, ['other = ?', 'ORDER BY name'])).toEqual([]);
  db.close();
});
