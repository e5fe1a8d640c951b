import { describe, expect, test } from '@jest/globals';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import type { Admin } from 'kafkajs';
import { checkBrokerSettings } from './kafka-broker-settings.ts';

type Brokers = Parameters<typeof checkBrokerSettings>[0];

/** Brokers 1, 2, … with the time that they keep positions, and how long they delay the first member of a group, as kafkajs shows them. */
function brokersWith(minutes: readonly string[], delayMs = '0'): Brokers {
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
          configEntries: configNames.map((configName) => ({
            configName,
            configValue: configName === 'offsets.retention.minutes' ? minutes[Number(name) - 1] : delayMs,
          })),
        })),
      }) as Awaited<ReturnType<Admin['describeConfigs']>>,
  };
}

async function warningsOf(brokers: Brokers): Promise<string[]> {
  const warnings: string[] = [];
  const logger = { ...silentLogger, warn: (fields: LogFields, message: string) => warnings.push(`${JSON.stringify(fields)} ${message}`) };
  await checkBrokerSettings(brokers, 30, logger);
  return warnings;
}

describe('retention of positions on the brokers', () => {
  test('is left alone when it is as long as that of the dead letters', async () => {
    expect(await warningsOf(brokersWith(['43200', '44640']))).toEqual([]);
  });

  test('that is shorter on any broker is warned of, naming the setting', async () => {
    const warnings = await warningsOf(brokersWith(['44640', '10080']));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"broker":"2","setting":"offsets.retention.minutes","found":10080,"needed":43200');
  });

  test('is warned of apart from the delay of the first member of a group', async () => {
    const warnings = await warningsOf(brokersWith(['44640'], '3000'));
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('"broker":"1","setting":"group.initial.rebalance.delay.ms","found":3000,"needed":0');
  });

  test('that cannot be read is said and does not fail', async () => {
    const warnings = await warningsOf({ ...brokersWith([]), describeCluster: () => Promise.reject(new Error('not allowed')) });
    expect(warnings).toHaveLength(1);
    expect(warnings[0]).toContain('offsets.retention.minutes and group.initial.rebalance.delay.ms of the Kafka brokers could not be read');
  });
});
