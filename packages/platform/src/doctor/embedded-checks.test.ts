import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { lockDataDirectory } from '@parcelway/sqlite/data-directory-lock';
import { type Finding, runChecks } from './check.ts';
import { embeddedChecks } from './embedded-checks.ts';

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'parcelway-doctor-'));
});
afterEach(() => rmSync(directory, { recursive: true }));

async function findingOf(name: string): Promise<Finding | undefined> {
  const checks = embeddedChecks({ DATA_DIR: directory }).filter((check) => check.name === name);
  return (await runChecks(checks, (text) => text)).find(({ check }) => check === name);
}

test('a file that is no database is to be restored', async () => {
  writeFileSync(join(directory, 'parcelway.db'), 'not a database, but long enough to have a header of one '.repeat(20));
  const found = await findingOf('database');
  expect(found).toMatchObject({ status: 'wrong', message: expect.stringContaining('cannot be read') });
  expect(found?.next).toMatch(/restore the last backup/);
});

test('a file that somebody holds is not: nothing says that it is damaged', async () => {
  const unlock = lockDataDirectory(directory);
  renameSync(join(directory, 'lock.db'), join(directory, 'parcelway.db'));
  try {
    const found = await findingOf('database');
    expect(found).toMatchObject({ status: 'wrong', message: expect.stringMatching(/cannot be read.*locked/) });
    expect(found?.next).not.toMatch(/restore/);
  } finally {
    unlock();
  }
});
