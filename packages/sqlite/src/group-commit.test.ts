import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import type { PendingTransaction } from './commit-schedule.ts';
import { GroupCommit } from './group-commit.ts';
import { LateFlush } from './late-flush.ts';

let driver: DatabaseSyncInstance;
let settled: string[];
beforeEach(() => {
  driver = new DatabaseSync(':memory:');
  driver.exec('CREATE TABLE t (n INTEGER PRIMARY KEY) STRICT');
  settled = [];
});
afterEach(() => driver.close());

const committing = (db = driver) =>
  new GroupCommit({ db, flushes: true, lateFlush: new LateFlush({ path: '', checkpoint: () => undefined }) });

function transaction(name: string, work: () => unknown, repeatable: boolean): PendingTransaction {
  return {
    work,
    repeatable,
    flushLater: false,
    deferred: false,
    resolve: (value) => settled.push(`${name} ${value}`),
    reject: (error) => settled.push(`${name} ${(error as { code: string }).code}`),
  };
}

describe('a group of transactions', () => {
  const inserting = (n: number, repeatable = true) =>
    transaction(`${n}`, () => driver.prepare('INSERT INTO t VALUES (?)').run(n).changes, repeatable);
  const stored = () => driver.prepare('SELECT n FROM t ORDER BY n').all();

  test('is committed together, and says how long it took to be durable', () => {
    const commits = committing();
    expect(commits.commit([inserting(1), inserting(2)], false)).toBeGreaterThanOrEqual(0);
    expect(settled).toEqual(['1 1', '2 1']);
    expect(stored()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(commits.rollbacks).toBe(0);
    commits.close();
  });

  test.each([true, false])('loses only the one that fails, whether they are repeatable (%p)', (repeatable) => {
    const commits = committing();
    commits.commit([inserting(1, repeatable), inserting(1, repeatable), inserting(2, repeatable)], false);
    expect(settled).toEqual(['1 1', '1 ERR_SQLITE_ERROR', '2 1']);
    expect(stored()).toEqual([{ n: 1 }, { n: 2 }]);
    expect(commits.rollbacks).toBeGreaterThan(0);
    commits.close();
  });
});

test('where the flush setting of the driver cannot be changed, the transactions are refused', () => {
  const broken = {
    prepare: (sql: string) => driver.prepare(sql),
    exec() {
      throw Object.assign(new Error('disk I/O error'), { sqliteExtendedCode: 10 });
    },
  };
  const commits = committing(broken as unknown as DatabaseSyncInstance);
  const work = jest.fn();
  expect(commits.commit([transaction('refused', work, false)], false)).toBeUndefined();
  expect(settled).toEqual(['refused 50301']);
  expect(work).not.toHaveBeenCalled();
  commits.close();
});
