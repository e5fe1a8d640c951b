import { randomBytes } from 'node:crypto';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { silentLogger } from '@parcelway/kernel/logger';
import { withAdmin } from '../kafka-admin.ts';
import { type KafkaConnection, kafkaTopic } from '../kafka-connection.ts';
import { createKafkaTopics } from '../kafka-topics.ts';

/**
 * Settings of a connection to the test cluster, with a new topic prefix, so that tests do not see each other's topics.
 * @param variable names the environment variable with the brokers: KAFKA_BROKERS, or KAFKA_BROKERS_PROXIED for those behind the fault proxy
 * @throws Error when it is not set
 */
export function newConnection(variable: 'KAFKA_BROKERS' | 'KAFKA_BROKERS_PROXIED' = 'KAFKA_BROKERS'): KafkaConnection {
  const brokers = process.env[variable];
  if (!brokers) throw new Error(`${variable} is not set: it names the Kafka brokers to test on`);
  return { brokers: brokers.split(','), clientId: 'bus-test', prefix: `test-${randomBytes(6).toString('hex')}.` };
}

/** Creates topics as an installation on one broker would. */
export async function createTopics(
  connection: KafkaConnection,
  topics: readonly string[],
  partitions = PARTITIONS,
): Promise<readonly string[]> {
  return createKafkaTopics({ connection, topics, partitions, replicationFactor: 1, minInsyncReplicas: 1, logger: silentLogger });
}

/** Sets a setting of a topic, as an operator would. @param topic without the prefix */
export async function setTopicSetting(connection: KafkaConnection, topic: string, name: string, value: string): Promise<void> {
  // ConfigResourceTypes.TOPIC
  const resource = { type: 2, name: kafkaTopic(connection, topic), configEntries: [{ name, value }] };
  await withAdmin(connection, silentLogger, (admin) => admin.alterConfigs({ validateOnly: false, resources: [resource] }));
}

/** Deletes the topics of a test. Other tests use the same cluster, and a broker supports only a few thousand partitions. */
export function removeTopics(connection: KafkaConnection): Promise<void> {
  return withAdmin(connection, silentLogger, async (admin) => {
    const topics = (await admin.listTopics()).filter((topic) => topic.startsWith(connection.prefix ?? ' '));
    if (topics.length > 0) await admin.deleteTopics({ topics });
  });
}
