import { readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { type Installation, openInstallation } from '../installation.ts';
import { withKeptSecrets } from './kept-secrets.ts';

const directory = useDirectory();
let kept: Installation;
beforeEach(() => {
  kept = openInstallation(directory.path, 'sandbox');
});

test('takes the secrets that are not set from the data directory', () => {
  const { env, findings } = withKeptSecrets({ DATA_DIR: directory.path, MONGODB_URL: 'm' });
  expect(env).toEqual({ DATA_DIR: directory.path, MONGODB_URL: 'm', INTERNAL_SECRET: kept.internalSecret, FILE_SECRET: kept.fileSecret });
  const message = `INTERNAL_SECRET and FILE_SECRET are kept in ${directory.path}/installation.json`;
  expect(findings).toEqual([{ check: 'installation', status: 'ok', message }]);
});

test('a secret that is set wins', () => {
  const { env, findings } = withKeptSecrets({ DATA_DIR: directory.path, INTERNAL_SECRET: 'i'.repeat(32) });
  expect(env).toMatchObject({ INTERNAL_SECRET: 'i'.repeat(32), FILE_SECRET: kept.fileSecret });
  expect(findings).toMatchObject([{ status: 'ok', message: expect.stringMatching(/^FILE_SECRET is kept in/) }]);
});

test('reads nothing where both are set, and makes nothing where none are kept', () => {
  const set = { DATA_DIR: directory.path, ENVIRONMENT: 'production', INTERNAL_SECRET: 'i', FILE_SECRET: 'f' };
  expect(withKeptSecrets(set)).toEqual({ env: set, findings: [] });
  rmSync(join(directory.path, 'installation.json'));
  expect(withKeptSecrets({ DATA_DIR: directory.path })).toEqual({ env: { DATA_DIR: directory.path }, findings: [] });
  expect(readdirSync(directory.path)).toEqual([]);
});

test.each([
  ['another environment', { ENVIRONMENT: 'production' }, /belongs to the sandbox environment/],
  ['another FILE_SECRET', { FILE_SECRET: 'f'.repeat(32) }, /FILE_SECRET differs/],
])('finds %s, and takes no secret from there', (_what, given, message) => {
  const before = { DATA_DIR: directory.path, ...given };
  const { env, findings } = withKeptSecrets(before);
  expect(env).toEqual(before);
  expect(findings).toMatchObject([{ check: 'installation', status: 'wrong', message: expect.stringMatching(message) }]);
});

test('quotes nothing of a file that cannot be read', () => {
  writeFileSync(join(directory.path, 'installation.json'), `{"fileSecret": "${kept.fileSecret}`);
  const { findings } = withKeptSecrets({ DATA_DIR: directory.path });
  expect(findings).toMatchObject([{ status: 'wrong', message: expect.stringContaining('installation.json is not JSON') }]);
  expect(JSON.stringify(findings)).not.toContain(kept.fileSecret.slice(0, 8));
});

test('leaves a variable that is wrong to the other checks', () => {
  expect(withKeptSecrets({ DATA_DIR: directory.path, ENVIRONMENT: 'test' }).findings).toEqual([]);
});
