import { existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { openInstallation } from '../installation.ts';
import { backUpEmbedded, restoreEmbedded } from './embedded-backup.ts';

const directory = useDirectory();

const at = (name: string): string => join(directory.path, name);
const silent = (): void => undefined;

/** A backup of an installation in which nothing has happened. */
async function backUp(files: Readonly<Record<string, string>> = {}): Promise<string> {
  const source = at('source');
  openInstallation(source, 'sandbox');
  new SqliteDatabase(join(source, 'parcelway.db')).close();
  for (const [name, content] of Object.entries(files)) writeFileSync(join(source, name), content);
  await backUpEmbedded({ DATA_DIR: source }, at('backup'), silent);
  return at('backup');
}

test('what was restored is the installation that was backed up', async () => {
  await restoreEmbedded({ DATA_DIR: at('target') }, await backUp(), silent);
  expect(openInstallation(at('target'), 'sandbox')).toEqual(openInstallation(at('source'), 'sandbox'));
});

test('nothing starts on a restore that did not come to its end, and nothing is restored on top of it', async () => {
  const backup = await backUp();
  const endsEarly = async (): Promise<void> => {
    // Read for its checksum before, and gone when it is to be copied.
    await restoreEmbedded({ DATA_DIR: at('target') }, backup, () => rmSync(join(backup, 'installation.json')));
  };
  await expect(endsEarly()).rejects.toThrow('ENOENT');
  expect(existsSync(at('target/parcelway.db'))).toBe(true);
  expect(() => openInstallation(at('target'), 'sandbox')).toThrow(/was not completed.*restore the backup again/);
  await expect(restoreEmbedded({ DATA_DIR: at('target') }, at('backup'), silent)).rejects.toThrow('is not empty');
});

test('what was restored keeps the demo keys and does not lead to the platform that was backed up', async () => {
  const tenant = { id: 't1', name: 'Demo', api_key: 'pf_test_1' };
  const warehouse = { code: 'WH-1', api_key: 'pf_test_2' };
  const admin = { url: 'http://127.0.0.1:20001', token: 'admin-token-of-the-source' };
  const quickstart = { base_url: 'https://localhost:8443', ca_file: at('source/tls/cert.pem'), admin, tenant, warehouse };
  const files = { 'quickstart.json': JSON.stringify(quickstart), 'admin.json': JSON.stringify(admin), 'admin-token': admin.token };
  await restoreEmbedded({ DATA_DIR: at('target') }, await backUp(files), silent);
  expect(JSON.parse(readFileSync(at('target/quickstart.json'), 'utf8'))).toEqual({ tenant, warehouse });
  expect(statSync(at('target/quickstart.json')).mode & 0o777).toBe(0o600);
  expect(existsSync(at('target/admin.json'))).toBe(false);
  // Opens nothing without an address, and stays the token of the installation.
  expect(readFileSync(at('target/admin-token'), 'utf8')).toBe(admin.token);
});

test('a quickstart.json that was spoilt before the backup does not keep it from being restored', async () => {
  await restoreEmbedded({ DATA_DIR: at('target') }, await backUp({ 'quickstart.json': '{"admin": {' }), silent);
  expect(existsSync(at('target/quickstart.json'))).toBe(false);
  expect(openInstallation(at('target'), 'sandbox')).toEqual(openInstallation(at('source'), 'sandbox'));
});

test('contents that vanish while others are copied are passed over', async () => {
  const source = at('source');
  openInstallation(source, 'sandbox');
  new SqliteDatabase(join(source, 'parcelway.db')).close();
  mkdirSync(join(source, 'blobs/files'), { recursive: true });
  const names = Array.from({ length: 200 }, (_, index) => `content-${index}`);
  for (const name of names) writeFileSync(join(source, 'blobs/files', name), name);
  const backup = backUpEmbedded({ DATA_DIR: source }, at('backup'), silent);
  const copied = (name: string): boolean => existsSync(at(`backup/blobs/files/${name}`));
  while (!names.some(copied)) await new Promise((resolve) => setImmediate(resolve));
  for (const name of names) if (!copied(name)) rmSync(join(source, 'blobs/files', name));
  const { files } = await backup;
  const blobs = files.filter(({ path }) => path.startsWith('blobs/'));
  expect(blobs.length).toBeGreaterThan(0);
  expect(blobs.length).toBeLessThan(names.length);
});
