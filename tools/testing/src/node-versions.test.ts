import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { OLDEST, RUNTIME } from './node-versions.ts';

/* The versions of Node.js are named in many files; they must agree. */

const root = fileURLToPath(new URL('../../..', import.meta.url));
const read = (name: string): string => readFileSync(`${root}${name}`, 'utf8');

/** Dependencies whose next major version needs a newer Node.js than the oldest, with the major version that they stay on. */
const HELD_BACK: Readonly<Record<string, string>> = {
  '@opentelemetry/resources': '2',
  '@opentelemetry/sdk-trace-base': '2',
  '@photostructure/sqlite': '1',
  '@types/node': '20',
  commander: '14',
  'dependency-cruiser': '17',
  opossum: '9',
  testcontainers: '11',
  undici: '7',
};

test('images run on the version that is tested', () => {
  expect(read('Dockerfile')).toContain(`ARG NODE_IMAGE=node:${RUNTIME}-`);
});

test('package.json allows what is tested, and nothing older', () => {
  const { engines } = JSON.parse(read('package.json')) as { engines: { node: string } };
  expect(`${engines.node}.0`).toBe(`>=${OLDEST}`);
  expect(read('README.md')).toContain(`Node.js ${OLDEST.replace(/\.0$/, '')} or newer`);
});

test('CI runs the tests on both', () => {
  expect(read('.ci/run')).toContain('count npm run --silent test:node\n');
  expect(read('tools/testing/src/real-main.ts')).toContain('...onRuntime()');
});

describe('a dependency that is held back', () => {
  const { packages } = JSON.parse(read('package-lock.json')) as { packages: Record<string, { version: string }> };

  test.each(Object.entries(HELD_BACK))('%s is installed in major version %s', (name, held) => {
    expect(packages[`node_modules/${name}`]?.version.split('.')[0]).toBe(held);
  });
});
