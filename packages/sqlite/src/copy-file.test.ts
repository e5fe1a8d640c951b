import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { copyFile } from './copy-file.ts';
import { SqliteDatabase } from './database.ts';

const directory = useDirectory();
let db: SqliteDatabase;
const at = (name: string): string => join(directory.path, name);

beforeEach(() => {
  db = new SqliteDatabase(at('file.db'));
  db.migrate(['CREATE TABLE steps (number INTEGER PRIMARY KEY, filling TEXT) STRICT']);
});
afterEach(() => {
  db.close();
});

test('a file that is written to without a pause is copied as of one moment', async () => {
  const filling = 'x'.repeat(2000);
  let written = 0;
  let stopped = false;
  const writer = (async () => {
    while (!stopped) {
      await db.transaction(() => db.run('INSERT INTO steps VALUES (?, ?)', written + 1, filling));
      written += 1;
    }
  })();
  while (written < 200) await new Promise((resolve) => setImmediate(resolve));
  let seen = 0;
  await copyFile(at('file.db'), at('copy.db'), () => {
    seen = written;
  });
  // It went on meanwhile.
  expect(written).toBeGreaterThan(seen);
  stopped = true;
  await writer;
  const copy = new SqliteDatabase(at('copy.db'));
  const { last, count } = copy.get<{ last: number; count: number }>('SELECT max(number) AS last, count(*) AS count FROM steps') ?? {
    last: 0,
    count: 0,
  };
  copy.close();
  // What is committed and not yet on the disk may be in it.
  expect([last - seen === 0 || last - seen === 1, count]).toEqual([true, last]);
});

test('a file that does not exist is no reason to make one', async () => {
  await expect(copyFile(at('none.db'), at('copy.db'))).rejects.toThrow();
});
