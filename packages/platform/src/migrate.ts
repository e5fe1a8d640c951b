import { createBucket } from '@parcelway/blobs/minio-driver';
import { addKafkaPartitions } from '@parcelway/bus/kafka-partitions';
import { createKafkaTopics } from '@parcelway/bus/kafka-topics';
import { topicConsumers } from '@parcelway/contracts/topic-consumers';
import { consumedTopics, PARTITIONS, topics } from '@parcelway/contracts/topics';
import type { Logger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { RefusedDatabaseError } from '@parcelway/mongo/mongo-mark';
import { shardCollections, shardRouterOf } from '@parcelway/mongo/mongo-shard-collections';
import { type Environ, loadSections } from './config.ts';
import * as read from './distributed-config.ts';
import { type MarkedDatabases, markDatabases } from './mark-databases.ts';
import { mongoCollections } from './open-store.ts';
import type { ServiceStore } from './service.ts';

/** The step that marks the databases. A restore has it last. */
export const MARKS = 'marks of the databases';

/** Time for one collection to be sharded. */
const SHARD_MS = 60_000;
/** Time for the missing indexes of one service, while its database responds: an index of a hundred million documents takes hours. */
const INDEXES_MS = 86_400_000;
/** Time for sharding the collections of one service. */
const SHARDING_MS = 1_800_000;
/** Time for more partitions: consumers have ten minutes of it to finish. */
const PARTITIONS_MS = 900_000;

/**
 * Topics that get more partitions. `gateway.events.v1` has few messages, among them revoked keys, which no pause may hold up; a compacted topic
 * would keep the former state of a key in its old partition.
 */
const GROWING = consumedTopics.filter((topic) => topic !== topics.gateway);

/** Runs work that takes long by itself, for which a step has `ms` milliseconds. Its time is not counted as waiting for servers. */
export type LongWork = <T>(ms: number, work: () => Promise<T>) => Promise<T>;

/** One thing that the migrate step sees to. */
export interface MigrateStep {
  /** What it makes, for a person, such as `indexes of forecast`. */
  readonly what: string;
  /** Given: the step has so many milliseconds of its own, and is not repeated when it fails. */
  readonly deadlineMs?: number;
  /** True of a failure that comes again with each try. */
  isFinal?(error: unknown): boolean;
  /** @param longWork runs what takes long; default without a limit */
  run(longWork?: LongWork): Promise<unknown>;
}

/** What the steps are to do besides. */
export interface MigrateOptions {
  /** Shards the collections: MONGODB_URL leads to the routers of a sharded cluster. */
  readonly sharded?: boolean;
  /** Gives the topics that services consume so many partitions. Fewer than a topic has change nothing. */
  readonly partitions?: number | undefined;
  /** Hears what a long step does. */
  readonly progress?: (line: string) => void;
}

const marksOf = (installation: MarkedDatabases, logger: Logger): MigrateStep => ({
  what: MARKS,
  isFinal: (error) => error instanceof RefusedDatabaseError,
  run: () => markDatabases(installation, logger),
});

/**
 * The steps that make an installation's topics, bucket, collections and indexes where they lack. Each is idempotent and
 * may run while services work.
 * @throws ConfigError naming every variable that is wrong
 */
export function migrateSteps(
  env: Environ,
  services: readonly ServiceStore[],
  logger: Logger,
  { sharded = false, partitions, progress = () => undefined }: MigrateOptions = {},
): readonly MigrateStep[] {
  const { installation, mongo, kafka, topicSettings, objectStore } = loadSections(env, {
    installation: read.readInstallation,
    mongo: read.readMongo,
    kafka: read.readKafka,
    topicSettings: read.readTopicSettings,
    objectStore: read.readObjectStore,
  });
  const { bucket = installation.resourcePrefix, ...store } = objectStore;
  const connection = { ...kafka, clientId: 'parcelway-migrate' };
  const nameOf = ({ name }: ServiceStore): string => `${installation.resourcePrefix}-${name}`;
  const databases = services.map((definition) => ({ service: definition.name, name: nameOf(definition) }));
  const withDatabase = async (
    definition: ServiceStore,
    commandTimeoutMs: number,
    work: (database: MongoDatabase, collections: Awaited<ReturnType<typeof mongoCollections>>) => Promise<void>,
  ): Promise<void> => {
    const database = new MongoDatabase({ url: mongo.url, name: nameOf(definition), logger, commandTimeoutMs });
    try {
      await database.connect();
      await work(database, await mongoCollections(definition.collections));
    } finally {
      await database.close();
    }
  };
  const collectionsOf = (definition: ServiceStore): MigrateStep => ({
    what: `collections and indexes of ${definition.name}`,
    run: (longWork = (_ms, work) => work()) =>
      // Without a timeout: a build takes as long as it takes.
      withDatabase(definition, 0, (database, collections) =>
        database.migrate(collections, {
          progress: (line) => progress(`${definition.name}.${line}`),
          building: (build) => longWork(INDEXES_MS, build),
        }),
      ),
  });
  const shardsOf = (definition: ServiceStore): MigrateStep => ({
    what: `shards of ${definition.name}`,
    deadlineMs: SHARDING_MS,
    run: () =>
      withDatabase(definition, SHARD_MS, (database, collections) =>
        shardCollections(shardRouterOf(database), collections, (line) => progress(`${definition.name}.${line}`)),
      ),
  });
  const growth: MigrateStep = {
    what: `${partitions} partitions`,
    deadlineMs: PARTITIONS_MS,
    run: () =>
      addKafkaPartitions({
        connection,
        topics: GROWING.map((topic) => ({ topic, groups: topicConsumers[topic] })),
        partitions: partitions ?? PARTITIONS,
        progress,
      }),
  };
  return [
    // First: a lost database gets nothing that would make it look like a new one, and services wait for their marks.
    marksOf({ mongoUrl: mongo.url, databases, environment: installation.environment }, logger),
    {
      what: 'topics',
      run: () =>
        createKafkaTopics({
          connection,
          ...topicSettings,
          topics: Object.values(topics),
          partitions: PARTITIONS,
          mayGrow: partitions !== undefined,
          logger,
        }),
    },
    { what: `bucket ${bucket}`, run: () => createBucket({ ...store, bucket }) },
    ...services.map(collectionsOf),
    ...(sharded ? services.map(shardsOf) : []),
    ...(partitions === undefined ? [] : [growth]),
  ];
}
