import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from '@jest/globals';
import { useDirectory } from '@parcelway/kernel/testing/use-directory';
import { lockDataDirectory } from '@parcelway/sqlite/data-directory-lock';
import { type Finding, runChecks } from './check.ts';
import { embeddedChecks } from './embedded-checks.ts';

const directory = useDirectory();

async function findingOf(name: string): Promise<Finding | undefined> {
  const checks = embeddedChecks({ DATA_DIR: directory.path }).filter((check) => check.name === name);
  return (await runChecks(checks, (text) => text)).find(({ check }) => check === name);
}

test('a file that is no database is to be restored', async () => {
  writeFileSync(join(directory.path, 'parcelway.db'), 'not a database, but long enough to have a header of one '.repeat(20));
  const found = await findingOf('database');
  expect(found).toMatchObject({ status: 'wrong', message: expect.stringContaining('cannot be read') });
  expect(found?.next).toMatch(/restore the last backup/);
});

test('a file that somebody holds is not: nothing says that it is damaged', async () => {
  const unlock = lockDataDirectory(directory.path);
  renameSync(join(directory.path, 'lock.db'), join(directory.path, 'parcelway.db'));
  try {
    const found = await findingOf('database');
    expect(found).toMatchObject({ status: 'wrong', message: expect.stringMatching(/cannot be read.*locked/) });
    expect(found?.next).not.toMatch(/restore/);
  } finally {
    unlock();
  }
});
