import { createBucket } from '@parcelway/blobs/minio-driver';
import { createKafkaTopics } from '@parcelway/bus/kafka-topics';
import { PARTITIONS, topics } from '@parcelway/contracts/topics';
import type { Logger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { type Environ, loadSections } from './config.ts';
import * as read from './distributed-config.ts';
import type { ServiceStore } from './service-store.ts';

/** Time for the indexes of one collection. */
const INDEX_MS = 60_000;

/** One thing that the migrate step sees to. */
export interface MigrateStep {
  /** What it makes, for a person, such as `indexes of forecast`. */
  readonly what: string;
  run(): Promise<unknown>;
}

/**
 * The steps that make an installation's topics, bucket, collections and indexes where they lack. Each is idempotent and
 * may run while services work.
 * @throws ConfigError naming every variable that is wrong
 */
export function migrateSteps(env: Environ, services: readonly ServiceStore[], logger: Logger): readonly MigrateStep[] {
  const { installation, mongo, kafka, topicSettings, objectStore } = loadSections(env, {
    installation: read.readInstallation,
    mongo: read.readMongo,
    kafka: read.readKafka,
    topicSettings: read.readTopicSettings,
    objectStore: read.readObjectStore,
  });
  const { bucket = installation.resourcePrefix, ...store } = objectStore;
  const collectionsOf = (definition: ServiceStore): MigrateStep => ({
    what: `collections and indexes of ${definition.name}`,
    async run() {
      const name = `${installation.resourcePrefix}-${definition.name}`;
      const database = new MongoDatabase({ url: mongo.url, name, logger, commandTimeoutMs: INDEX_MS });
      try {
        await database.connect();
        await database.migrate(await definition.collections());
      } finally {
        await database.close();
      }
    },
  });
  return [
    {
      what: 'topics',
      run: () =>
        createKafkaTopics({
          connection: { ...kafka, clientId: 'parcelway-migrate' },
          ...topicSettings,
          topics: Object.values(topics),
          partitions: PARTITIONS,
          logger,
        }),
    },
    { what: `bucket ${bucket}`, run: () => createBucket({ ...store, bucket }) },
    ...services.map(collectionsOf),
  ];
}
