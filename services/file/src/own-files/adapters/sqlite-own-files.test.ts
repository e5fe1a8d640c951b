import { expect, test } from '@jest/globals';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { QueryPlans } from '@parcelway/sqlite/testing/query-plans';
import { shownNumbers } from '../../adapters/file-store.conformance.ts';
import { SqliteFileStore } from '../../adapters/sqlite-file-store.ts';
import { fileMigrations } from '../../adapters/sqlite-schema.ts';
import { SqliteFileRetention } from '../../retention/adapters/sqlite-file-retention.ts';
import { describeOwnFiles } from '../own-files.conformance.ts';
import { SqliteOwnFiles } from './sqlite-own-files.ts';
import { ownFileTables } from './sqlite-own-files-schema.ts';

const plans = new QueryPlans(
  [
    './sqlite-own-files.ts',
    '../../retention/adapters/sqlite-file-uses.ts',
    '../../retention/adapters/sqlite-image-uses.ts',
    '../../adapters/sqlite-file-rows.ts',
  ].map((path) => new URL(path, import.meta.url)),
  {
    'SELECT count(*) AS count FROM (': 'counts MAX_COUNTED_USES at most',
    'FROM pending_uploads WHERE abandoned = 1 OR': 'a sweep over the uploads in flight and those that a crash left, which it removes',
  },
  ['idempotency_keys', 'usage_days', 'work_places', 'documents', 'document_orders', 'outbox'],
);

describeOwnFiles('SQLite', async () => {
  const db = plans.open();
  const store = new SqliteFileStore(db, shownNumbers);
  return {
    store,
    ownFiles: new SqliteOwnFiles(db, shownNumbers),
    retention: new SqliteFileRetention(db),
    close: async () => db.close(),
  };
});

test('no statement reads more rows than it returns', () => {
  expect(plans.findings()).toEqual([]);
});

test('uses that were noted by a former version are current, without fields, until a later version of the forecast', async () => {
  const db = new SqliteDatabase(':memory:');
  db.migrate(fileMigrations.slice(0, fileMigrations.indexOf(ownFileTables)));
  await db.transaction(() => {
    db.run('INSERT INTO file_uses_since (one, uploaded_at) VALUES (1, 5)');
    for (const [token, at] of [
      ['A', 4],
      ['B', 5],
    ] as const) {
      db.run(
        `INSERT INTO files (tenant_id, md5, sha256, storage_key, token, name, size, uploaded_at) VALUES ('tnt_1', ?, ?, ?, ?, 'a.pdf', 1, ?)`,
        token,
        token,
        token,
        token,
        at,
      );
    }
    db.run("INSERT INTO file_uses (tenant_id, token, forecast_no) VALUES ('tnt_1', 'B', 'F1')");
  });
  const store = new SqliteFileStore(db, shownNumbers);
  const own = new SqliteOwnFiles(db, shownNumbers);
  const [a, b] = [await store.fileByToken('A'), await store.fileByToken('B')];
  const hide = (id: number | undefined) => own.hide('tnt_1', id ?? 0, 9);
  expect(await own.usesOf('tnt_1', 'B')).toEqual({ uses: [{ forecastNo: 'F1', poNumber: null, fields: [] }], count: 1 });
  expect((await own.list('tnt_1', { isUsed: true, limit: 9 })).map(({ token }) => token)).toEqual(['B']);
  expect([await hide(a?.id), await hide(b?.id)]).toEqual(['unknown', 'used']);
  const retention = new SqliteFileRetention(db);
  await retention.noteUses({ tenantId: 'tnt_1', forecastNo: 'F1', poNumber: 'PO', version: 2, files: [] });
  expect(await hide(b?.id)).toBe('hidden');
  db.close();
});
