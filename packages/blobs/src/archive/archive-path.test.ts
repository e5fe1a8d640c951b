import { expect, test } from '@jest/globals';
import { archiveDay, archivePath, readArchivePath } from './archive-path.ts';

test('a path says tenant, kind, day and name', () => {
  const object = { tenantId: 'tnt_0192f0c1', kind: 'forecasts', day: '2026-11-26', name: 'a1b2' } as const;
  const path = 'tnt_0192f0c1/forecasts/2026/11/26/a1b2.ndjson.gz';
  expect(archivePath(object)).toBe(path);
  expect(readArchivePath(path)).toEqual(object);
});

test.each(['tnt_1/forecasts/2026/11/26/a.ndjson', 'tnt_1/other/2026/11/26/a.ndjson.gz', 'tnt_1/forecasts/26/11/26/a.ndjson.gz', 'a'])(
  '%s is no object of the archive',
  (path) => expect(readArchivePath(path)).toBeUndefined(),
);

test('the day is that of UTC', () => {
  expect(archiveDay(Date.UTC(2026, 10, 26, 23, 59))).toBe('2026-11-26');
});
