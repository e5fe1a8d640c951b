import { existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Artifact } from './artifact.ts';
import type { KafkaPorts } from './ports.ts';
import { runCommand } from './run-command.ts';
import type { Server } from './server.ts';

const FETCH_DEADLINE_MS = 600_000;
const FORMAT_DEADLINE_MS = 120_000;
const CHECK_DEADLINE_MS = 3000;

const KAFKA = '4.1.1';
const LOG4J = '2.24.3';

/** All nodes of a set must share an id; sets are apart by their ports. */
const CLUSTER_ID = 'cGFyY2Vsd2F5LWthZmthMQ';

const dependency = (group: string, name: string, version: string) =>
  `<dependency><groupId>${group}</groupId><artifactId>${name}</artifactId><version>${version}</version></dependency>`;

const POM = `<project xmlns="http://maven.apache.org/POM/4.0.0">
<modelVersion>4.0.0</modelVersion><groupId>parcelway</groupId><artifactId>kafka</artifactId><version>1</version><packaging>pom</packaging>
<dependencies>
${dependency('org.apache.kafka', 'kafka_2.13', KAFKA)}
${dependency('org.apache.logging.log4j', 'log4j-slf4j-impl', LOG4J)}
${dependency('org.apache.logging.log4j', 'log4j-core', LOG4J)}
</dependencies></project>
`;

/** To stdout, which goes to the server's log file; warnings of chatty parts only. */
const LOGGING = `status=warn
appender.out.type=Console
appender.out.name=OUT
appender.out.layout.type=PatternLayout
appender.out.layout.pattern=%d %p %m (%c)%n
rootLogger.level=info
rootLogger.appenderRef.out.ref=OUT
logger.config.name=org.apache.kafka.common.config
logger.config.level=warn
logger.server.name=kafka.server.KafkaConfig
logger.server.level=warn
`;

/** Kafka's jars. Maven refuses a download that does not match its checksum (--strict-checksums). */
const artifact: Artifact = {
  name: `kafka-${KAFKA}`,
  make: async (folder: string) => {
    const pom = join(folder, 'pom.xml');
    writeFileSync(pom, POM);
    const goal = 'org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies';
    const options = ['-DincludeScope=runtime', `-DoutputDirectory=${folder}/libs`];
    await runCommand(['mvn', '-q', '-B', '--strict-checksums', '-f', pom, goal, ...options], { deadlineMs: FETCH_DEADLINE_MS });
    writeFileSync(join(folder, 'log4j2.properties'), LOGGING);
  },
};

/**
 * One Kafka node, broker and controller in one.
 * @param nodes of the whole set
 * @param number from 1
 */
export function kafkaServer(nodes: readonly KafkaPorts[], number: number): Server {
  const { port, behindProxy, controller } = nodeOf(nodes, number);
  const java = (program: string) => [
    ...['java', `-Xms64m`, `-Xmx${nodes.length > 1 ? 256 : 384}m`, '-XX:+UseSerialGC', '-XX:TieredStopAtLevel=1', '-XX:-UsePerfData'],
    ...['-Djava.awt.headless=true', `-Dlog4j2.configurationFile=${program}/log4j2.properties`, '-cp', `${program}/libs/*`],
  ];
  return {
    name: `kafka-${number}`,
    artifact,
    ports: [port, behindProxy, controller],
    startDeadlineMs: 180_000,
    prepare: async ({ program, directory }) => {
      const config = join(directory, 'server.properties');
      const data = join(directory, 'data');
      const lines = Object.entries(kafkaProperties(nodes, number, data)).map(([key, value]) => `${key}=${value}\n`);
      writeFileSync(config, lines.join(''));
      if (!existsSync(join(data, 'meta.properties'))) {
        // Formatting is not atomic; what an interrupted one left must not pass for a log.
        rmSync(data, { recursive: true, force: true });
        const format = ['kafka.tools.StorageTool', 'format', '--cluster-id', CLUSTER_ID, '--config', config];
        await runCommand([...java(program), ...format], { deadlineMs: FORMAT_DEADLINE_MS });
      }
      return { command: [...java(program), 'kafka.Kafka', config] };
    },
    check: () => askBroker(port, number),
  };
}

