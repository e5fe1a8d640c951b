import type { Logger } from '@parcelway/kernel/logger';
import kafkajs, { type Admin } from 'kafkajs';
import { causeOf } from './kafka-errors.ts';

const SETTING = 'offsets.retention.minutes';
const DAY_MINUTES = 1440;

/**
 * Warns when brokers forget the position of a group without members, such as that of the redriven dead letters, before
 * the dead letters themselves are deleted: those that were redriven would show as open again. The setting belongs to the
 * brokers; it cannot be declared with a topic.
 * @param days retention of dead letters
 */
export async function checkPositionRetention(
  admin: Pick<Admin, 'describeCluster' | 'describeConfigs'>,
  days: number,
  logger: Logger,
): Promise<void> {
  const minutes = days * DAY_MINUTES;
  try {
    const { brokers } = await admin.describeCluster();
    const { resources } = await admin.describeConfigs({
      resources: brokers.map(({ nodeId }) => ({
        type: kafkajs.ConfigResourceTypes.BROKER,
        name: String(nodeId),
        configNames: [SETTING],
      })),
      includeSynonyms: false,
    });
    for (const { resourceName, configEntries } of resources) {
      const found = Number(configEntries.find(({ configName }) => configName === SETTING)?.configValue);
      if (found >= minutes) continue;
      logger.warn(
        { broker: resourceName, setting: SETTING, found, needed: minutes },
        `Set ${SETTING} of the Kafka brokers to ${minutes} or more: dead letters are kept ${days} days, and redriven ones are processed again once Kafka has deleted their position`,
      );
    }
  } catch (error) {
    // Whoever may create topics need not be allowed to look at the brokers.
    logger.warn({ err: causeOf(error), setting: SETTING, needed: minutes }, `${SETTING} of the Kafka brokers could not be read`);
  }
}
