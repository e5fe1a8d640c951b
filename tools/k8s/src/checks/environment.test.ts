import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';
import { environmentProblems } from './check-environment.ts';
import { type Manifest, planted, readManifests } from './manifests.ts';
import { secretSamples } from './secret-samples.ts';

const sandbox = readManifests('example-sandbox');

describe('the environment of every container', () => {
  test.each([
    [
      'a variable of all',
      '"KAFKA_BROKERS":',
      '"KAFKA_BROKER":',
      ['forecast: KAFKA_BROKERS is not set: it must list brokers of Kafka', 'forecast: KAFKA_BROKER is set, and nothing'],
    ],
    [
      'the address of a service that is called',
      '"FORECAST_URL":"http://forecast:8080"',
      '"A":"b"',
      [
        'file: FORECAST_URL is not set: it must be the address of the service forecast, such as http://forecast:8080. Set it in one of its ConfigMaps',
        'file (k8s/base/file/kustomization.yaml)',
        'file: A is set',
      ],
    ],
    [
      'a wrong value',
      '"PUBLIC_BASE_URL":"https',
      '"PUBLIC_BASE_URL":"http',
      ['gateway', 'forecast', 'file', 'warehouse-intake', 'tracking'].map((service) => `${service}: PUBLIC_BASE_URL must be`),
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
  ])('a fault in %s is reported', (_what, sound, fault, expected) => {
    let faulty = planted(sandbox, sound, fault);
    // The second ConfigMap that has it: the first is the gateway's.
    if (sound.startsWith('"FORECAST_URL"')) faulty = planted(faulty, sound, fault);
    const problems = environmentProblems(faulty);
    for (const start of expected) expect(problems).toContainEqual(expect.stringContaining(start));
  });
});

test('what a backup or a restore lacks is reported', () => {
  const everything = readManifests('example-production-with-all');
  const text = '"name":"FILE_SECRET_FILE","value":"/run/secrets/internal/file-secret"';
  const [job] = everything.filter(({ kind }) => kind === 'CronJob');
  const others = everything.filter((each) => each !== job);
  const faulty = planted(planted([job as Manifest], text, '"name":"A","value":"b"'), '"name":"topics-', '"name":"no-topics-');
  expect(environmentProblems([...others, ...faulty])).toEqual([
    expect.stringMatching(/^backup: ConfigMap no-topics-\w+ is not there$/),
    expect.stringMatching(/^backup: FILE_SECRET is not set: .* Set it as FILE_SECRET_FILE in the CronJob backup$/),
    'backup: A is set, and nothing reads it',
  ]);
});

test('the secrets that are mounted are those that the documentation creates', () => {
  const documentation = readFileSync(fileURLToPath(new URL('../../../../docs/kubernetes.md', import.meta.url)), 'utf8');
  const rows = [...documentation.matchAll(/^\| `<environment>-([a-z-]+)` \| ([^|]+) \|/gm)];
  const documented = Object.fromEntries(
    rows.map(([, name, keys = '']) => [name, [...keys.matchAll(/`([a-z.-]+)`/g)].map(([, key]) => key)]),
  );
  expect(documented).toEqual({
    ...Object.fromEntries(Object.entries(secretSamples).map(([name, keys]) => [name, Object.keys(keys)])),
    tls: ['tls.crt', 'tls.key'],
  });
});
