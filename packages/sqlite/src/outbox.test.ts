import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import fc from 'fast-check';
import { SqliteDatabase } from './database.ts';
import { SqliteOutbox } from './outbox.ts';

describe('SqliteOutbox', () => {
  let directory: string;
  let clock: ManualClock;
  let db: SqliteDatabase;
  let outbox: SqliteOutbox;

  const open = (): void => {
    db = new SqliteDatabase(join(directory, 'service.db'));
    db.migrate([SqliteOutbox.schema, 'CREATE TABLE state (name TEXT PRIMARY KEY) STRICT']);
    outbox = new SqliteOutbox(db, clock);
  };
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'outbox-'));
    clock = new ManualClock(1000);
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

  test('gives the oldest first, as they were written', async () => {
    await db.transaction(() => outbox.append({ topic: 'x', key: 'k/ü', value: '{"a":"绿"}' }));
    await write('2', '3');
    expect(await outbox.lease(2)).toEqual([
      { id: '1', topic: 'x', key: 'k/ü', value: '{"a":"绿"}' },
      { id: '2', topic: 't', key: 'k', value: '2' },
    ]);
  });

  test('gives the same again until they are removed', async () => {
    await write('1', '2', '3');
    expect(await values(2)).toEqual(['1', '2']);
    expect(await values(2)).toEqual(['1', '2']);
    await removeFirst(2);
    expect(await values(2)).toEqual(['3']);
  });

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

  test('unremoved messages survive a new opening, removed ones do not come back after flush', async () => {
    await write('1', '2', '3');
    await removeFirst(2);
    await outbox.flush();
    db.close();
    open();
    expect(await values()).toEqual(['3']);
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
    const end = Date.now() + 5000;
    while (db.get<{ n: number }>('SELECT count(*) AS n FROM outbox')?.n !== 0) {
      expect(Date.now()).toBeLessThan(end);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  });

  test('an id is never given twice, also when the outbox was empty', async () => {
    await write('1');
    await removeFirst(1);
    await outbox.flush();
    await write('2');
    expect((await outbox.lease(1)).map((entry) => entry.id)).toEqual(['2']);
  });

  test('depth tells how many wait and since when', async () => {
    expect(await outbox.depth()).toEqual({ count: 0, oldestAt: null });
    await write('1');
    clock.advance(500);
    await write('2', '3');
    expect(await outbox.depth()).toEqual({ count: 3, oldestAt: 1000 });
    await removeFirst(1);
    expect(await outbox.depth()).toEqual({ count: 2, oldestAt: 1500 });
  });

  test('law: what is taken out is what was put in, in order, for any mix of writes, removals and flushes', async () => {
    const steps = fc.array(
      fc.oneof(
        fc.constant('flush'),
        fc.constant('fail'),
        fc.nat(5).map((n) => ({ write: n })),
        fc.nat(5).map((n) => ({ take: n })),
      ),
    );
    await fc.assert(
      fc.asyncProperty(steps, async (plan) => {
        await removeFirst(1000);
        const put: string[] = [];
        const taken: string[] = [];
        for (const step of [...plan, { take: 1000 }]) {
          if (step === 'flush') await outbox.flush();
          else if (step === 'fail') {
            const failing = db.transaction(() => {
              outbox.append({ topic: 't', key: 'k', value: 'never' });
              throw new Error('rolled back');
            });
            await expect(failing).rejects.toThrow('rolled back');
          } else if ('write' in step) {
            const batch = Array.from({ length: step.write }, (_, index) => `${put.length + index}`);
            await write(...batch);
            put.push(...batch);
          } else {
            taken.push(...(await values(step.take)));
            await removeFirst(step.take);
          }
        }
        expect(taken).toEqual(put);
      }),
      { numRuns: 50 },
    );
  });
});
