import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { PreviewUploads } from './preview-uploads.ts';

const bytes = (count: number): Readable => Readable.from([Buffer.alloc(count / 2, 1), Buffer.alloc(count / 2, 2)]);

test('a tenant has one at a time, and one that is slow keeps no other tenant from a preview', async () => {
  const uploads = new PreviewUploads(100);
  const slow = new PassThrough();
  const pending = uploads.hold('tnt_a', (receive) => receive(slow));
  await expect(uploads.hold('tnt_a', async () => 0)).rejects.toThrow('Another preview of yours');
  const content = await uploads.hold('tnt_e', (receive) => receive(bytes(50)));
  expect([content.length, content[0], content[49]]).toEqual([50, 1, 2]);
  slow.end();
  await pending;
  expect(await uploads.hold('tnt_a', async () => 1)).toBe(1);
});

test('all of them hold so many bytes, until their work has ended', async () => {
  const uploads = new PreviewUploads(120);
  await uploads.hold('tnt_a', async (receive) => {
    await receive(bytes(60));
    await expect(uploads.hold('tnt_b', (other) => other(bytes(60)))).rejects.toMatchObject({ code: '50301' });
  });
  expect(await uploads.hold('tnt_c', (receive) => receive(bytes(60)))).toHaveLength(60);
});
