import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { fileSecretsOf, openInstallation, writeFileAtomically } from './installation.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parcelway-installation-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

test('an installation keeps its secrets between starts', () => {
  const first = openInstallation(directory, 'sandbox');
  expect(openInstallation(directory, 'sandbox')).toEqual(first);
  expect(first.internalSecret).toHaveLength(43);
  expect(first.fileSecret).not.toBe(first.internalSecret);
  expect(statSync(join(directory, 'installation.json')).mode & 0o777).toBe(0o600);
});

test('secrets that are given win, and the one of file URLs never changes', () => {
  const given = { internalSecret: 'i'.repeat(32), fileSecret: 'f'.repeat(32) };
  expect(openInstallation(directory, 'sandbox', given)).toMatchObject(given);
  expect(openInstallation(directory, 'sandbox')).toMatchObject(given);
  expect(openInstallation(directory, 'sandbox', { internalSecret: 'j'.repeat(32) }).internalSecret).toBe('j'.repeat(32));
  expect(() => openInstallation(directory, 'sandbox', { fileSecret: 'g'.repeat(32) })).toThrow(/FILE_SECRET differs/);
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
  const kept = { ...openInstallation(directory, 'sandbox'), previousFileSecret: 'p'.repeat(32) };
  writeFileAtomically(join(directory, 'installation.json'), JSON.stringify(kept), 0o600);
  expect(() => openInstallation(directory, 'sandbox')).toThrow(/has a previousFileSecret and no numberSecret/);
});

test('a data directory of one environment does not serve the other', () => {
  openInstallation(directory, 'sandbox');
  expect(() => openInstallation(directory, 'production')).toThrow(/belongs to the sandbox environment.*DATA_DIR/);
});

test('a file is replaced whole and leaves nothing temporary behind', () => {
  const path = join(directory, 'deep', 'file.json');
  writeFileAtomically(path, 'one', 0o600);
  writeFileAtomically(path, 'two', 0o600);
  expect(readFileSync(path, 'utf8')).toBe('two');
  expect(readdirSync(join(directory, 'deep'))).toEqual(['file.json']);
});
