import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { programs } from './programs.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

test('the build makes every program that users start', () => {
  const below = (folder: string) =>
    readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const users = ['Dockerfile', 'docker-compose.yml', ...[...below('k8s'), ...below('docs')].filter((name) => /\.(yaml|md)$/.test(name))];
  const started = users.flatMap((name) => readFileSync(join(root, name), 'utf8').match(/[\w./-]*\bdist\/[\w./-]+\.js\b/g) ?? []);
  const names = new Set(started.map((path) => path.replace(/^\/(app|runtime)\//, '')).filter((path) => !path.startsWith('tools/')));
  expect(names.size).toBeGreaterThan(10);
  const built = Object.keys(programs).map((name) => `dist/${name}.js`);
  expect([...names].filter((name) => !built.includes(name))).toEqual([]);
});
