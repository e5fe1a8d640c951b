import { createHash } from 'node:crypto';
import { readdir, readlink } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { Spool } from './spool.ts';

const directory = useDirectory();

const MEBIBYTE = Buffer.alloc(1024 * 1024, 'a');
const LARGE = 49;

function* many(count: number, chunk = MEBIBYTE): Generator<Buffer> {
  for (let index = 0; index < count; index += 1) yield chunk;
}

/** How many files this process has open in the folder, without a name. */
async function openFiles(): Promise<number> {
  const links = await Promise.all((await readdir('/proc/self/fd')).map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')));
  return links.filter((path) => path.startsWith(directory.path)).length;
}

test('keeps bytes and size, for more than one reader, and hashes on the way', async () => {
  const hash = createHash('sha256');
  const spool = await Spool.fill(directory.path, Readable.from([Buffer.from('ab'), Buffer.from('c')]), hash);
  expect(spool.size).toBe(3);
  expect(hash.digest('hex')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
  expect(String(await buffer(spool.read()))).toBe('abc');
  expect(String(await buffer(spool.read()))).toBe('abc');
  await spool.close();
});

test('is on the disk, without a file to be seen', async () => {
  const spool = await Spool.fill(directory.path, Readable.from(many(LARGE)));
  expect([await readdir(directory.path), await openFiles()]).toEqual([[], 1]);
  for (let pass = 0; pass < 2; pass += 1) {
    const read = await buffer(spool.read());
    expect(read.equals(Buffer.alloc(LARGE * MEBIBYTE.length, 'a'))).toBe(true);
  }
  await spool.close();
  expect(await openFiles()).toBe(0);
});

test('accepts nothing', async () => {
  const spool = await Spool.fill(directory.path, Readable.from([]));
  expect(spool.size).toBe(0);
  expect((await buffer(spool.read())).length).toBe(0);
  await spool.close();
});

test('passes on the failure of its source, also one from before it was asked', async () => {
  const failure = new Error('the sender went away');
  const source = new Readable({ read: () => void source.destroy(failure) });
  await expect(Spool.fill(directory.path, source)).rejects.toBe(failure);
  const early = new Readable({ read() {} });
  early.destroy(failure);
  await expect(Spool.fill(directory.path, early)).rejects.toBe(failure);
});

test('is 50301 when the disk does not take it, and lets go of the source', async () => {
  const source = Readable.from(many(2 * LARGE));
  await expect(Spool.fill(join(directory.path, 'missing'), source)).rejects.toMatchObject({ code: '50301' });
  expect(source.destroyed).toBe(true);
});

test('says of a folder that it cannot use which it is and why', async () => {
  const missing = join(directory.path, 'missing');
  await expect(Spool.check(missing)).rejects.toThrow(new RegExp(`ENOENT: .* '${missing}/.*TMPDIR`));
  await expect(Spool.check(directory.path)).resolves.toBeUndefined();
});

test('has a bound over all spools together, and is free again when they are closed or fail', async () => {
  const first = await Spool.fill(directory.path, Readable.from(many(200)));
  for (let attempt = 0; attempt < 2; attempt += 1) {
    await expect(Spool.fill(directory.path, Readable.from(many(57)))).rejects.toMatchObject({ code: '50301' });
  }
  await first.close();
  const second = await Spool.fill(directory.path, Readable.from(many(57)));
  await second.close();
  expect(await openFiles()).toBe(0);
});

test('closes the file of a source that fails while it is written', async () => {
  const failure = new Error('the sender went away');
  const source = Readable.from(
    (function* () {
      yield* many(LARGE);
      throw failure;
    })(),
  );
  await expect(Spool.fill(directory.path, source)).rejects.toBe(failure);
  expect(await openFiles()).toBe(0);
});
