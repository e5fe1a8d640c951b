import { describe, expect, test } from '@jest/globals';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Admin } from 'kafkajs';
import { checkPositionRetention } from './kafka-position-retention.ts';

type Brokers = Parameters<typeof checkPositionRetention>[0];

/** Brokers 1, 2, … with their settings, as kafkajs shows them. */
function brokersWith(minutes: readonly string[]): Brokers {
  return {
    describeCluster: async () => ({
      brokers: minutes.map((_, index) => ({ nodeId: index + 1, host: 'h', port: 1 })),
      controller: 1,
      clusterId: 'c',
    }),
    describeConfigs: async ({ resources }) =>
      ({
        resources: resources.map(({ name, configNames = [] }) => ({
          resourceName: name,
          configEntries: configNames.map((configName) => ({ configName, configValue: minutes[Number(name) - 1] })),
        })),
      }) as Awaited<ReturnType<Admin['describeConfigs']>>,
  };
}

async function warningsOf(brokers: Brokers): Promise<string[]> {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields, message: string) => warnings.push(`${JSON.stringify(fields)} ${message}`) };
  await checkPositionRetention(brokers, 30, logger);
  return warnings;
}

describe('retention of positions', () => {
  test('is left alone when it is as long as that of the dead letters', async () => {
    expect(await warningsOf(brokersWith(['43200', '44640']))).toEqual([]);
  });

  test('that is shorter on any broker is warned of, naming the setting', async () => {
    const warnings = await warningsOf(brokersWith(['44640', '10080']));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"broker":"2","setting":"offsets.retention.minutes","found":10080,"needed":43200');
  });

  test('that cannot be read is said and does not fail', async () => {
    const warnings = await warningsOf({ ...brokersWith([]), describeCluster: () => Promise.reject(new Error('not allowed')) });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('offsets.retention.minutes of the Kafka brokers could not be read');
  });
});
