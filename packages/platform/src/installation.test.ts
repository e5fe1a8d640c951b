import { cpSync, existsSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { fileSecretsOf, openInstallation, writeFileAtomically } from './installation.ts';
import { KeptStores } from './kept-stores.ts';
import { secretVariables, withSecretFiles } from './secret-files.ts';

const directory = useDirectory();

test('an installation keeps its secrets between starts', () => {
  const first = openInstallation(directory.path, 'sandbox');
  expect(openInstallation(directory.path, 'sandbox')).toEqual(first);
  expect(first.internalSecret).toHaveLength(43);
  expect(first.fileSecret).not.toBe(first.internalSecret);
  expect(statSync(join(directory.path, 'installation.json')).mode & 0o777).toBe(0o600);
});

test('secrets that are given win, and the one of file URLs never changes', () => {
  const given = { internalSecret: 'i'.repeat(32), fileSecret: 'f'.repeat(32) };
  expect(openInstallation(directory.path, 'sandbox', given)).toMatchObject(given);
  expect(openInstallation(directory.path, 'sandbox')).toMatchObject(given);
  expect(openInstallation(directory.path, 'sandbox', { internalSecret: 'j'.repeat(32) }).internalSecret).toBe('j'.repeat(32));
  expect(() => openInstallation(directory.path, 'sandbox', { fileSecret: 'g'.repeat(32) })).toThrow(/FILE_SECRET differs/);
});

test('of two file secrets the first one signs, both are accepted, and numbers stay those of the first of all', () => {
  expect(fileSecretsOf({ fileSecret: 'a' })).toEqual({ fileSecret: 'a', fileSecrets: ['a'], sealSecrets: ['a'], numberSecret: 'a' });
  expect(fileSecretsOf({ fileSecret: 'c', previousFileSecret: 'b', numberSecret: 'a' })).toEqual({
    fileSecret: 'c',
    fileSecrets: ['c', 'b'],
    sealSecrets: ['c', 'b', 'a'],
    numberSecret: 'a',
  });
});

test('a previous file secret without the secret of numbers is refused: numbers would change', () => {
  const kept = { ...openInstallation(directory.path, 'sandbox'), previousFileSecret: 'p'.repeat(32) };
  writeFileAtomically(join(directory.path, 'installation.json'), JSON.stringify(kept), 0o600);
  expect(() => openInstallation(directory.path, 'sandbox')).toThrow(/has a previousFileSecret and no numberSecret/);
});

test('a data directory of one environment does not serve the other', () => {
  openInstallation(directory.path, 'sandbox');
  expect(() => openInstallation(directory.path, 'production')).toThrow(/belongs to the sandbox environment.*DATA_DIR/);
});

test('a file is replaced whole and leaves nothing temporary behind', () => {
  const path = join(directory.path, 'deep', 'file.json');
  writeFileAtomically(path, 'one', 0o600);
  writeFileAtomically(path, 'two', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(join(directory.path, 'deep'))).toEqual(['file.json']);
});

describe('the stores of an installation', () => {
  const at = (name: string): string => join(directory.path, name);
  const open = (environment: 'sandbox' | 'production' = 'sandbox', where = directory.path): KeptStores =>
    new KeptStores(where, openInstallation(where, environment));
  function makeStores(where = directory.path): void {
    const stores = open('sandbox', where);
    new SqliteDatabase(stores.keep('forecast.db')).close();
    stores.keep('blobs/files/objects');
  }

  test.each(['forecast.db', 'blobs', 'blobs/files/objects'])('%s ends the start when it is removed', (store) => {
    makeStores();
    rmSync(at(store), { recursive: true });
    expect(() => open()).toThrow(new RegExp(`is incomplete: .*${store}.* is missing.*DATA_DIR=<new directory> parcelctl restore`));
    expect(existsSync(at(store))).toBe(false);
  });

  test('a file that is emptied ends the start', () => {
    makeStores();
    truncateSync(at('forecast.db'));
    expect(() => open()).toThrow(/forecast\.db is empty/);
    expect(statSync(at('forecast.db')).size).toBe(0);
  });

  test('a file of another installation ends the start', () => {
    makeStores();
    const other = join(directory.path, 'other');
    makeStores(other);
    cpSync(join(other, 'forecast.db'), at('forecast.db'));
    expect(() => open()).toThrow(/forecast\.db does not belong to this installation/);
  });

  test('stores without installation.json are of no new installation, whatever its environment', () => {
    makeStores();
    rmSync(at('installation.json'));
    for (const environment of ['sandbox', 'production'] as const)
      expect(() => open(environment)).toThrow(/installation\.json is missing beside .*forecast\.db/);
    expect(existsSync(at('installation.json'))).toBe(false);
  });

  test('a store that a later version adds is kept from then on', () => {
    makeStores();
    new SqliteDatabase(open().keep('added.db')).close();
    rmSync(at('added.db'));
    expect(() => open()).toThrow(/added\.db is missing/);
  });
});

const fileOf = (content: string): string => {
  const file = join(directory.path, 'secret');
  writeFileSync(file, content);
  return file;
};

test.each(secretVariables)('%s may be given as a file', (name) => {
  expect(withSecretFiles({ [`${name}_FILE`]: fileOf(' value\n'), OTHER: 'x' })).toMatchObject({ [name]: 'value', OTHER: 'x' });
});

test('values read from files can be passed on and read again', () => {
  const once = withSecretFiles({ ADMIN_TOKEN_FILE: fileOf('value') });
  expect(withSecretFiles(once)).toEqual({ ADMIN_TOKEN: 'value' });
});

test('what is no secret is not read from a file, and an empty name of a file is none', () => {
  const env = { PORT_FILE: fileOf('1'), ADMIN_TOKEN_FILE: '' };
  expect(withSecretFiles(env)).toEqual(env);
});

test('names what is given twice and what cannot be read, and shows neither', () => {
  const env = { MONGODB_URL: 'hunter2', MONGODB_URL_FILE: fileOf('hunter2'), REDIS_URL_FILE: join(directory.path, 'hunter2') };
  expect(() => withSecretFiles(env)).toThrow(/MONGODB_URL and MONGODB_URL_FILE are both set.*\n.*REDIS_URL_FILE cannot be read \(ENOENT\)/);
  expect(() => withSecretFiles(env)).not.toThrow(/hunter2/);
});
