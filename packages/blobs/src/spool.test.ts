import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { Spool } from './spool.ts';

let directory: string;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'spool-'));
});
afterAll(() => rm(directory, { recursive: true, force: true }));

test('keeps bytes, size and hash, for more than one reader, without a file to be seen', async () => {
  const spool = await Spool.fill(directory, Readable.from([Buffer.from('ab'), Buffer.from('c')]));
  expect(spool).toMatchObject({ size: 3, sha256: 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad' });
  expect(String(await buffer(spool.read()))).toBe('abc');
  expect(String(await buffer(spool.read()))).toBe('abc');
  expect(await readdir(directory)).toEqual([]);
  await spool.close();
});

test('accepts nothing', async () => {
  const spool = await Spool.fill(directory, Readable.from([]));
  expect(spool.size).toBe(0);
  expect((await buffer(spool.read())).length).toBe(0);
  await spool.close();
});

test('passes on the failure of its source, also one from before it was asked', async () => {
  const failure = new Error('the sender went away');
  const source = new Readable({ read: () => void source.destroy(failure) });
  await expect(Spool.fill(directory, source)).rejects.toBe(failure);
  const early = new Readable({ read() {} });
  early.destroy(failure);
  await expect(Spool.fill(directory, early)).rejects.toBe(failure);
});

test('is 50301 when the disk does not take it, and lets go of the source', async () => {
  const source = Readable.from([Buffer.from('abc')]);
  await expect(Spool.fill(join(directory, 'missing'), source)).rejects.toMatchObject({ code: '50301' });
  expect(source.destroyed).toBe(true);
  await expect(Spool.check(join(directory, 'missing'))).rejects.toMatchObject({ code: '50301' });
  await expect(Spool.check(directory)).resolves.toBeUndefined();
});

test('has a bound over all spools together, and is free again when they are closed', async () => {
  const chunk = Buffer.alloc(1024 * 1024);
  const many = function* (count: number): Generator<Buffer> {
    for (let index = 0; index < count; index += 1) yield chunk;
  };
  const first = await Spool.fill(directory, Readable.from(many(200)));
  await expect(Spool.fill(directory, Readable.from(many(57)))).rejects.toMatchObject({ code: '50301' });
  await first.close();
  const second = await Spool.fill(directory, Readable.from(many(57)));
  await second.close();
});
