import { open, readdir, readFile, readlink, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { describeBlobs } from './blobs.conformance.ts';
import { openFilesystemBlobs } from './filesystem-driver.ts';
import { writeStream } from './local-files.ts';

const folder = useDirectory();

/** Open files of this process in the folder. */
async function openFiles(): Promise<number> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((path) => path.startsWith(folder.path)).length;
}

describeBlobs('filesystem', () => openFilesystemBlobs(folder.path));

test('keeps objects over a restart and removes what a crash left half-made', async () => {
  const directory = folder.path;
  const before = await openFilesystemBlobs(directory);
  await before.put('kept', Readable.from([Buffer.from('content')]), 'application/pdf');
  await before.close();
  await writeFile(join(directory, 'tmp', 'half'), 'half of a fi');

  const after = await openFilesystemBlobs(directory);
  expect(String(await buffer((await after.open('kept')) as Readable))).toBe('content');
  expect(await readdir(join(directory, 'tmp'))).toEqual([]);
});

test('leaves no temporary file of a failed write', async () => {
  const directory = folder.path;
  const blobs = await openFilesystemBlobs(directory);
  const source = new Readable({ read: () => void source.destroy(new Error('gone')) });
  await expect(blobs.put('broken', source, 'text/plain')).rejects.toThrow('gone');
  expect(await readdir(join(directory, 'tmp'))).toEqual([]);
});

test('responds with 50301 when the disk does not take the file', async () => {
  const directory = folder.path;
  const blobs = await openFilesystemBlobs(directory);
  await rm(join(directory, 'tmp'), { recursive: true });
  const source = Readable.from([Buffer.alloc(200_000)]);
  await expect(blobs.put('refused', source, 'text/plain')).rejects.toMatchObject({ code: '50301' });
  await expect(blobs.check()).rejects.toMatchObject({ code: '50301' });
  expect(await blobs.open('refused')).toBeUndefined();
});

test('responds with 50301 when the folder cannot be made', async () => {
  const directory = folder.path;
  await writeFile(join(directory, 'occupied'), 'a file');
  await expect(openFilesystemBlobs(join(directory, 'occupied'))).rejects.toMatchObject({ code: '50301' });
  expect(await readFile(join(directory, 'occupied'), 'utf8')).toBe('a file');
});

test('opens no file for a range that ends before it begins', async () => {
  const blobs = await openFilesystemBlobs(folder.path);
  await blobs.put('digits', Readable.from([Buffer.from('0123456789')]), 'text/plain');
  await expect(blobs.open('digits', { start: 4, end: 3 })).rejects.toThrow(RangeError);
  expect(await openFiles()).toBe(0);
});

test('a stream that fails while its file is being made has failed once the file is there to be removed', async () => {
  let make = (): void => undefined;
  const slow = new Promise<void>((resolve) => (make = resolve));
  const path = join(folder.path, 'late');
  let isMade = false;
  const source = new Readable({ read: () => void source.destroy(new Error('gone')) });
  const written = writeStream(source, async () => {
    await slow;
    const file = await open(path, 'wx');
    isMade = true;
    await file.close();
    return file;
  }).catch((error: Error) => [error.message, isMade]);
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  make();
  expect(await written).toEqual(['gone', true]);
});
