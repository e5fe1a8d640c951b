import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { openInstallation } from '../installation.ts';
import { backUpEmbedded, restoreEmbedded } from './embedded-backup.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parcelway-restore-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

const at = (name: string): string => join(directory, name);
const silent = (): void => undefined;

/** A backup of an installation in which nothing has happened. */
async function backUp(): Promise<string> {
  const source = at('source');
  openInstallation(source, 'sandbox');
  for (const name of [...serviceNames, 'bus']) new SqliteDatabase(join(source, `${name}.db`)).close();
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
  expect(existsSync(at('target/gateway.db'))).toBe(true);
  expect(() => openInstallation(at('target'), 'sandbox')).toThrow(/did not come to its end.*restore the backup again/);
  await expect(restoreEmbedded({ DATA_DIR: at('target') }, at('backup'), silent)).rejects.toThrow('is not empty');
});
