import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { environmentProblems } from './check-environment.ts';
import { planted, readManifests } from './manifests.ts';
import { secretSamples } from './secret-samples.ts';
import { variants } from './variants.mjs';

const sandbox = readManifests('sandbox');

describe('the environment of every container', () => {
  test.each(variants)('$name: is what the service asks for, and no more', async ({ name }) => {
    expect(await environmentProblems(readManifests(name))).toEqual([]);
  });

  test.each([
    [
      'a variable of all',
      '"KAFKA_BROKERS":',
      '"KAFKA_BROKER":',
      ['forecast: KAFKA_BROKERS must list brokers', 'forecast: KAFKA_BROKER is set, and nothing'],
    ],
    [
      'the address of a service that is called',
      '"FORECAST_URL":"http://forecast:8080"',
      '"A":"b"',
      ['tracking: FORECAST_URL must be', 'tracking: A is set'],
    ],
    [
      'a wrong value',
      '"PUBLIC_BASE_URL":"https',
      '"PUBLIC_BASE_URL":"http',
      ['gateway: PUBLIC_BASE_URL must be', 'file: PUBLIC_BASE_URL must be'],
    ],
    ['a variable of the gateway', '"TLS":"off"', '"TLS":"of"', ['gateway: TLS must be one of on, off']],
    ['a secret', '/run/secrets/redis/url', '/run/secrets/redis/address', ['gateway: REDIS_URL comes from sandbox-redis/address']],
    [
      'a mount',
      '"mountPath":"/run/secrets/admin"',
      '"mountPath":"/run/admin"',
      ['gateway: ADMIN_TOKEN_FILE is /run/secrets/admin/token, and no secret'],
    ],
    ['what the migrate step needs', '"S3_BUCKET":', '"BUCKET":', ['migrate: BUCKET is set, and nothing reads it']],
  ])('a fault in %s is told', async (_what, sound, fault, expected) => {
    let faulty = planted(sandbox, sound, fault);
    // The second ConfigMap that has it: the first is the gateway's.
    if (sound.startsWith('"FORECAST_URL"')) faulty = planted(faulty, sound, fault);
    const problems = await environmentProblems(faulty);
    for (const start of expected) expect(problems).toContainEqual(expect.stringContaining(start));
  });
});

test('the secrets that are mounted are those that the documentation tells to make', () => {
  const documentation = readFileSync(fileURLToPath(new URL('../../docs/kubernetes.md', import.meta.url)), 'utf8');
  const rows = [...documentation.matchAll(/^\| `<environment>-([a-z-]+)` \| ([^|]+) \|/gm)];
  const documented = Object.fromEntries(
    rows.map(([, name, keys = '']) => [name, [...keys.matchAll(/`([a-z.-]+)`/g)].map(([, key]) => key)]),
  );
  expect(documented).toEqual({
    ...Object.fromEntries(Object.entries(secretSamples).map(([name, keys]) => [name, Object.keys(keys)])),
    tls: ['tls.crt', 'tls.key'],
  });
});
