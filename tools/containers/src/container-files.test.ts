import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { serviceNames } from '@parcelway/contracts/service-name';
import { originVariable } from '@parcelway/platform/distributed-config';
import { secretVariables } from '@parcelway/platform/secret-files';
import { defaultImages } from './container-servers.ts';

/* What Dockerfile, docker-compose.yml, .dockerignore and their documentation must agree on. */

const read = (name: string): string => readFileSync(fileURLToPath(new URL(`../../../${name}`, import.meta.url)), 'utf8');
const dockerfile = read('Dockerfile');
const compose = read('docker-compose.yml');
const documentation = read('docs/containers.md');

/** A service of docker-compose.yml, by its name. */
function serviceOf(name: string): string {
  const services = compose.slice(compose.indexOf('\nservices:\n'), compose.indexOf('\nnetworks:\n'));
  const [, found] = new RegExp(`\\n  ${name}:\\n([\\s\\S]*?)(?=\\n  [a-z#]|$)`).exec(services) ?? [];
  if (found === undefined) throw new Error(`docker-compose.yml has no service ${name}`);
  return found;
}

/** Variables that a text takes from the environment, as `${NAME:-default}`. */
const variablesIn = (text: string): string[] => [
  ...new Set([...text.matchAll(/\$\{([A-Z][A-Z0-9_]*)/g)].map(([, name]) => name as string)),
];

describe('docker-compose.yml', () => {
  test.each(serviceNames)('runs %s, and gives the others its address', (name) => {
    expect(serviceOf(name)).toContain(`command: [dist/${name}.js]`);
    // The gateway calls the others; none of them calls it.
    if (name === 'gateway') expect(compose).not.toContain(originVariable(name));
    else expect(compose).toContain(`${originVariable(name)}: http://${name}:8080\n`);
  });

  test('has no image without a version, and the same ones as the servers of tests', () => {
    const images = [...compose.matchAll(/image: \$\{([A-Z0-9_]+_IMAGE):-([^}]+)\}/g)].map(([, variable, image]) => [variable, image]);
    expect(images).toHaveLength((compose.match(/\bimage:/g) ?? []).length);
    const { TOXIPROXY_IMAGE, ...servers } = defaultImages;
    expect(Object.fromEntries(images)).toEqual({ PARCELWAY_IMAGE: 'parcelway:local', ...servers });
    for (const image of Object.values(defaultImages)) expect(image).toMatch(/:v?\d+\.\d+\.\d+/);
    expect(documentation).toContain(TOXIPROXY_IMAGE);
  });

  test('holds no secret: each is a file, or given from outside', () => {
    for (const [, name, value = ''] of compose.matchAll(/^ +([A-Z][A-Z0-9_]*): (.*)$/gm)) {
      if ((secretVariables as readonly string[]).includes(name as string)) expect(value).toMatch(/^\$\{/);
      expect(value).not.toMatch(/:\/\/[^/\s]*:[^/\s]*@/);
    }
  });

  test('publishes nothing but the port of the gateway', () => {
    expect(compose.match(/\bports:/g)).toHaveLength(1);
    expect(serviceOf('gateway')).toMatch(/\n {4}ports: \["\$\{PORT:-8443\}:8443"\]\n/);
  });
});

describe('Dockerfile', () => {
  test('leaves root behind before it runs anything', () => {
    const last = dockerfile.slice(dockerfile.lastIndexOf('\nFROM '));
    expect(last.indexOf('\nUSER 1000:1000')).toBeGreaterThan(0);
    expect(last.indexOf('\nENTRYPOINT')).toBeGreaterThan(last.indexOf('\nUSER'));
  });
});

test('every variable that is for compose alone is documented', () => {
  const elsewhere = `${read('docs/operations.md')}${read('docs/distributed.md')}`;
  const undocumented = variablesIn(compose).filter((name) => ![documentation, elsewhere].some((text) => text.includes(`\`${name}\``)));
  expect(undocumented).toEqual([]);
});
