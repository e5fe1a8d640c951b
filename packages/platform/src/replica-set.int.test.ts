import { expect, test } from '@jest/globals';
import { silentLogger } from '@parcelway/kernel/logger';
import { initiateReplicaSet } from './replica-set.ts';

const url = process.env['MONGODB_URL'] ?? '';
const [, member = ''] = /^mongodb:\/\/([^,/]+)/.exec(url) ?? [];

test('a server that belongs to a replica set is left as it is', async () => {
  expect(await initiateReplicaSet(member, url, silentLogger)).toBe(false);
});

test('a connection string without a replica set is refused before anything is asked', async () => {
  await expect(initiateReplicaSet('nowhere.invalid:1', 'mongodb://nowhere.invalid:1/', silentLogger)).rejects.toThrow(
    'names no replica set',
  );
});
