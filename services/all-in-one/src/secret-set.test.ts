import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { readObjectStore, readSecrets } from '@parcelway/platform/distributed-config';
import { withSecretFiles } from '@parcelway/platform/secret-files';
import { makeSecrets } from './secret-set.ts';

const names = ['admin-token', 'file-secret', 'internal-secret', 's3-access-key', 's3-secret-key'];

const directory = useDirectory();

const read = (name: string): string => readFileSync(join(directory.path, name), 'utf8').trim();
const all = (): string[] => names.map(read);

test('makes each secret once, for its own user only', () => {
  expect([...makeSecrets(directory.path, {})].sort()).toEqual(names);
  expect(readdirSync(directory.path).sort()).toEqual(names);
  for (const name of names) expect(statSync(join(directory.path, name)).mode & 0o777).toBe(0o400);
  expect(new Set(all()).size).toBe(names.length);

  const made = all();
  expect(makeSecrets(directory.path, {})).toEqual([]);
  expect(all()).toEqual(made);
});

test('what it makes is what the services take', () => {
  makeSecrets(directory.path, {});
  const files = Object.fromEntries(names.map((name) => [`${name.toUpperCase().replaceAll('-', '_')}_FILE`, join(directory.path, name)]));
  const env = withSecretFiles({ ...files, S3_ENDPOINT: 'http://s3:7070' });
  expect(readSecrets(env)).toMatchObject({ internalSecrets: [read('internal-secret')], file: { fileSecret: read('file-secret') } });
  expect(readObjectStore(env)).toMatchObject({ accessKey: read('s3-access-key'), secretKey: read('s3-secret-key') });
  expect(env['ADMIN_TOKEN']).toBe(read('admin-token'));
});

test('a value that is given takes the place of the one kept', () => {
  makeSecrets(directory.path, { FILE_SECRET: 'given at the first start, and never again' });
  expect(read('file-secret')).toBe('given at the first start, and never again');
  expect(makeSecrets(directory.path, { S3_SECRET_KEY: 'given', S3_ACCESS_KEY: '' })).toEqual(['s3-secret-key']);
  expect(read('s3-secret-key')).toBe('given');
});

test('the file secret does not change by the environment', () => {
  makeSecrets(directory.path, {});
  const kept = read('file-secret');
  expect(() => makeSecrets(directory.path, { FILE_SECRET: 'another one that is long enough' })).toThrow(
    'change it as docs/operate.md says',
  );
  expect(read('file-secret')).toBe(kept);
});

test('an empty file is reported as a fault and not used as a secret', () => {
  makeSecrets(directory.path, {});
  const file = join(directory.path, 'internal-secret');
  chmodSync(file, 0o600);
  writeFileSync(file, '\n');
  expect(() => makeSecrets(directory.path, {})).toThrow(/internal-secret is empty/);
});
