import type { KafkaInspector, KafkaTopicState } from '@parcelway/bus/kafka-inspection';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { consumedTopics, DEAD_LETTER_RETENTION_DAYS, deadLetterTopic, PARTITIONS, topicPolicy, topics } from '@parcelway/contracts/topics';
import type { Environ } from '../config.ts';
import { readKafka, readTopicSettings } from '../distributed-config.ts';
import { count, describeMs, listSome } from './amounts.ts';
import { type Check, type Report, reasonOf, Verdict } from './check.ts';
import { readFor } from './configuration.ts';

const MINUTE_MS = 60_000;
/** A consumer processes some thousands of messages a second; a longer lag takes a while. */
const LONG_LAG = 10_000;
const MIGRATE = 'Run the migrate step (npm run migrate, or node dist/migrate.js).';

const loadInspection = () => import('@parcelway/bus/kafka-inspection');

async function connect(env: Environ, report: Report): Promise<KafkaInspector | undefined> {
  const config = readFor(env, readKafka, report, { check: 'kafka', names: ['KAFKA_BROKERS'], whose: 'every service' });
  if (config === undefined) return undefined;
  const { KafkaInspector, kafkaTroubleOf } = await loadInspection();
  try {
    const inspector = await KafkaInspector.connect({ ...config, clientId: 'parcelctl' });
    report.ok('kafka', `reachable, ${count(await inspector.brokers(), 'broker')}`);
    return inspector;
  } catch (error) {
    const nexts = {
      away: 'Check that the brokers run, that the hosts and ports in KAFKA_BROKERS can be reached from here, and that KAFKA_SSL matches the brokers.',
      credentials: 'Check KAFKA_USERNAME, KAFKA_PASSWORD and KAFKA_SASL_MECHANISM against the users of the cluster.',
      other: 'Fix what the message names.',
    } as const;
    const kind = kafkaTroubleOf(error);
    const messages = { away: 'does not respond', credentials: 'refuses user and password', other: 'responds with an error' } as const;
    throw new Verdict('kafka', `${messages[kind]}: ${reasonOf(error)}`, nexts[kind]);
  }
}

/** The settings that the migrate step gives a new topic. */
type Wanted = ReturnType<typeof readTopicSettings>;

/** What is wrong with a topic, or may become wrong, and what to do; undefined when all is well. */
function troubleOf(
  state: KafkaTopicState,
  wanted: Wanted,
): readonly [status: 'warning' | 'wrong', message: string, next: string] | undefined {
  const { topic, partitions, leaderless, underReplicated, replication, minInSync, cleanupPolicy } = state;
  const settings = 'the migrate step does not change existing topics.';
  if (leaderless > 0)
    return [
      'wrong',
      `${count(leaderless, 'partition')} without a leader: nothing can be written to or read from`,
      'Start the brokers that hold the copies.',
    ];
  if (partitions < PARTITIONS)
    return [
      'wrong',
      `${partitions} partitions instead of ${PARTITIONS}`,
      'Add some as docs/operate.md says under "More partitions": the migrate step with --partitions.',
    ];
  if (minInSync !== null && minInSync >= replication && replication > 1)
    return [
      'warning',
      `min.insync.replicas is ${minInSync} of ${replication} copies: no broker may fail`,
      'Set it one below the number of copies with kafka-configs.',
    ];
  if (underReplicated > 0)
    return [
      'warning',
      `${count(underReplicated, 'partition')} with copies that are behind or missing`,
      'Find the broker that is down or slow.',
    ];
  if (replication < wanted.replicationFactor)
    return [
      'warning',
      `${count(replication, 'copy', 'copies')}, KAFKA_REPLICATION says ${wanted.replicationFactor}`,
      `Add copies with kafka-reassign-partitions; ${settings}`,
    ];
  if (minInSync !== null && minInSync < wanted.minInsyncReplicas)
    return [
      'warning',
      `min.insync.replicas is ${minInSync}, KAFKA_MIN_IN_SYNC says ${wanted.minInsyncReplicas}`,
      `Set it with kafka-configs; ${settings}`,
    ];
  const { cleanup } = topicPolicy(topic);
  if (cleanupPolicy !== null && cleanupPolicy !== cleanup)
    return [
      'warning',
      `cleanup.policy is ${cleanupPolicy} instead of ${cleanup}`,
      `Set it with kafka-configs: --add-config cleanup.policy=[${cleanup}]; ${settings}`,
    ];
  return undefined;
}

/** The number that all have, or the fewest and the most. */
function describePartitions(states: readonly KafkaTopicState[]): string {
  const counts = states.map(({ partitions }) => partitions);
  const [fewest, most] = [Math.min(...counts), Math.max(...counts)];
  return fewest === most ? String(most) : `${fewest} to ${most}`;
}

