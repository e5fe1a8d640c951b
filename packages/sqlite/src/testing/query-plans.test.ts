import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import type { SqliteDatabase } from '../database.ts';
import { type Exceptions, QueryPlans } from './query-plans.ts';

const SCHEMA = [
  `CREATE TABLE parcels (id INTEGER PRIMARY KEY, tenant_id TEXT NOT NULL, parcel_no TEXT NOT NULL, state TEXT NOT NULL, created_at INTEGER NOT NULL) STRICT;
   CREATE UNIQUE INDEX parcels_no ON parcels (tenant_id, parcel_no);
   CREATE INDEX parcels_newest ON parcels (tenant_id, created_at);
   CREATE TABLE numbers (tenant_id TEXT NOT NULL, number TEXT NOT NULL, parcel_id INTEGER NOT NULL REFERENCES parcels (id),
     PRIMARY KEY (tenant_id, number)) STRICT, WITHOUT ROWID;`,
];
const BY_STATE = 'SELECT * FROM parcels WHERE tenant_id = ? AND state = ?';
/** In whichever order the planner likes: without statistics it takes the list for longer than the numbers of the tenant. */
const TAKEN = 'SELECT number FROM json_each(?) JOIN numbers ON tenant_id = ? AND number = value WHERE parcel_id <> ?';
/** With statistics, the planner takes a tenant that has most parcels for all of them. */
const PAGE = 'SELECT * FROM parcels WHERE tenant_id = ? AND id > ? ORDER BY id LIMIT ?';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'query-plans-'));
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

async function findingsOf(run: (db: SqliteDatabase) => void, exceptions: Exceptions = {}, source = ''): Promise<string[]> {
  const file = join(directory, 'sqlite-parcels.ts');
  writeFileSync(file, source);
  const plans = new QueryPlans([pathToFileURL(file)], exceptions);
  const db = plans.open();
  db.migrate(SCHEMA);
  await db.transaction(() => {
    const { lastInsertRowid } = db.run("INSERT INTO parcels VALUES (NULL, 'tnt_a', 'P1', 'new', 1)");
    db.run("INSERT INTO numbers VALUES ('tnt_a', 'N1', ?)", lastInsertRowid);
  });
  run(db);
  db.close();
  return plans.findings();
}

test('finds a planted statement that reads what it drops', async () => {
  const found = await findingsOf((db) => db.all(BY_STATE, 'tnt_a', 'new'));
  expect(found).toContainEqual(
    expect.stringMatching(/^reads rows of parcels_\w+ and drops them: SELECT \* FROM parcels .* \[empty, filled/),
  );
});

test('finds a plan that is only made without statistics, and one that is only made with them', async () => {
  expect(await findingsOf((db) => db.all(TAKEN, '["N1"]', 'tnt_a', 7))).toEqual([
    expect.stringMatching(/^reads rows of numbers and drops them: SELECT number FROM json_each.* \[empty, filled\]$/),
  ]);
  expect(await findingsOf((db) => db.all(PAGE, 'tnt_a', 0, 9))).toContainEqual(
    expect.stringMatching(/^reads rows of parcels and drops them: SELECT \* FROM parcels .*filled and analysed\]$/),
  );
});

test('finds nothing in statements that read what they return', async () => {
  const found = await findingsOf((db) => {
    db.get('SELECT * FROM parcels WHERE tenant_id = ? AND parcel_no = ?', 'tnt_a', 'P1');
    db.all(TAKEN.replace('JOIN', 'CROSS JOIN'), '["N1"]', 'tnt_a', 7);
  });
  expect(found).toEqual([]);
});

test('leaves out what is named with a reason, and says when nothing needs that', async () => {
  expect(await findingsOf((db) => db.all(BY_STATE, 'tnt_a', 'new'), { 'AND state = ?': 'planted' })).toEqual([]);
  expect(await findingsOf(() => undefined, { 'AND state = ?': 'planted' })).toEqual(['exception that nothing needs: AND state = ?']);
});

test('finds SQL that no test has run, whole or in part', async () => {
  const source = `
    // It isn't run. SELECT nothing.
    const ONE = 'SELECT * FROM parcels WHERE tenant_id = ? AND parcel_no = ?';
    const OTHER = \`SELECT \${COLUMNS} FROM parcels
      WHERE tenant_id = ? AND state = ?\`;
    const PART = held ? ' AND state = ?' : ' AND created_at > ?';
    const NO_TABLE = 'SELECT 1 AS one';
  `;
  const run = (db: SqliteDatabase): void => {
    db.all('SELECT id, state FROM parcels WHERE tenant_id = ? AND state = ?', 'tnt_a', 'new');
  };
  expect(await findingsOf(run, { 'AND state = ?': 'planted' }, source)).toEqual([
    'not run: sqlite-parcels.ts: SELECT * FROM parcels WHERE tenant_id = ? AND parcel_no = ?',
    'not run: sqlite-parcels.ts: AND created_at > ?',
  ]);
});

test('finds tables that no test has written to', async () => {
  const plans = new QueryPlans([]);
  const db = plans.open();
  db.migrate(SCHEMA);
  db.close();
  expect(plans.findings()).toEqual(['table without a row: parcels', 'table without a row: numbers']);
});
