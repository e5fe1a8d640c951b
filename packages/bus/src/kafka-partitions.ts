import { setTimeout as sleep } from 'node:timers/promises';
import { silentLogger } from '@parcelway/kernel/logger';
import type { Admin } from 'kafkajs';
import { ADMIN_TIMEOUT_MS, withAdmin } from './kafka-admin.ts';
import { type KafkaConnection, kafkaTopic } from './kafka-connection.ts';
import { causeOf, within } from './kafka-errors.ts';
import { KafkaPositions } from './kafka-positions.ts';

/** Topics are at rest when nothing is open to a consumer, and nothing comes, for this long. A relay looks at its outbox every second at the latest. */
const QUIET_MS = 10_000;
const POLL_MS = 500;
const DRAIN_MS = 600_000;

/** Most partitions of a topic: each costs every broker memory and files. */
export const MAX_PARTITIONS = 1000;

/** A topic that is to have more partitions, and who must have read it to its end before that. Names without prefix. */
export interface GrowingTopic {
  readonly topic: string;
  readonly groups: readonly string[];
}

/** What {@link addKafkaPartitions} does. */
export interface AddPartitionsOptions {
  readonly connection: KafkaConnection;
  readonly topics: readonly GrowingTopic[];
  /** Of each topic, from then on. */
  readonly partitions: number;
  /** Hears a line for each step. */
  readonly progress: (line: string) => void;
  /** Time that publishers and consumers have to come to rest, in milliseconds; default 10 minutes. */
  readonly drainMs?: number;
}

/** A topic as the cluster has it. */
interface TopicState extends GrowingTopic {
  /** In the cluster. */
  readonly name: string;
  readonly partitions: number;
}

/**
 * Gives topics more partitions, and keeps the order of each key. More partitions move keys: a message must not come to its new partition
 * while one before it is open in the old. So the publishers must be off (`OUTBOX_RELAY=off`), and the consumers on. It waits until they have
 * finished and nothing comes any more, and adds the partitions then. Publishers that are started afterwards know them.
 *
 * Idempotent. When consumers do not finish, or publishers are not off, nothing has changed.
 * @returns the topics that have more partitions now
 * @throws AppError 50301 when the cluster does not respond
 * @throws Error when the topics do not come to rest in time, one is missing, or the cluster refuses
 */
export async function addKafkaPartitions(options: AddPartitionsOptions): Promise<readonly string[]> {
  const { connection, partitions } = options;
  if (!Number.isInteger(partitions) || partitions < 1 || partitions > MAX_PARTITIONS)
    throw new Error(`A topic has 1 to ${MAX_PARTITIONS} partitions`);
  const positions = new KafkaPositions(connection, silentLogger);
  try {
    return await withAdmin(connection, silentLogger, (admin) => grow(admin, positions, options));
  } finally {
    positions.close();
  }
}

async function grow(admin: Admin, positions: KafkaPositions, options: AddPartitionsOptions): Promise<readonly string[]> {
  const { partitions, progress } = options;
  const growing = (await readStates(admin, options)).filter((state) => state.partitions < partitions);
  if (growing.length === 0) {
    progress(`every topic has ${partitions} partitions or more`);
    return [];
  }
  progress(
    `waiting until ${growing.map(({ topic }) => topic).join(', ')} are read to their ends and nothing comes for ${QUIET_MS / 1000} s`,
  );
  await untilAtRest(positions, growing, options);
  progress(`adding partitions: ${growing.map((state) => `${state.topic} ${state.partitions} → ${partitions}`).join(', ')}`);
  const topicPartitions = growing.map(({ name }) => ({ topic: name, count: partitions }));
  await ask('Adding partitions', admin.createPartitions({ topicPartitions, timeout: ADMIN_TIMEOUT_MS }));
  return growing.map(({ topic }) => topic);
}

async function readStates(admin: Admin, { connection, topics }: AddPartitionsOptions): Promise<readonly TopicState[]> {
  const named = topics.map((given) => ({ ...given, name: kafkaTopic(connection, given.topic) }));
  const metadata = await ask('Reading the topics', admin.fetchTopicMetadata({ topics: named.map(({ name }) => name) }));
  return named.map((given) => ({
    ...given,
    partitions: metadata.topics.find(({ name }) => name === given.name)?.partitions.length ?? 0,
  }));
}

/** Waits until every group has finished every topic, and nothing comes any more. */
async function untilAtRest(
  positions: KafkaPositions,
  topics: readonly TopicState[],
  { drainMs = DRAIN_MS }: AddPartitionsOptions,
): Promise<void> {
  const pairs = topics.flatMap(({ topic, groups }) => groups.map((group) => ({ topic, group })));
  const end = performance.now() + drainMs;
  let quietSince = performance.now();
  let former = '';
  for (;;) {
    const open = await Promise.all(
      pairs.map(async (pair) => ({ ...pair, ranges: await positions.open(pair.group, pair.topic, ADMIN_TIMEOUT_MS) })),
    );
    const behind = open.filter(({ ranges }) => ranges.some((range) => range.end > range.next));
    const present = open.flatMap(({ ranges }) => ranges.map((range) => range.end)).join();
    if (behind.length > 0 || present !== former) quietSince = performance.now();
    former = present;
    if (performance.now() - quietSince >= QUIET_MS) return;
    if (performance.now() > end) {
      const reason =
        behind.length > 0
          ? `consumers have not finished: ${behind.map(({ group, topic }) => `${group} of ${topic}`).join(', ')}`
          : 'messages still come';
      throw new Error(`No partition was added, because within ${Math.round(drainMs / 1000)} s the topics did not come to rest; ${reason}`);
    }
    await sleep(POLL_MS);
  }
}

async function ask<T>(what: string, question: Promise<T>): Promise<T> {
  try {
    return await within(ADMIN_TIMEOUT_MS, what, question);
  } catch (error) {
    throw new Error(`${what} failed: ${causeOf(error).message}`, { cause: error });
  }
}