function nodeOf(nodes: readonly KafkaPorts[], number: number): KafkaPorts {
  const node = nodes[number - 1];
  if (node === undefined) throw new Error(`the set has ${nodes.length} Kafka nodes, not ${number}`);
  return node;
}

/** The settings of a node. @param data folder of its log */
export function kafkaProperties(nodes: readonly KafkaPorts[], number: number, data: string): Readonly<Record<string, unknown>> {
  const { port, behindProxy, controller, proxy } = nodeOf(nodes, number);
  const copies = nodes.length;
  const inSync = Math.min(2, copies);
  const partitions = copies;
  return {
    'process.roles': 'broker,controller',
    'node.id': number,
    'controller.quorum.voters': nodes.map((node, index) => `${index + 1}@127.0.0.1:${node.controller}`).join(','),
    listeners: `DIRECT://127.0.0.1:${port},PROXIED://127.0.0.1:${behindProxy},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `DIRECT://127.0.0.1:${port},PROXIED://127.0.0.1:${proxy}`,
    'listener.security.protocol.map': 'DIRECT:PLAINTEXT,PROXIED:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'controller.listener.names': 'CONTROLLER',
    'inter.broker.listener.name': 'DIRECT',
    'log.dirs': data,
    'auto.create.topics.enable': false,
    'default.replication.factor': copies,
    'min.insync.replicas': inSync,
    'offsets.topic.num.partitions': partitions,
    'offsets.topic.replication.factor': copies,
    'transaction.state.log.num.partitions': partitions,
    'transaction.state.log.replication.factor': copies,
    'transaction.state.log.min.isr': inSync,
    'share.coordinator.state.topic.num.partitions': partitions,
    'share.coordinator.state.topic.replication.factor': copies,
    'share.coordinator.state.topic.min.isr': inSync,
    // Kafka forgets the position of a group without members after 7 days by default. That of the redriven dead letters must
    // outlive the dead letters, which are kept 30 days: 31 days.
    'offsets.retention.minutes': 31 * 24 * 60,
    // Tests join groups one after the other and lose members on purpose; both should show soon.
    'group.initial.rebalance.delay.ms': 0,
    'group.min.session.timeout.ms': 1000,
    // A killed broker may come back only when its old session is over; the default makes a test wait 9 s for it.
    'broker.session.timeout.ms': 5000,
    'broker.heartbeat.interval.ms': 1000,
    // While nothing happens, the controller writes and the broker reads a record twice a second by default, which is most of what an idle Kafka does.
    'metadata.max.idle.interval.ms': 5000,
    // The defaults are for machines of their own: threads, and 128 MB of heap for the log cleaner.
    'num.network.threads': 2,
    'num.io.threads': 4,
    'background.threads': 2,
    'log.cleaner.dedupe.buffer.size': 16 * 1024 * 1024,
  };
}

/** Passes when a broker responds, counts itself among the brokers and knows the controller. */
async function askBroker(port: number, number: number) {
  const { Kafka, logLevel } = await import('kafkajs');
  const admin = new Kafka({
    clientId: 'servers',
    brokers: [`127.0.0.1:${port}`],
    logLevel: logLevel.NOTHING,
    connectionTimeout: CHECK_DEADLINE_MS,
    requestTimeout: CHECK_DEADLINE_MS,
    retry: { retries: 0 },
  }).admin();
  try {
    await admin.connect();
    const { brokers, controller } = await admin.describeCluster();
    if (!brokers.some((broker) => broker.nodeId === number)) throw new Error('the broker has not joined');
    if (controller === null || controller < 0) throw new Error('no controller is known');
  } finally {
    await admin.disconnect();
  }
}
