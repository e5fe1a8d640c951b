import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { BUNDLED, isAllowed, licenceFaults, shippedPackages, thirdPartyNotices } from './licences.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const packages = shippedPackages(root);

/** Packages of others that the pages import; of the documentation, the script alone goes into pages. */
function importedByThePages(): string[] {
  const folders = ['page/src', 'console/src', 'station/src', 'operator/src', 'docs-site/src/page', 'docs-site/src/search'];
  const files = folders.flatMap((name) =>
    readdirSync(join(root, 'packages', name), { recursive: true, encoding: 'utf8' }).map((file) => join(root, 'packages', name, file)),
  );
  const modules = files
    .filter((name) => /(?<!\.test)\.tsx?$/.test(name) && !name.includes('/testing/'))
    .flatMap((name) => [...readFileSync(name, 'utf8').matchAll(/^(?:import|export) (?!type )[^;]*?from '([^'./@][^'/]*)/gm)]);
  return [...new Set(modules.map(([, name]) => name as string))].sort();
}

describe('what ships', () => {
  test('has licences that are allowed, every one, and goes with their texts', () => {
    expect(packages.map(({ name }) => name)).toEqual(expect.arrayContaining(['ajv', 'express', 'mongoose', ...BUNDLED]));
    expect(packages.map(({ name }) => name)).not.toContain('jest');
    expect(licenceFaults(packages)).toEqual([]);
    const notices = thirdPartyNotices(packages, root);
    for (const { name, version, license } of packages) expect(notices).toContain(`${name} ${version} (${license})`);
    expect(notices).toContain('Permission is hereby granted, free of charge');
  });

  test('has all that the pages import', () => {
    expect(importedByThePages()).toEqual(BUNDLED);
  });
});

test('a package without an allowed licence is named, with what to do', () => {
  const [one] = packages;
  if (one === undefined) throw new Error('Nothing ships');
  expect(licenceFaults([{ ...one, license: 'AGPL-3.0-only' }])).toEqual([
    expect.stringMatching(/the licence AGPL-3\.0-only; allowed are .*MIT/),
  ]);
  expect(licenceFaults([{ ...one, license: undefined }])).toEqual([expect.stringContaining('names no licence')]);
});

test.each([
  ['MIT', true],
  ['(MIT OR GPL-3.0-only)', true],
  ['MIT AND OFL-1.1', true],
  ['MIT AND GPL-3.0-only', false],
  ['GPL-3.0-only OR MIT AND GPL-2.0-only', false],
  ['SEE LICENSE IN license.txt', false],
  ['', false],
])('%p is allowed: %p', (expression, allowed) => {
  expect(isAllowed(expression)).toBe(allowed);
});
