import { expect, jest, test } from '@jest/globals';
import type { DatabaseSyncInstance } from '@photostructure/sqlite';
import { GroupCommit } from './group-commit.ts';
import { LateFlush } from './late-flush.ts';

test('where the flush setting of the driver cannot be changed, the transactions are refused', () => {
  const db = {
    prepare: () => ({}),
    exec() {
      throw Object.assign(new Error('disk I/O error'), { sqliteExtendedCode: 10 });
    },
  } as unknown as DatabaseSyncInstance;
  const commits = new GroupCommit({ db, flushes: true, lateFlush: new LateFlush({ path: '', checkpoint: () => undefined }) });
  const [work, resolve, reject] = [jest.fn(), jest.fn(), jest.fn()];
  const refused = { work, resolve, reject, repeatable: false, flushLater: false, deferred: false };
  expect(commits.commit([refused], false)).toBeUndefined();
  expect(reject).toHaveBeenCalledWith(expect.objectContaining({ code: '50301' }));
  expect([work, resolve].flatMap((each) => each.mock.calls)).toEqual([]);
  commits.close();
});
