import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from '@jest/globals';
import { arrowProblems } from './check-arrows.ts';
import { environmentProblems } from './check-environment.ts';
import { podProblems } from './check-pods.ts';
import { scalingProblems } from './check-scaling.ts';
import { insideProblems, separationProblems } from './check-separation.ts';
import { bodySizeProblems, serverPortProblems } from './check-servers.ts';
import { planted, readManifests } from './manifests.ts';
import { secretSamples } from './secret-samples.ts';

/* The checks do find faults. Each fault is planted into an overlay that is sound. */

const production = readManifests('production-with-all');

test.each([
  [environmentProblems, '"KAFKA_BROKERS":', '"KAFKA_BROKER":', 'forecast: KAFKA_BROKERS is not set'],
  [environmentProblems, '"TLS":"off"', '"TLS":"of"', 'gateway: TLS must be one of on, off'],
  [
    environmentProblems,
    '"mountPath":"/run/secrets/admin"',
    '"mountPath":"/run/admin"',
    'gateway: ADMIN_TOKEN_FILE is /run/secrets/admin/token',
  ],
  [podProblems, '"drop":["ALL"]', '"drop":["NET_RAW"]', 'has capabilities'],
  [podProblems, '"targetPort":"service"', '"targetPort":"http"', 'leads to port http, which its pods do not have'],
  [arrowProblems, '"values":["gateway","webhook"]', '"values":["gateway","webhook","forecast"]', 'forecast: may call'],
  [arrowProblems, '"values":["gateway","webhook"]', '"values":["gateway"]', 'webhook: must call'],
  [arrowProblems, '"169.254.0.0/16",', '', 'NetworkPolicy and the service disagree on 1 addresses'],
  [
    arrowProblems,
    '"spec":{"podSelector":{},',
    '"spec":{"podSelector":{"matchLabels":{"a":"b"}},',
    'no NetworkPolicy denies what no other allows',
  ],
  [scalingProblems, '"kind":"PodDisruptionBudget"', '"kind":"Budget"', 'has no PodDisruptionBudget'],
  [serverPortProblems, '"KAFKA_BROKERS":"', '"KAFKA_BROKERS":"kafka.example:1,', 'KAFKA_BROKERS names port 1'],
  [bodySizeProblems, '-body-size":"22m"', '-body-size":"12m"', 'is 12m; uploads need 21m'],
  [insideProblems, '"kind":"PodDisruptionBudget"', '"kind":"Secret"', 'brings a Secret'],
] as const)('%p finds %s as %s', (problemsOf, sound, fault, expected) => {
  expect(problemsOf(planted(production, sound, fault))).toContainEqual(expect.stringContaining(expected));
});

test('an environment shares everything with itself', () => {
  const shared = separationProblems(production, production).join('\n');
  for (const what of ['RESOURCE_PREFIX is', 'S3_BUCKET is', 'both use the same Secrets', 'both respond at', 'both are in the namespace'])
    expect(shared).toContain(what);
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
