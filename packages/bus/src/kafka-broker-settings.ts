import type { Logger } from '@parcelway/kernel/logger';
import kafkajs, { type Admin } from 'kafkajs';
import { causeOf } from './kafka-errors.ts';

const DAY_MINUTES = 1440;

/** What a setting of the brokers has to be. */
interface BrokerRule {
  readonly setting: string;
  readonly needed: number;
  readonly isFine: (found: number) => boolean;
  readonly advice: string;
}

/** @param days retention of dead letters */
function rulesFor(days: number): readonly BrokerRule[] {
  const minutes = days * DAY_MINUTES;
  return [
    {
      setting: 'offsets.retention.minutes',
      needed: minutes,
      isFine: (found) => found >= minutes,
      advice: `Set offsets.retention.minutes of the Kafka brokers to ${minutes} or more: dead letters are kept ${days} days, and redriven ones are processed again once Kafka has deleted their position`,
    },
    {
      setting: 'group.initial.rebalance.delay.ms',
      needed: 0,
      isFine: (found) => found === 0,
      advice:
        'Set group.initial.rebalance.delay.ms of the Kafka brokers to 0: a service with one replica waits for it after each restart before it reads messages',
    },
  ];
}

/**
 * Warns when brokers forget the position of a group without members, such as that of the redriven dead letters, before
 * the dead letters themselves are deleted: those that were redriven would show as open again. And when they delay the first member of a group. The
 * settings belong to the brokers; they cannot be declared with a topic.
 * @param days retention of dead letters
 */
export async function checkBrokerSettings(
  admin: Pick<Admin, 'describeCluster' | 'describeConfigs'>,
  days: number,
  logger: Logger,
): Promise<void> {
  const rules = rulesFor(days);
  const configNames = rules.map(({ setting }) => setting);
  try {
    const { brokers } = await admin.describeCluster();
    const { resources } = await admin.describeConfigs({
      resources: brokers.map(({ nodeId }) => ({ type: kafkajs.ConfigResourceTypes.BROKER, name: String(nodeId), configNames })),
      includeSynonyms: false,
    });
    for (const { resourceName: broker, configEntries } of resources) {
      for (const { setting, needed, isFine, advice } of rules) {
        const found = Number(configEntries.find(({ configName }) => configName === setting)?.configValue);
        if (!isFine(found)) logger.warn({ broker, setting, found, needed }, advice);
      }
    }
  } catch (error) {
    // Whoever may create topics need not be allowed to look at the brokers.
    logger.warn({ err: causeOf(error), settings: configNames }, `${configNames.join(' and ')} of the Kafka brokers could not be read`);
  }
}
