import { setTimeout as sleep } from 'node:timers/promises';
import { DEAD_LETTER_RETENTION_DAYS, deadLetterTopic, type TopicPolicy, topicPolicy } from '@parcelway/contracts/topics';
import type { Logger } from '@parcelway/kernel/logger';
import kafkajs, { type Admin, type ITopicConfig } from 'kafkajs';
import { ADMIN_TIMEOUT_MS, withAdmin } from './kafka-admin.ts';
import { type KafkaConnection, kafkaTopic } from './kafka-connection.ts';
import { causeOf, within } from './kafka-errors.ts';

const DAY_MS = 86_400_000;
/** What one request may hold for a partition: values of 1 MiB with room for key and headers. */
const MAX_MESSAGE_BYTES = 2_097_152;
/** A dead letter is its message and says why it failed. */
const MAX_DEAD_LETTER_BYTES = MAX_MESSAGE_BYTES + 65_536;
const READY_TIMEOUT_MS = 30_000;
const READY_POLL_MS = 20;
const TIMEOUT_MS = 60_000;

/** Which topics there are to be. */
export interface KafkaTopicsOptions {
  readonly connection: KafkaConnection;
  /** Without prefix and without dead-letter topics; those are made with them. */
  readonly topics: readonly string[];
  /** PARTITIONS of contracts/topics. */
  readonly partitions: number;
  /** True when topics with fewer partitions get more of them next (kafka-partitions.ts): then those are no error. */
  readonly mayGrow?: boolean;
  /** Copies of each record, on as many brokers. */
  readonly replicationFactor: number;
  /** Copies that must be written before a publish is acknowledged; below `replicationFactor`, so that a broker may fail. */
  readonly minInsyncReplicas: number;
  readonly logger: Logger;
}

/**
 * Creates the topics and their dead-letter topics where they are missing. Idempotent. Existing topics are left as they
 * are; settings that differ are logged. What the log needs of the brokers themselves, `parcelctl doctor` looks at.
 * @returns the topics that were created, by their names in the cluster
 * @throws AppError 50301 when the cluster does not respond
 * @throws Error when an existing topic has fewer partitions than declared and may not grow, or the cluster refuses one
 */
export async function createKafkaTopics(options: KafkaTopicsOptions): Promise<readonly string[]> {
  const { connection, logger } = options;
  return withAdmin(connection, logger, (admin) => within(TIMEOUT_MS, 'Creating the topics', createMissing(admin, options)));
}

async function createMissing(admin: Admin, options: KafkaTopicsOptions): Promise<readonly string[]> {
  const declared = options.topics.flatMap((topic) => declare(options, topic));
  const present = new Set(await admin.listTopics());
  const missing = declared.filter(({ topic }) => !present.has(topic));
  if (missing.length > 0) {
    try {
      await admin.createTopics({ topics: missing, timeout: ADMIN_TIMEOUT_MS, waitForLeaders: false });
    } catch (error) {
      throw new Error(`Kafka did not create the topics: ${reasonsOf(error)}`, { cause: causeOf(error) });
    }
    for (const { topic } of missing) await untilReady(admin, topic);
  }
  await compare(admin, declared, options);
  const created = missing.map(({ topic }) => topic);
  options.logger.info({ created, present: declared.length - created.length }, 'The topics exist');
  return created;
}

/** Waits until the leader of every partition responds. This takes a while after a topic becomes visible. */
async function untilReady(admin: Admin, topic: string): Promise<void> {
  const end = performance.now() + READY_TIMEOUT_MS;
  for (;;) {
    try {
      await admin.fetchTopicOffsets(topic);
      return;
    } catch (error) {
      if (performance.now() > end) throw new Error(`Topic ${topic} was created, but does not respond`, { cause: causeOf(error) });
    }
    await sleep(READY_POLL_MS);
  }
}

function declare(
  { connection, partitions, replicationFactor, minInsyncReplicas }: KafkaTopicsOptions,
  topic: string,
): readonly ITopicConfig[] {
  const declaration = (name: string, { cleanup, retentionDays }: Omit<TopicPolicy, 'hasDeadLetters'>, maxBytes: number): ITopicConfig => ({
    topic: kafkaTopic(connection, name),
    numPartitions: partitions,
    replicationFactor,
    configEntries: Object.entries({
      'cleanup.policy': cleanup,
      'retention.ms': String(retentionDays * DAY_MS),
      'max.message.bytes': String(maxBytes),
      'min.insync.replicas': String(minInsyncReplicas),
      // The limit is meant for what comes out: compressed, a message could be let in whose dead letter is too large.
      'compression.type': 'uncompressed',
      // Retention must not depend on the clock of a producer from outside.
      'message.timestamp.type': 'LogAppendTime',
    }).map(([key, value]) => ({ name: key, value })),
  });
  const policy = topicPolicy(topic);
  const deadLetters = { cleanup: 'delete', retentionDays: DEAD_LETTER_RETENTION_DAYS } as const;
  return [
    declaration(topic, policy, MAX_MESSAGE_BYTES),
    ...(policy.hasDeadLetters ? [declaration(deadLetterTopic(topic), deadLetters, MAX_DEAD_LETTER_BYTES)] : []),
  ];
}

/** @throws Error when a topic has fewer partitions than declared */
async function compare(
  admin: Admin,
  declared: readonly ITopicConfig[],
  { partitions, mayGrow = false, logger }: KafkaTopicsOptions,
): Promise<void> {
  const names = declared.map(({ topic }) => topic);
  const { topics } = await admin.fetchTopicMetadata({ topics: names });
  const counts = names.map((topic) => ({ topic, partitions: topics.find(({ name }) => name === topic)?.partitions.length ?? 0 }));
  const { resources } = await admin.describeConfigs({
    resources: names.map((name) => ({ type: kafkajs.ConfigResourceTypes.TOPIC, name })),
    includeSynonyms: false,
  });
  for (const { topic, configEntries = [] } of declared) {
    const present = resources.find(({ resourceName }) => resourceName === topic)?.configEntries ?? [];
    for (const { name, value } of configEntries) {
      const found = present.find(({ configName }) => configName === name)?.configValue;
      if (found !== value)
        logger.warn({ topic, setting: name, found, declared: value }, 'A topic differs from its declaration; it was not changed');
    }
  }
  const short = counts.filter((count) => count.partitions < partitions);
  if (short.length === 0 || mayGrow) return;
  const list = short.map((count) => `${count.topic} has ${count.partitions}`).join(', ');
  throw new Error(
    `Topics have fewer partitions than the ${partitions} that are declared: ${list}. ` +
      'To add some and keep the order of messages, run the migrate step with --partitions',
  );
}

/** The refusals of single topics that kafkajs collects in one error. */
function reasonsOf(error: unknown): string {
  const cause = causeOf(error) as Error & { readonly errors?: readonly (Error & { readonly topic?: string })[] };
  if (!Array.isArray(cause.errors)) return cause.message;
  return cause.errors.map(({ topic, message }) => `${topic ?? ''}: ${message}`).join('; ');
}
