import { describe, expect, test } from '@jest/globals';
import { scalingProblems } from './check-scaling.ts';
import { planted, readManifests } from './manifests.ts';

const scaledByLag = readManifests('example-production-with-all');

describe('what scales the services', () => {
  test.each([
    ['production.forecast.tracking.events.v1', 'production.forecast.events.v1', 'forecast: KEDA asks for the lag of'],
    ['"bootstrapServers":"kafka-1', '"bootstrapServers":"kafka-9', 'file: KEDA asks other brokers'],
    ['"tls":"enable"', '"tls":"disable"', 'file: KEDA speaks to Kafka otherwise'],
    ['"sasl":"scram_sha512"', '"sasl":"plaintext"', 'file: KEDA signs in to Kafka otherwise'],
    ['"maxReplicaCount":12', '"maxReplicaCount":13', 'file: may have more than 12 replicas'],
    ['"scaleTargetRef":{"name":"webhook"}', '"scaleTargetRef":{"name":"tracking"}', 'tracking: is scaled by 2 autoscalers'],
  ])('the fault is reported: %s as %s', (sound, fault, expected) => {
    expect(scalingProblems(planted(scaledByLag, sound, fault))).toContainEqual(expect.stringContaining(expected));
  });

  test('a service without a budget is reported', () => {
    const faulty = scaledByLag.filter(({ kind, metadata }) => kind !== 'PodDisruptionBudget' || metadata.name !== 'file');
    expect(scalingProblems(faulty)).toEqual(['file: has no PodDisruptionBudget']);
  });
});
