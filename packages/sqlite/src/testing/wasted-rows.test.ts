import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { SqliteDatabase } from '../database.ts';
import { wastedRows } from './wasted-rows.ts';

describe('wastedRows', () => {
  let db: SqliteDatabase;
  beforeEach(() => {
    db = new SqliteDatabase(':memory:');
    db.migrate([
      `CREATE TABLE parcels (id INTEGER PRIMARY KEY, tenant TEXT, state TEXT, at INTEGER, data TEXT, owner INTEGER REFERENCES parcels (id)) STRICT;
       CREATE INDEX parcels_at ON parcels (tenant, at);
       CREATE TABLE numbers (tenant TEXT, number TEXT, parcel INTEGER, PRIMARY KEY (tenant, number)) STRICT, WITHOUT ROWID;
       CREATE TABLE entries (tenant TEXT, number TEXT, parcel INTEGER, PRIMARY KEY (tenant, number)) STRICT, WITHOUT ROWID;
       CREATE INDEX entries_of_parcel ON entries (parcel);
       CREATE TABLE contents (parcel INTEGER PRIMARY KEY, content TEXT) STRICT;`,
    ]);
  });
  afterEach(() => db.close());

  test.each([
    ['a look-up', 'SELECT * FROM parcels WHERE id = ?'],
    ['a look-up with a condition', 'SELECT * FROM parcels WHERE id = ? AND state = ?'],
    ['a page', 'SELECT * FROM parcels WHERE tenant = ? ORDER BY at LIMIT ?'],
    ['a page behind a position', 'SELECT * FROM parcels WHERE tenant = ? AND (at, id) < (?, ?) ORDER BY at DESC, id DESC LIMIT ?'],
    ['a range', 'SELECT * FROM parcels WHERE tenant = ? AND at >= ? AND at < ?'],
    ['the first of a table', 'SELECT * FROM parcels ORDER BY id LIMIT ?'],
    ['sorting what is returned', 'SELECT * FROM parcels WHERE tenant = ? ORDER BY data'],
    ['the least', 'SELECT min(at) FROM parcels WHERE tenant = ?'],
    ['the greatest', 'SELECT max(at) FROM parcels WHERE tenant = ?'],
    [
      'a look-up for each of a list',
      'SELECT number FROM json_each(?) CROSS JOIN numbers ON tenant = ? AND number = value WHERE parcel <> ?',
    ],
    ['a list that is looked up', 'SELECT * FROM parcels WHERE id IN (SELECT value FROM json_each(?))'],
    ['parts of one row', 'SELECT value FROM contents, json_each(content) WHERE parcel = ?'],
    ['a join that always finds', 'SELECT * FROM parcels LEFT JOIN contents ON parcel = id WHERE tenant = ?'],
    ['a page of a join that always finds', 'SELECT * FROM parcels LEFT JOIN contents ON parcel = id WHERE tenant = ? ORDER BY at LIMIT ?'],
    ['whether there is one', 'SELECT *, EXISTS (SELECT 1 FROM numbers WHERE tenant = p.tenant) AS has FROM parcels p ORDER BY id LIMIT ?'],
    ['a removal through an index', 'DELETE FROM entries WHERE parcel = ?'],
    ['the newest, oldest first', 'SELECT * FROM (SELECT * FROM parcels WHERE tenant = ? ORDER BY at DESC LIMIT ?) ORDER BY at'],
    ['a change of a range', 'UPDATE parcels SET state = ? WHERE tenant = ? AND at < ?'],
    [
      'a change of some of a range',
      'UPDATE parcels SET state = ? WHERE id IN (SELECT id FROM parcels WHERE tenant = ? AND at < ? LIMIT ?)',
    ],
    [
      'a removal of a list by a key of two columns',
      'DELETE FROM numbers WHERE tenant = ?1 AND number IN (SELECT number FROM numbers WHERE tenant = ?1 ORDER BY number LIMIT ?)',
    ],
    ['an insert', 'INSERT INTO numbers VALUES (?, ?, ?) ON CONFLICT DO NOTHING'],
    ['an insert of a list', 'INSERT INTO numbers SELECT ?, value, ? FROM json_each(?) WHERE true ON CONFLICT DO NOTHING'],
  ])('passes %s', (_, sql) => {
    expect(wastedRows(db, sql)).toEqual([]);
  });

  test.each([
    ['a condition beside the index', 'SELECT * FROM parcels WHERE tenant = ? AND state = ?', 'reads rows of parcels_at and drops them'],
    ['one that an index could filter', 'SELECT * FROM parcels WHERE tenant = ? AND at % 2 = 0', 'reads rows of parcels_at and drops them'],
    [
      'a page of some',
      'SELECT * FROM parcels WHERE tenant = ? AND state = ? ORDER BY at LIMIT 1',
      'reads rows of parcels_at and drops them',
    ],
    [
      'joining from the wrong side',
      'SELECT number FROM numbers CROSS JOIN json_each(?) ON number = value WHERE tenant = ?',
      'reads rows of numbers and drops them',
    ],
    [
      'a join that may find nothing',
      'SELECT * FROM parcels CROSS JOIN contents ON parcel = id WHERE tenant = ?',
      'reads rows of parcels_at and drops them',
    ],
    [
      'a condition on an outer join',
      'SELECT * FROM parcels LEFT JOIN contents ON parcel = id WHERE tenant = ? AND content IS NULL',
      'reads rows of parcels_at and drops them',
    ],
    [
      'what does not exist elsewhere',
      'SELECT id FROM parcels p WHERE tenant = ? AND NOT EXISTS (SELECT 1 FROM contents WHERE parcel = p.id)',
      'reads rows of parcels_at and drops them',
    ],
    ['repeats', 'SELECT DISTINCT state FROM parcels WHERE tenant = ?', 'reads rows of parcels_at and drops them'],
    ['a table', 'SELECT * FROM parcels', 'goes through all of parcels'],
    ['an index', 'SELECT tenant, at FROM parcels ORDER BY tenant, at', 'goes through all of parcels_at'],
    ['a count', 'SELECT count(*) FROM parcels WHERE tenant = ?', 'sums up rows of parcels_at'],
    [
      'a count of a page',
      'SELECT count(*) FROM (SELECT at FROM parcels WHERE tenant = ? ORDER BY at LIMIT ?)',
      'sums up rows of parcels_at',
    ],
    ['sums of groups', 'SELECT state, count(*) FROM parcels WHERE tenant = ? GROUP BY state', 'sums up rows of parcels_at'],
    ['a count of all', 'SELECT count(*) FROM contents', 'counts all rows of a table'],
    ['a page in another order', 'SELECT * FROM parcels WHERE tenant = ? ORDER BY data LIMIT ?', 'sorts before it stops at its LIMIT'],
    ['a page by its number', 'SELECT * FROM parcels WHERE tenant = ? ORDER BY at LIMIT ? OFFSET ?', 'skips rows by OFFSET'],
    ['a change of some', 'UPDATE parcels SET at = ? WHERE tenant = ? AND state = ?', 'reads rows of parcels_at and drops them'],
    [
      'a removal of some of a list',
      'DELETE FROM parcels WHERE state = ? AND id IN (SELECT id FROM parcels WHERE tenant = ? ORDER BY at LIMIT ?)',
      'reads a list of parcels and drops some',
    ],
    [
      'a removal of some of a list by a key of two columns',
      'DELETE FROM numbers WHERE tenant = ?1 AND parcel > ? AND number IN (SELECT number FROM numbers WHERE tenant = ?1 ORDER BY number LIMIT ?)',
      'reads a list of numbers and drops some',
    ],
    ['a removal of some', 'DELETE FROM parcels WHERE tenant = ? AND state = ?', 'reads rows of parcels_at and drops them'],
    ['a reference without an index', 'DELETE FROM parcels WHERE id = ?', 'goes through all of parcels'],
    [
      'a join without an index',
      'SELECT * FROM parcels p JOIN contents c ON c.content = p.data WHERE p.tenant = ?',
      'goes through all of contents',
    ],
  ])('finds %s', (_, sql, reason) => {
    expect(wastedRows(db, sql)).toContain(reason);
  });

  test('finds ties of a position that the index does not distinguish', () => {
    const sql = 'SELECT * FROM parcels WHERE tenant = ? AND (at, data) < (?, ?) ORDER BY at DESC LIMIT ?';
    expect(wastedRows(db, sql)).toEqual(['reads rows of parcels_at and drops them']);
  });
});
