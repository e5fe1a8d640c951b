import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { copyTogether } from './copy-together.ts';
import { SqliteDatabase } from './database.ts';

let directory: string;
let left: SqliteDatabase;
let right: SqliteDatabase;
const at = (name: string): string => join(directory, name);

beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'copy-'));
  [left, right] = ['left.db', 'right.db'].map((name) => {
    const db = new SqliteDatabase(at(name));
    db.migrate(['CREATE TABLE steps (number INTEGER PRIMARY KEY, filling TEXT) STRICT']);
    return db;
  }) as [SqliteDatabase, SqliteDatabase];
});
afterEach(() => {
  left.close();
  right.close();
  rmSync(directory, { recursive: true, force: true });
});

const last = (db: SqliteDatabase): number => db.get<{ number: number | null }>('SELECT max(number) AS number FROM steps')?.number ?? 0;

test('files that are written to in turns are copied as of one moment', async () => {
  const filling = 'x'.repeat(2000);
  let written = 0;
  let stopped = false;
  /** Each step goes to the left and then to the right: at any moment the left is at most one step ahead. */
  const writer = (async () => {
    while (!stopped) {
      written += 1;
      for (const db of [left, right]) await db.transaction(() => db.run('INSERT INTO steps VALUES (?, ?)', written, filling));
    }
  })();
  while (written < 200) await new Promise((resolve) => setImmediate(resolve));
  for (let round = 0; round < 2; round += 1) {
    const before = written - 1;
    let during = 0;
    // The right one first: copied one after the other it would be behind by all that is written meanwhile.
    const orders = ['right.db', 'left.db'].map((name) => ({ from: at(name), to: at(`copy-${round}-${name}`) }));
    await copyTogether(orders, () => {
      during = written;
    });
    expect(written).toBeGreaterThan(during);
    const copies = ['left', 'right'].map((name) => new SqliteDatabase(at(`copy-${round}-${name}.db`)));
    const [l, r] = copies.map(last) as [number, number];
    for (const copy of copies) copy.close();
    expect(r).toBeGreaterThanOrEqual(before);
    expect(l - r === 0 || l - r === 1).toBe(true);
  }
  stopped = true;
  await writer;
});

test('a file that does not exist is no reason to make one', async () => {
  await expect(copyTogether([{ from: at('none/none.db'), to: at('copy.db') }])).rejects.toThrow();
});
