import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { describeArchive } from './archive.conformance.ts';
import { archiveDay, readArchivePath } from './archive.ts';
import { openDirectoryArchive } from './directory-archive.ts';

const folder = useDirectory();

describeArchive('directory', async () => openDirectoryArchive(join(folder.path, 'archive')));

test('what cannot be written leaves nothing behind', async () => {
  const directory = folder.path;
  const archive = openDirectoryArchive(directory);
  await archive.put('a/one/two', Buffer.from('1'));
  await expect(archive.put('a/one', Buffer.from('2'))).rejects.toMatchObject({ code: '50301' });
  expect(await readdir(join(directory, 'a'))).toEqual(['one']);
});

test('folders go with the last object in them', async () => {
  const directory = folder.path;
  const archive = openDirectoryArchive(directory);
  for (const path of ['a/b/c/one', 'a/d/two']) await archive.put(path, Buffer.from('1'));
  await archive.delete('a/b/c/one');
  expect(await readdir(join(directory, 'a'))).toEqual(['d']);
  await archive.delete('a/d/two');
  expect(await readdir(directory)).toEqual([]);
  await archive.put('a/d/two', Buffer.from('2'));
  expect((await archive.get('a/d/two'))?.toString()).toBe('2');
});

test('a list lacks a file that is deleted meanwhile, and has the others', async () => {
  const directory = folder.path;
  const archive = openDirectoryArchive(directory);
  for (const path of ['a/one', 'a/three']) await archive.put(path, Buffer.from('1'));
  // The folder names it, and there is no file: so is one that is deleted between the two looks.
  await symlink(join(directory, 'none'), join(directory, 'a', 'two'));
  expect(await archive.list('a')).toEqual([
    { name: 'one', bytes: 1 },
    { name: 'three', bytes: 1 },
  ]);
});

test.each(['tnt_1/forecasts/2026/11/26/a.ndjson', 'tnt_1/other/2026/11/26/a.ndjson.gz', 'tnt_1/forecasts/26/11/26/a.ndjson.gz', 'a'])(
  '%s is no object of the archive',
  (path) => expect(readArchivePath(path)).toBeUndefined(),
);

test('the day is that of UTC', () => {
  expect(archiveDay(Date.UTC(2026, 10, 26, 23, 59))).toBe('2026-11-26');
});
