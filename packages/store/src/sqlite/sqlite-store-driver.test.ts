import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { CommittedMessages } from '@parcelway/sqlite/testing/committed-messages';
import Type from 'typebox';
import { collection } from '../collection.ts';
import { errands, shelves } from '../testing/shelf.ts';
import { describeStore } from '../testing/store.conformance.ts';
import { SqliteStoreDriver } from './sqlite-store-driver.ts';
import { sqliteSchema } from './sqlite-table.ts';

const collections = [shelves, errands];

describeStore('SQLite', async () => {
  const db = new SqliteDatabase(':memory:');
  db.declare(sqliteSchema(collections));
  const log = new CommittedMessages(db);
  const tables = db.all<{ name: string }>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'`);
  return {
    driver: new SqliteStoreDriver({ db, log }),
    messages: () => log.lease(100),
    async clear() {
      await log.remove((await log.lease(1000)).map(({ id }) => id));
      await db.transaction(() => {
        for (const { name } of tables) db.run(`DELETE FROM "${name}"`);
      });
    },
    async close() {
      db.close();
    },
  };
});

test('a file gets the collections and indexes that it lacks, keeps its documents, and is refused when a table has another shape', async () => {
  const db = new SqliteDatabase(':memory:', 'shop');
  const fields = { shelf: Type.String(), row: Type.Integer(), colour: Type.Optional(Type.String()) };
  const declared = (first: readonly ('shelf' | 'row' | '-row' | 'colour')[], heavy: readonly 'colour'[] = []) =>
    collection('boxes', Type.Object(fields, { additionalProperties: false }), {
      describe: 'Boxes',
      tenant: { none: 'a test' },
      key: ['shelf', 'row'],
      lists: { first },
      heavy,
      shard: 'shelf',
      ends: 'never',
    });
  db.declare(sqliteSchema([declared(['row'])]));
  const [driver, row] = [() => new SqliteStoreDriver({ db }), { shelf: 'a', row: 1, colour: 'red' }];
  const boxes = declared(['shelf', '-row']);
  await driver().write([{ kind: 'insert', in: boxes, key: ['a', 1], value: row, messages: [] }], {});
  for (let start = 0; start < 2; start += 1) db.declare(sqliteSchema([boxes, errands]));
  const range = { eq: ['a'], limit: 2, backwards: false };
  expect(await driver().scan(boxes.by.first, range, [])).toMatchObject([{ value: row }]);
  expect(await driver().plan(boxes.by.first, range)).toEqual([]);
  const indexes = () => db.all("SELECT rootpage FROM sqlite_schema WHERE name = 'shop_boxes__first'").length;
  // A list in the order of the key needs no index.
  for (const [list, count] of [
    [boxes, 1],
    [declared(['shelf', 'row']), 0],
  ] as const) {
    db.declare(sqliteSchema([list]));
    expect(indexes()).toBe(count);
  }
  const others = [declared(['colour']), declared(['shelf', '-row'], ['colour'])];
  for (const other of others)
    expect(() => db.declare(sqliteSchema([other]))).toThrow(/Another version of the platform made the table shop_boxes/);
  db.close();
});
