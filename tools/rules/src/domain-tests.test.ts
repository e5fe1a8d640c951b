import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';

/* A rule and its test stand side by side. */

const services = fileURLToPath(new URL('../../../services/', import.meta.url));

/** Files of every `domain/` folder of all services, tests aside. */
const domainFiles = readdirSync(services).flatMap((service) => {
  const folder = `${services}${service}/src`;
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => /(^|\/)domain\/(?!.*\.(test|conformance)\.ts$).*\.ts$/.test(name))
    .map((name) => `${service}/src/${name}`);
});

/** Whether a source exports something that runs: a function, a class, or a constant that holds a function. */
const exportsFunctions = (source: string): boolean =>
  /^export (async )?function\*? |^export (abstract )?class |^export const \w+(: [^=]+)? = (async )?(\(|\w+ =>)/m.test(source);

test('each file of rules has a test of its name', () => {
  const withFunctions = domainFiles.filter((file) => exportsFunctions(readFileSync(services + file, 'utf8')));
  expect(withFunctions.length).toBeGreaterThan(20);
  expect(withFunctions.filter((file) => !existsSync(services + file.replace(/\.ts$/, '.test.ts')))).toEqual([]);
});

test.each([
  ['export function a(): void {}', true],
  ['export const a = (b: number): number => b;', true],
  ['export const a: Rule = (b) => b;', true],
  ['export class A {}', true],
  ['export const A = 5;', false],
  ['export interface A { b(): void }', false],
])('%s runs: %s', (source, runs) => expect(exportsFunctions(source)).toBe(runs));
