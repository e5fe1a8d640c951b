import { describe, expect, test } from '@jest/globals';
import { insideProblems, separationProblems } from './check-separation.ts';
import { planted, readManifests } from './manifests.ts';

const sandbox = readManifests('example-sandbox');
const production = readManifests('example-production');

describe('sandbox and production in one cluster', () => {
  test.each([
    [
      '"S3_BUCKET":"parcelway-production"',
      '"S3_BUCKET":"parcelway-sandbox"',
      'S3_BUCKET is parcelway-sandbox and parcelway-sandbox: they would share data',
    ],
    ['"KAFKA_PREFIX":"production."', '"KAFKA_PREFIX":"sandbox.new."', 'KAFKA_PREFIX is sandbox. and sandbox.new.'],
    ['"RESOURCE_PREFIX":"parcelway-production"', '"RESOURCE_PREFIX":"parcelway-sandbox"', 'RESOURCE_PREFIX is parcelway-sandbox'],
    ['"secretName":"production-mongodb"', '"secretName":"sandbox-mongodb"', 'both use the same Secrets: sandbox-mongodb'],
    ['"host":"api.example.com"', '"host":"api.sandbox.example.com"', 'both respond at api.sandbox.example.com'],
    ['"namespace":"parcelway-production"', '"namespace":"parcelway-sandbox"', 'both are in the namespace parcelway-sandbox'],
    ['"PUBLIC_BASE_URL":"https://api.example.com"', '"PUBLIC_BASE_URL":"https://api.sandbox.example.com"', 'PUBLIC_BASE_URL is'],
  ])('the fault is reported: %s as %s', (sound, fault, expected) => {
    expect(separationProblems(sandbox, planted(production, sound, fault))).toContainEqual(expect.stringContaining(expected));
  });

  test('two copies of one environment may be of one kind, and share no more', () => {
    const copied = planted(production, '"ENVIRONMENT":"production"', '"ENVIRONMENT":"sandbox"');
    expect(separationProblems(sandbox, copied)).toEqual([]);
    expect(separationProblems(production, copied)).toHaveLength(new Set(separationProblems(production, copied)).size);
    expect(separationProblems(production, copied)).toContainEqual(
      expect.stringMatching(/^both use the same Secrets: .*production-mongodb/),
    );
  });

  test.each([
    ['"kind":"PodDisruptionBudget"', '"kind":"Secret"', 'brings a Secret'],
    ['"ENVIRONMENT":', '"ENVIRONMENTS":', 'does not say its ENVIRONMENT'],
    [
      '"PUBLIC_BASE_URL":"https://api.example.com"',
      '"PUBLIC_BASE_URL":"https://other.example.com"',
      'is reached at api.example.com, and PUBLIC_BASE_URL says otherwise',
    ],
  ])('the fault within one is reported: %s as %s', (sound, fault, expected) => {
    expect(insideProblems(planted(production, sound, fault))).toContainEqual(expect.stringContaining(expected));
  });
});
