import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, expect, test } from '@jest/globals';
import { describeBlobs } from './blobs.conformance.ts';
import { openFilesystemBlobs } from './filesystem-driver.ts';

const made: string[] = [];
async function newDirectory(): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'blobs-'));
  made.push(directory);
  return directory;
}
afterAll(async () => {
  for (const directory of made) await rm(directory, { recursive: true, force: true });
});

describeBlobs('filesystem', async () => openFilesystemBlobs(await newDirectory()));

test('keeps objects over a restart and removes what a crash left half-made', async () => {
  const directory = await newDirectory();
  const before = await openFilesystemBlobs(directory);
  await before.put('kept', Readable.from([Buffer.from('content')]), 'application/pdf');
  await before.close();
  await writeFile(join(directory, 'tmp', 'half'), 'half of a fi');

  const after = await openFilesystemBlobs(directory);
  expect(String(await buffer((await after.open('kept')) as Readable))).toBe('content');
  expect(await readdir(join(directory, 'tmp'))).toEqual([]);
});

test('leaves no temporary file of a failed write', async () => {
  const directory = await newDirectory();
  const blobs = await openFilesystemBlobs(directory);
  const source = new Readable({ read: () => void source.destroy(new Error('gone')) });
  await expect(blobs.put('broken', source, 'text/plain')).rejects.toThrow('gone');
  expect(await readdir(join(directory, 'tmp'))).toEqual([]);
});

test('responds with 50301 when the disk does not take the file', async () => {
  const directory = await newDirectory();
  const blobs = await openFilesystemBlobs(directory);
  await rm(join(directory, 'tmp'), { recursive: true });
  const source = Readable.from([Buffer.alloc(200_000)]);
  await expect(blobs.put('refused', source, 'text/plain')).rejects.toMatchObject({ code: '50301' });
  await expect(blobs.check()).rejects.toMatchObject({ code: '50301' });
  expect(await blobs.open('refused')).toBeUndefined();
});

test('responds with 50301 when the folder cannot be made', async () => {
  const directory = await newDirectory();
  await writeFile(join(directory, 'occupied'), 'a file');
  await expect(openFilesystemBlobs(join(directory, 'occupied'))).rejects.toMatchObject({ code: '50301' });
  expect(await readFile(join(directory, 'occupied'), 'utf8')).toBe('a file');
});
