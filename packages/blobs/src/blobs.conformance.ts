import { randomBytes } from 'node:crypto';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { BlobRange, Blobs } from './blobs.ts';

async function read(blobs: Blobs, key: string, range?: BlobRange): Promise<Buffer | undefined> {
  const stream = await blobs.open(key, range);
  return stream && buffer(stream);
}

/** What every object store must do. `open` gives an empty store; it is closed after each test. */
export function describeBlobs(name: string, open: () => Blobs | Promise<Blobs>): void {
  describe(`${name} blobs`, () => {
    let blobs: Blobs;
    beforeEach(async () => {
      blobs = await open();
    });
    afterEach(() => blobs.close());

    test('gives back the bytes', async () => {
      const content = randomBytes(3_000_001);
      const chunks = [content.subarray(0, 7), content.subarray(7, 2_000_000), content.subarray(2_000_000)];
      await blobs.put('pdf/ab/one', Readable.from(chunks), 'application/pdf');
      expect((await read(blobs, 'pdf/ab/one'))?.equals(content)).toBe(true);
    });

    test('keeps an empty object', async () => {
      await blobs.put('empty', Readable.from([]), 'text/plain');
      expect(await read(blobs, 'empty')).toHaveLength(0);
    });

    test('reads an inclusive range', async () => {
      await blobs.put('digits', Readable.from([Buffer.from('0123456789')]), 'text/plain');
      expect(String(await read(blobs, 'digits', { start: 2, end: 4 }))).toBe('234');
      expect(String(await read(blobs, 'digits', { start: 7, end: 99 }))).toBe('789');
      expect(String(await read(blobs, 'digits', { start: 0, end: 0 }))).toBe('0');
      await expect(blobs.open('digits', { start: 4, end: 3 })).rejects.toThrow(RangeError);
    });

    test('replaces an object', async () => {
      await blobs.put('same', Readable.from([Buffer.from('old and longer')]), 'text/plain');
      await blobs.put('same', Readable.from([Buffer.from('new')]), 'image/png');
      expect(String(await read(blobs, 'same'))).toBe('new');
    });

    test('reports a missing object and deletes without complaint', async () => {
      expect(await blobs.open('nothing')).toBeUndefined();
      await blobs.delete('nothing');
      await blobs.put('gone', Readable.from([Buffer.from('x')]), 'text/plain');
      await blobs.delete('gone');
      expect(await blobs.open('gone')).toBeUndefined();
    });

    test('keeps keys apart that are folders of one another', async () => {
      await blobs.put('a/b', Readable.from([Buffer.from('1')]), 'text/plain');
      await blobs.put('a', Readable.from([Buffer.from('2')]), 'text/plain');
      await blobs.put('a/b/c', Readable.from([Buffer.from('3')]), 'text/plain');
      expect(await Promise.all(['a/b', 'a', 'a/b/c'].map(async (key) => String(await read(blobs, key))))).toEqual(['1', '2', '3']);
    });

    test('leaves nothing of a stream that fails, and passes its error on', async () => {
      const failure = new Error('the sender went away');
      async function* broken() {
        yield Buffer.alloc(300_000, 1);
        throw failure;
      }
      await expect(blobs.put('broken', Readable.from(broken()), 'text/plain')).rejects.toBe(failure);
      expect(await blobs.open('broken')).toBeUndefined();
    });

    test('leaves nothing of a stream that is destroyed on the way', async () => {
      const source = new Readable({ read() {} });
      source.push(Buffer.alloc(100_000));
      const put = blobs.put('destroyed', source, 'text/plain');
      setImmediate(() => source.destroy());
      await expect(put).rejects.toThrow();
      expect(await blobs.open('destroyed')).toBeUndefined();
    });

    test('keeps the old object when its replacement fails', async () => {
      await blobs.put('kept', Readable.from([Buffer.from('old')]), 'text/plain');
      const source = new Readable({ read: () => void source.destroy(new Error('no more')) });
      await expect(blobs.put('kept', source, 'text/plain')).rejects.toThrow('no more');
      expect(String(await read(blobs, 'kept'))).toBe('old');
    });

    test('ends with one whole object when two write the same key', async () => {
      const contents = Array.from({ length: 8 }, (_, index) => Buffer.alloc(200_000, index));
      await Promise.all(contents.map((content) => blobs.put('contended', Readable.from([content]), 'text/plain')));
      const stored = await read(blobs, 'contended');
      expect(contents.some((content) => stored?.equals(content))).toBe(true);
    });

    test.each(['', '/a', 'A', '../a', 'a/../b', 'a\0', 'ä', 'a'.repeat(256)])('refuses the key %j', async (key) => {
      await expect(blobs.put(key, Readable.from([]), 'text/plain')).rejects.toThrow(RangeError);
      await expect(blobs.open(key)).rejects.toThrow(RangeError);
      await expect(blobs.delete(key)).rejects.toThrow(RangeError);
    });

    test('passes the health check', async () => {
      await expect(blobs.check()).resolves.toBeUndefined();
    });
  });
}
