import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { SqliteStoreDriver } from '@parcelway/store/sqlite/sqlite-store-driver';
import { sqliteSchema } from '@parcelway/store/sqlite/sqlite-table';
import { storedCollections } from './stored-data.ts';

test.each(Object.entries(storedCollections))(
  'every declared index of %s serves its reads without a scan and without a sort',
  async (_service, declared) => {
    const db = new SqliteDatabase(':memory:');
    db.migrate([sqliteSchema(declared)]);
    const driver = new SqliteStoreDriver({ db });
    const found: string[] = [];
    for (const index of declared.flatMap(({ indexes }) => indexes)) {
      // By its first fields. Over everything, an index is read from one end.
      for (let fixed = 1; fixed <= index.declared; fixed += 1) {
        const eq = index.fields.slice(0, fixed).map(() => 'x');
        const wrong = await driver.plan(index, { eq, limit: 10, backwards: false });
        found.push(...wrong.map((why) => `${index.collection.name}.${index.name}: ${why}`));
      }
    }
    db.close();
    expect(found).toEqual([]);
  },
);
