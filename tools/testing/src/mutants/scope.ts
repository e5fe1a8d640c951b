import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { root } from '../jest-run.ts';

/* What is mutated, by which tests it is judged, and where the copies lie. */

/** Where Stryker puts its copies of the tree: no other tool looks there. */
export const temporary = `${root}node_modules/.cache/mutants/`;

/** Results; not in the repository. */
export const results = `${root}.cache/mutants/`;

/** The services whose rules are mutated. `all-in-one` only puts them together. */
export const services = readdirSync(`${root}services`).filter((name) => {
  const source = `${root}services/${name}/src`;
  return existsSync(source) && readdirSync(source, { recursive: true, encoding: 'utf8' }).some((path) => /(^|\/)domain$/.test(path));
});

/** Interfaces, settings, wiring, adapters and what tests share: neither rules nor use cases. */
const NOT_MUTATED = /^(config|service|main)\.ts$|(^|\/)(ports\.ts$|(adapters|testing)\/)|\.(test|conformance)\.ts$/;

/** Tests of drivers and of the transport say nothing about rules; those of routes and consumers do. */
const OF_NO_RULE = /(^|\/)adapters\/(?!http|events|edge)|\.int\.test\.ts$/;

/** A test that changes its process at import cannot share it with others. */
const NEEDS_A_PROCESS = /^process\.env\[.+\] = /m;

const filesOf = (service: string) =>
  readdirSync(`${root}services/${service}/src`, { recursive: true, encoding: 'utf8' })
    .map((name) => name.replaceAll('\\', '/'))
    .filter((name) => name.endsWith('.ts'))
    .sort();

/** Files of `domain/` and the use cases of a service, from the root. */
export const sourcesOf = (service: string) =>
  filesOf(service)
    .filter((name) => !NOT_MUTATED.test(name))
    .map((name) => `services/${service}/src/${name}`);

/** The tests of a service that judge a mutant: pure ones, and those on embedded drivers. */
export const testsOf = (service: string) =>
  filesOf(service)
    .filter((name) => name.endsWith('.test.ts') && !OF_NO_RULE.test(name))
    .map((name) => `services/${service}/src/${name}`)
    .filter((name) => !NEEDS_A_PROCESS.test(readFileSync(root + name, 'utf8')));

/** Everything that the tests of a service do not need in their copy of the tree. */
export const othersThan = (service: string) => [
  ...readdirSync(root).filter((name) => name !== 'services' && name !== 'package.json'),
  ...readdirSync(`${root}services`)
    .filter((name) => name !== service)
    .map((name) => `services/${name}`),
];