async function checkTopics(report: Report, inspector: KafkaInspector, env: Environ): Promise<ReadonlySet<string>> {
  const names = [...Object.values(topics), ...consumedTopics.map(deadLetterTopic)];
  // Only the environment of the migrate step has these; without them the defaults are compared.
  const wanted = readTopicSettings(env);
  const states = await inspector.topics(names);
  const missing = states.filter(({ partitions }) => partitions === 0).map(({ name }) => name);
  if (missing.length > 0)
    report.wrong(
      'topics',
      `${count(missing.length, 'topic')} missing: ${listSome(missing)}`,
      `${MIGRATE} If your topics have other names, check KAFKA_PREFIX.`,
    );
  const present = states.filter(({ partitions }) => partitions > 0);
  for (const state of present) {
    const trouble = troubleOf(state, wanted);
    if (trouble !== undefined) report[trouble[0]](`topic ${state.topic}`, trouble[1], trouble[2]);
  }
  const good = present.filter((state) => troubleOf(state, wanted) === undefined);
  const fewest = Math.min(...good.map(({ replication }) => replication));
  if (good.length > 0)
    report.ok(
      'topics',
      `${good.length} of ${states.length} in order, with ${describePartitions(good)} partitions and ${count(fewest, 'copy', 'copies')}`,
    );
  return new Set(states.filter(({ partitions, leaderless }) => partitions > 0 && leaderless === 0).map(({ topic }) => topic));
}

async function checkRetention(report: Report, inspector: KafkaInspector): Promise<void> {
  const check = 'kafka offsets retention';
  const needed = DEAD_LETTER_RETENTION_DAYS * 1440;
  try {
    const minutes = Math.min(...(await inspector.brokerSetting('offsets.retention.minutes')));
    if (minutes > needed)
      report.ok(check, `${describeMs(minutes * MINUTE_MS)}, longer than dead letters (${DEAD_LETTER_RETENTION_DAYS} days)`);
    else
      report.warning(
        check,
        `brokers delete consumer offsets after ${describeMs(minutes * MINUTE_MS)}, and dead letters are kept ${DEAD_LETTER_RETENTION_DAYS} days: redriven messages are processed again`,
        `Set offsets.retention.minutes to ${needed + 1440} on the brokers.`,
      );
  } catch (error) {
    report.warning(
      check,
      `cannot be read: ${reasonOf(error)}`,
      'Ask the operator of the brokers for offsets.retention.minutes: it must be 44640 or more.',
    );
  }
}

async function checkRebalanceDelay(report: Report, inspector: KafkaInspector): Promise<void> {
  const check = 'kafka rebalance delay';
  const setting = 'group.initial.rebalance.delay.ms';
  try {
    const delayMs = Math.max(...(await inspector.brokerSetting(setting)));
    if (delayMs === 0) report.ok(check, 'none');
    else
      report.warning(
        check,
        `brokers delay the first member of a group by ${describeMs(delayMs)}: a service with one replica reads no messages for so long after each restart`,
        `Set ${setting} to 0 on the brokers.`,
      );
  } catch (error) {
    report.warning(check, `cannot be read: ${reasonOf(error)}`, `Ask the operator of the brokers for ${setting}: it should be 0.`);
  }
}

async function checkConsumers(report: Report, inspector: KafkaInspector, usable: ReadonlySet<string>): Promise<void> {
  const groups = new Map((await inspector.groups()).map((group) => [group.name, group]));
  const pairs = consumedTopics.flatMap((topic) => topicConsumers[topic].map((group) => ({ group, topic })));
  for (const { group, topic } of pairs) {
    if (!usable.has(topic)) continue;
    const check = `consumer ${group} of ${topic}`;
    const members = groups.get(inspector.groupName(group, topic))?.members ?? 0;
    const lag = await inspector.lag(group, topic);
    const behind = lag === 0 ? 'up to date' : `${count(lag, 'message')} behind`;
    if (members === 0)
      report.wrong(check, `no process reads; ${behind}`, `Check that ${group} runs, and read its log about Kafka. Messages wait for it.`);
    else if (lag > LONG_LAG)
      report.warning(
        check,
        `${count(members, 'process', 'processes')}, ${behind}`,
        `Check again in a minute. If the lag grows, add replicas of ${group} (up to one for each partition) or read its log.`,
      );
    else report.ok(check, `${members} reading, ${behind}`);
  }
}

async function checkDeadLetters(report: Report, inspector: KafkaInspector, usable: ReadonlySet<string>): Promise<void> {
  const none: string[] = [];
  for (const topic of consumedTopics) {
    if (!usable.has(deadLetterTopic(topic))) continue;
    const waiting = await inspector.deadLetters(topic);
    if (waiting === 0) none.push(topic);
    else reportDeadLetters(report, topic, waiting);
  }
  if (none.length > 0) report.ok('dead letters', `none of ${listSome(none)}`);
}

/** Reports dead letters, which need an operator. */
export function reportDeadLetters(report: Report, topic: string, waiting: number): void {
  report.warning(
    `dead letters ${topic}`,
    `${count(waiting, 'message')} could not be processed`,
    `parcelctl dlq list --topic ${topic} shows why. Fix the cause, then run parcelctl dlq redrive --topic ${topic}. They are kept ${DEAD_LETTER_RETENTION_DAYS} days.`,
  );
}

/** Checks Kafka: reachable, topics as declared, consumers running, dead letters. */
export function checkKafka(env: Environ): Check {
  return {
    name: 'kafka',
    deadlineMs: 30_000,
    load: loadInspection,
    async run(report) {
      const inspector = await connect(env, report);
      if (inspector === undefined) return;
      try {
        const usable = await checkTopics(report, inspector, env);
        await checkRetention(report, inspector);
        await checkRebalanceDelay(report, inspector);
        await checkConsumers(report, inspector, usable);
        await checkDeadLetters(report, inspector, usable);
      } finally {
        inspector.close();
      }
    },
  };
}
