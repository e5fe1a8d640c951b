import { mkdtempSync, readdirSync, readSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test } from '@jest/globals';
import { ContentFile } from './content-file.ts';

const folder = mkdtempSync(join(tmpdir(), 'content-file-'));
let file: ContentFile;
beforeEach(async () => {
  file = await ContentFile.open(folder);
});
afterEach(() => file.close());
afterAll(() => rmSync(folder, { recursive: true }));

const read = (bytes: number): Buffer => {
  const buffer = Buffer.alloc(bytes);
  return buffer.subarray(0, readSync(file.fd, buffer, 0, bytes, 0));
};

test('holds what is written last, whole, also when writes overlap', async () => {
  const [long, short] = [Buffer.alloc(10_000_000, 'a'), Buffer.alloc(1_000_000, 'b')];
  await Promise.all([file.write([long.subarray(0, 7), long.subarray(7)]), file.write([short])]);
  expect(read(1_000_000).equals(short)).toBe(true);
  expect(read(10_000_000).subarray(1_000_000).equals(long.subarray(1_000_000))).toBe(true);
});

test('has no name', () => {
  expect(readdirSync(folder)).toEqual([]);
});

test('needs a folder', async () => {
  await expect(ContentFile.open('/dev/null')).rejects.toThrow('ENOTDIR');
});

test('takes the next content after one that could not be written', async () => {
  const closed = await ContentFile.open(folder);
  await closed.close();
  await expect(closed.write([Buffer.from('a')])).rejects.toThrow('closed');
  await expect(closed.write([Buffer.from('b')])).rejects.toThrow('closed');
});
