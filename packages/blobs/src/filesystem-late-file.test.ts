import { mkdtempSync, rmSync } from 'node:fs';
import * as files from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, expect, jest, test } from '@jest/globals';

/** Lets the file of a write be made; until then the disk is slow. */
let make: (() => void) | undefined;
let opening = (): void => undefined;

jest.mock('node:fs/promises', () => ({
  ...files,
  open: async (...args: Parameters<typeof files.open>) => {
    if (args[1] === 'wx') {
      const made = new Promise<void>((resolve) => {
        make = resolve;
      });
      opening();
      await made;
    }
    return files.open(...args);
  },
}));

const directory = mkdtempSync(join(tmpdir(), 'blobs-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

test('leaves no temporary file of a write that fails before its file is made', async () => {
  // Loaded after its file system was replaced.
  const { openFilesystemBlobs } = await import('./filesystem-driver.ts');
  const blobs = await openFilesystemBlobs(directory);
  const source = new Readable({ read: () => undefined });
  const begun = new Promise<void>((resolve) => {
    opening = resolve;
  });
  const failed = expect(blobs.put('broken', source, 'text/plain')).rejects.toThrow('gone');
  await begun;
  const ended = new Promise((resolve) => source.once('close', resolve));
  source.destroy(new Error('gone'));
  await ended;
  // Time for what follows from the failure; the file is made after it.
  for (let turn = 0; turn < 5; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  await files.readdir(join(directory, 'tmp'));
  make?.();
  await failed;
  // The file of the sink would be made by now.
  for (let turn = 0; turn < 100; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  expect(await files.readdir(join(directory, 'tmp'))).toEqual([]);
  await blobs.close();
});
