import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { othersThan, services, sourcesOf, testsOf } from './scope.ts';

const root = fileURLToPath(new URL('../../../..', import.meta.url));

describe('what is mutated', () => {
  test('is the rules and use cases of every service that has rules', () => {
    expect(services).toEqual(expect.arrayContaining(['file', 'forecast', 'gateway', 'tracking', 'warehouse-intake', 'webhook']));
    expect(services).not.toContain('all-in-one');
    for (const service of services) {
      const sources = sourcesOf(service);
      expect(sources.filter((file) => file.includes('/domain/')).length).toBeGreaterThan(0);
      expect(sources.filter((file) => !existsSync(root + file))).toEqual([]);
    }
  });

  test('is no interface, setting, wiring, adapter, helper of tests, or test', () => {
    const sources = services.flatMap(sourcesOf);
    expect(sources.filter((file) => /\/(adapters|testing)\/|\.(test|conformance)\.ts$/.test(file))).toEqual([]);
    expect(sources.filter((file) => /^services\/[^/]+\/src\/([^/]+\/)?(ports|config|service|main)\.ts$/.test(file))).toEqual([]);
    expect(sources).toEqual(
      expect.arrayContaining(['services/webhook/src/queue/redeliver.ts', 'services/webhook/src/endpoints/domain/circuit.ts']),
    );
  });
});

describe('the tests that judge', () => {
  const tests = services.flatMap(testsOf);

  test('are those beside rules and use cases, and those of routes and consumers', () => {
    expect(tests).toEqual(
      expect.arrayContaining([
        'services/webhook/src/endpoints/domain/circuit.test.ts',
        'services/webhook/src/queue/redeliver.test.ts',
        'services/webhook/src/adapters/http.test.ts',
      ]),
    );
  });

  test('are none of drivers, of the transport, or on real servers', () => {
    expect(tests.filter((file) => /\.int\.test\.ts$|\/adapters\/(sqlite|mongo|undici|redis)/.test(file))).toEqual([]);
    expect(tests.filter((file) => !file.endsWith('.test.ts'))).toEqual([]);
  });
});

test('a copy of the tree for one service leaves out all others', () => {
  const others = othersThan('webhook');
  expect(others).toEqual(expect.arrayContaining(['packages', 'docs', 'services/forecast', 'services/all-in-one']));
  expect(others).not.toContain('services/webhook');
  expect(others).not.toContain('services');
  expect(others).toHaveLength(readdirSync(root).length - 2 + readdirSync(`${root}services`).length - 1);
});
