import { readdirSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { sqlLiterals } from '@parcelway/sqlite/testing/sql-literals';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

/** SQL whose plans do not matter: a person runs these, on a file that other processes work with or none; or its table is there for moments only. */
const NOT_CHECKED = [
  'packages/sqlite/src/inspection.ts',
  'packages/bus/src/embedded-inspection.ts',
  'packages/sqlite/src/copy-together.ts',
  'packages/sqlite/src/secure-delete.ts',
];

const files = ['packages', 'services'].flatMap((folder) =>
  readdirSync(`${ROOT}${folder}`, { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /^\w+\/[^/]+\/src\/.*\.ts$/.test(path)),
);
const isTest = (path: string): boolean => /\.(test|conformance)\.ts$|\/testing\//.test(path);

test('every file with SQL is among those whose query plans a test checks', () => {
  const withSql = files.filter((path) => !isTest(path) && sqlLiterals(readFileSync(`${ROOT}${path}`, 'utf8')).length > 0);
  const checks = files
    .filter((path) => path.endsWith('.test.ts'))
    .map((path) => readFileSync(`${ROOT}${path}`, 'utf8'))
    .filter((text) => text.includes('new QueryPlans('));
  expect(withSql.length).toBeGreaterThan(20);
  expect(NOT_CHECKED.filter((path) => !withSql.includes(path))).toEqual([]);
  const unchecked = withSql.filter((path) => !NOT_CHECKED.includes(path) && !checks.some((text) => text.includes(basename(path))));
  expect(unchecked).toEqual([]);
});
