import { PassThrough, Readable } from 'node:stream';
import { expect, test } from '@jest/globals';
import { PreviewUploads } from './preview-uploads.ts';

const bytes = (count: number): Readable => Readable.from([Buffer.alloc(count / 2, 1), Buffer.alloc(count / 2, 2)]);

test('uploads that are slow keep no other tenant from a preview', async () => {
  const uploads = new PreviewUploads(100);
  const slow = ['tnt_a', 'tnt_b', 'tnt_c', 'tnt_d'].map((tenantId) => uploads.begin(tenantId));
  const pending = slow.map((upload) => upload.receive(new PassThrough()));
  const content = await uploads.begin('tnt_e').receive(bytes(50));
  expect([content.length, content[0], content[49]]).toEqual([50, 1, 2]);
  expect(pending).toHaveLength(4);
});

test('a tenant has one at a time', () => {
  const uploads = new PreviewUploads();
  const first = uploads.begin('tnt_a');
  expect(() => uploads.begin('tnt_a')).toThrow('Another preview of yours');
  first.end();
  const second = uploads.begin('tnt_a');
  first.end();
  expect(() => uploads.begin('tnt_a')).toThrow('Another preview of yours');
  second.end();
});

test('all of them hold so many bytes', async () => {
  const uploads = new PreviewUploads(120);
  const first = uploads.begin('tnt_a');
  await first.receive(bytes(60));
  const second = uploads.begin('tnt_b');
  await expect(second.receive(bytes(60))).rejects.toMatchObject({ code: '50301' });
  second.end();
  first.end();
  expect(await uploads.begin('tnt_c').receive(bytes(60))).toHaveLength(60);
});
