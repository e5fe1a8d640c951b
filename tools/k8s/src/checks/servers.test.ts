import { describe, expect, test } from '@jest/globals';
import { bodySizeProblems, serverPortProblems } from './check-servers.ts';
import { planted, readManifests } from './manifests.ts';

const everything = readManifests('example-production-with-all');
const brokers = 'kafka-1.production.example.internal';

describe('ports of servers', () => {
  test.each([
    [
      `"KAFKA_BROKERS":"${brokers}:9093`,
      `"KAFKA_BROKERS":"${brokers}:9094`,
      'KAFKA_BROKERS names port 9094; the NetworkPolicy reach-kafka allows 9093',
    ],
    [
      's3.production.example.internal"',
      's3.production.example.internal:9000"',
      'S3_ENDPOINT names port 9000; the NetworkPolicy reach-object-store allows 443',
    ],
    ['"https://s3.', '"http://s3.', 'S3_ENDPOINT names port 80; the NetworkPolicy reach-object-store allows 443'],
    [
      'otel-collector.monitoring:4318',
      'otel-collector.monitoring:4317',
      'OTEL_EXPORTER_OTLP_ENDPOINT names port 4317; the NetworkPolicy reach-collector allows 4318',
    ],
  ])('the fault is reported: %s as %s', (sound, fault, expected) => {
    expect(serverPortProblems(planted(everything, sound, fault))).toEqual([expect.stringContaining(expected)]);
  });

  test('the port of a policy may be another, when the setting says it too', () => {
    const moved = planted(everything, 's3.production.example.internal"', 's3.production.example.internal:9000"');
    const text = JSON.stringify(moved).replaceAll('"port":443', '"port":9000');
    expect(serverPortProblems(JSON.parse(text))).toEqual([]);
  });
});

test('an Ingress that refuses large uploads is reported', () => {
  const small = planted(everything, '"nginx.org/client-max-body-size":"22m"', '"nginx.org/client-max-body-size":"12m"');
  expect(bodySizeProblems(small)).toEqual(['nginx.org/client-max-body-size is 12m; uploads need 21m']);
  expect(bodySizeProblems(everything)).toEqual([]);
});
