import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { serverVariable } from '@parcelway/kernel/testing/server-variable';
import { createBucket } from '../minio-driver.ts';
import { MinioObjects } from '../minio-objects.ts';
import { describeArchive } from './archive.conformance.ts';
import { archivedObjects } from './archive.ts';
import { openBucketArchive } from './bucket-archive.ts';

const store = {
  url: serverVariable('S3_ENDPOINT'),
  region: serverVariable('S3_REGION'),
  accessKey: serverVariable('S3_ACCESS_KEY'),
  secretKey: serverVariable('S3_SECRET_KEY'),
  bucket: `archive-test-${randomBytes(6).toString('hex')}`,
};

beforeAll(() => createBucket(store));

async function clear(): Promise<void> {
  const archive = openBucketArchive(store);
  const remove = async (folder: string): Promise<void> => {
    for (const { name, bytes } of await archive.list(folder)) {
      const path = folder === '' ? name : `${folder}/${name}`;
      await (bytes === undefined ? remove(path) : archive.delete(path));
    }
  };
  await remove('');
  await archive.close();
}
afterAll(clear);

describeArchive('bucket', async () => {
  await clear();
  return openBucketArchive(store);
});

test('the objects lie below archive/, and a store that is out is reported as such', async () => {
  const archive = openBucketArchive(store);
  await archive.put('tnt_1/one', Buffer.from('1'));
  const copy = new MinioObjects(store);
  const names: string[] = [];
  for await (const name of copy.names()) names.push(name);
  expect(names).toContain('archive/tnt_1/one');
  copy.close();
  await archive.close();
  const away = openBucketArchive({ ...store, url: 'http://127.0.0.1:9' });
  await expect(away.put('a/b', Buffer.from('1'))).rejects.toMatchObject({ code: '50301' });
  await expect(archivedObjects(away, {}).next()).rejects.toMatchObject({ code: '50301' });
  await away.close();
});
