import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { builtVersion } from './built-version.ts';

describe('the version that is replaced', () => {
  let directory: string;
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'version-'));
  });
  afterEach(() => rmSync(directory, { recursive: true, force: true }));

  const build = (name: string): string => {
    const root = join(directory, name);
    const dist = join(root, 'services', 'all-in-one', 'dist');
    mkdirSync(dist, { recursive: true });
    writeFileSync(join(dist, 'migrate-main.js'), '');
    return root;
  };

  test('is a checkout that is built', () => {
    const [own, other] = [build('own'), build('other')];
    expect(builtVersion(join(own, '..', 'other'), own)).toBe(other);
    mkdirSync(join(directory, 'bare'));
    expect(() => builtVersion(join(directory, 'bare'), own)).toThrow('--from names no built checkout');
    expect(() => builtVersion(join(directory, 'absent'), own)).toThrow('--from names no built checkout');
    expect(() => builtVersion(join(directory, 'absent'), own, 'BACKUP_FROM')).toThrow('BACKUP_FROM names no built checkout');
  });

  test('is not the one that replaces it, however that is named', () => {
    const own = build('own');
    const link = join(directory, 'link');
    symlinkSync(own, link);
    for (const name of [own, `${own}/`, link]) expect(() => builtVersion(name, own)).toThrow('--from names this version itself');
  });
});
