import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { programs } from './programs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('every program has a source', () => {
  expect(Object.values(programs).filter((source) => !existsSync(join(root, source)))).toEqual([]);
});

test('every program that users start is built', () => {
  const manifests = readdirSync(join(root, 'k8s'), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.yaml'));
  const users = ['Dockerfile', 'docker-compose.yml', 'package.json', 'docs/distributed.md', ...manifests.map((name) => join('k8s', name))];
  const started = users.flatMap((name) => [...readFileSync(join(root, name), 'utf8').matchAll(/(?:[\s["]|\/app\/)dist\/([a-z-]+)\.js/g)]);
  const names = new Set(started.map(([, name]) => name as string));
  expect(names.size).toBeGreaterThan(10);
  expect([...names].filter((name) => !(name in programs))).toEqual([]);
});
