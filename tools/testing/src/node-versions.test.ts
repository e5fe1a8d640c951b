import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { OLDEST, RUNTIME } from './node-versions.ts';

/* The versions of Node.js are named in many files; they must agree. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');
const page = read('docs/node-versions.md');

test('images run on the version that is tested', () => {
  expect(read('Dockerfile')).toContain(`ARG NODE_IMAGE=node:${RUNTIME}-`);
  expect(page).toContain(`| Container image, GitHub workflows | ${RUNTIME} |`);
});

test('package.json allows what is tested, and nothing older', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(`${engines.node}.0`).toBe(`>=${OLDEST}`);
  expect(page).toContain(`${OLDEST.replace(/\.0$/, '')} or newer`);
});

test('CI runs the tests on both', () => {
  expect(read('.ci/run')).toContain('count npm run --silent test:node\n');
  expect(read('tools/testing/src/real-main.ts')).toContain('...onRuntime()');
});

describe('a dependency that is held back', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };
  const rows = [...page.matchAll(/^\| (`.+`) \| (\d+) \|/gm)].flatMap(([, names, held]) =>
    [...(names as string).matchAll(/`([^`]+)`/g)].map(([, name]) => [name as string, held as string] as const),
  );

  test('is listed', () => expect(rows.length).toBeGreaterThan(6));

  test.each(rows)('%s is installed in major version %s', (name, held) => {
    expect(packages[`node_modules/${name}`]?.version.split('.')[0]).toBe(held);
  });
});
