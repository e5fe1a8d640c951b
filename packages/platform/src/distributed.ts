import { hostname, tmpdir } from 'node:os';
import { resolve } from 'node:path';
import type { Archive } from '@parcelway/blobs/archive/archive';
import { openBucketArchive } from '@parcelway/blobs/archive/bucket-archive';
import type { Blobs } from '@parcelway/blobs/blobs';
import { openMinioBlobs } from '@parcelway/blobs/minio-driver';
import { Spool } from '@parcelway/blobs/spool';
import type { Bus } from '@parcelway/bus/bus';
import { createBus } from '@parcelway/bus/create-bus';
import { openKafkaBus } from '@parcelway/bus/kafka-driver';
import { openRedis, type RedisConnection } from '@parcelway/cache/redis-connection';
import { createRedisRateLimiter } from '@parcelway/cache/redis-rate-limiter';
import type { ServiceName } from '@parcelway/contracts/service-name';
import { remoteServices } from '@parcelway/http/other-services';
import { PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { type ExpectedDatabase, type MongoDatabase, type MongoDatabaseOptions, openMongoDatabase } from '@parcelway/mongo/mongo-database';
import { AdminServer } from './admin-server.ts';
import { type Environ, loadSections } from './config.ts';
import * as read from './distributed-config.ts';
import { openMongoStore } from './open-mongo-store.ts';
import { mongoCollections } from './open-store.ts';
import type { OutboxSource, Relay } from './outbox.ts';
import { CleanUps } from './policies/clean-up.ts';
import { relayTiming } from './relay-timing.ts';
import type { Facility, Platform, ServiceDefinition } from './service.ts';
import { openProcessTelemetry, readAdminAddress, readTraces } from './telemetry-config.ts';
import { WatchedRelays } from './watched-relay.ts';

/** The configuration of one service's process. @throws ConfigError naming every variable that is wrong */
export function loadSettings(env: Environ, { calls, uses, settings }: ServiceDefinition) {
  const ifUsed =
    <T>(facility: Facility, section: (env: Environ) => T) =>
    (env: Environ): T | undefined =>
      uses.includes(facility) ? section(env) : undefined;
  return loadSections(env, {
    installation: read.readInstallation,
    mongo: read.readMongo,
    kafka: read.readKafka,
    outboxRelay: read.readOutboxRelay,
    secrets: read.readSecrets,
    redis: ifUsed('redis', read.readRedis),
    objectStore: ifUsed('object-store', read.readObjectStore),
    publicAddress: ifUsed('public-address', read.readPublicAddress),
    origins: (env) => read.readOrigins(env, calls),
    address: read.readServiceAddress,
    admin: readAdminAddress,
    traces: readTraces,
    own: (env) => settings(env, read.readInstallation(env).environment),
  });
}

type Settings = ReturnType<typeof loadSettings>;

/** Names this process among those of its service: no other one listens there. A container that starts again keeps its name, another pod has its own. */
const replicaOf = ({ address }: Settings): string => `${hostname()}/${address.host}:${address.port}`;

/** A use that the definition does not declare: a defect of the service. */
function undeclared(service: string, what: string): never {
  throw new Error(`The ${service} service uses ${what} and does not declare it`);
}

/** Where the objects of the installation are. */
function bucketOf(service: string, { objectStore, installation }: Settings) {
  const { bucket = installation.resourcePrefix, ...store } = objectStore ?? undeclared(service, 'object-store');
  return { ...store, bucket };
}

/** A start that fails is better than uploads that do as soon as there are many. */
async function openSpooledBlobs(service: string, settings: Settings, area: string): Promise<Blobs> {
  await Spool.check(tmpdir());
  return openMinioBlobs({ ...bucketOf(service, settings), prefix: `${area}/` });
}

/** The database of the service. */
const databaseOf = (service: string, { mongo, installation }: Settings, logger: Logger): MongoDatabaseOptions => ({
  url: mongo.url,
  name: `${installation.resourcePrefix}-${service}`,
  logger,
});

async function openSharedMemory({ redis, installation }: Settings, logger: Logger): Promise<RedisConnection | undefined> {
  return redis && openRedis(redis.url, { keyPrefix: `${installation.resourcePrefix}:`, logger });
}

/** What the storage of a service needs of its platform. */
interface StorageParts {
  readonly settings: Settings;
  readonly definition: ServiceDefinition;
  readonly bus: Bus;
  readonly relays: WatchedRelays;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly waits: Pick<ExpectedDatabase, 'markWaitMs'>;
}

/** Opens databases once they are migrated, publishes the messages in them, and cleans them up. */
function openStorage({ settings, definition, bus, relays, clock, logger, waits }: StorageParts) {
  const databases: MongoDatabase[] = [];
  const cleanUps = new CleanUps(clock, logger);
  const startRelay = (service: ServiceName, source: OutboxSource): Relay =>
    relays.start(service, { source, publish: bus.publish.bind(bus), logger, clock, ...relayTiming });
  const open = async (service: ServiceName): Promise<MongoDatabase> => {
    const expected = {
      environment: settings.installation.environment,
      collections: await mongoCollections(definition.collections),
      ...waits,
    };
    const database = await openMongoDatabase(databaseOf(service, settings, logger), expected);
    databases.push(database);
    return database;
  };
  const storage: Pick<Platform, 'openStore'> = {
    async openStore(service, collections, apart) {
      const opened = openMongoStore(await open(service), collections, apart);
      const { store, outboxes } = opened;
      cleanUps.start(service, collections, store);
      const started = outboxes.map((outbox) => startRelay(service, outbox));
      return {
        ...opened,
        relay: {
          notify: () => started.forEach((relay) => void relay.notify()),
          notifyUnhurried: () => started.forEach((relay) => void relay.notifyUnhurried()),
        },
        ...(apart && { relayApart: (make) => startRelay(service, make(store.outbox(apart))) }),
      };
    },
  };
  return {
    storage,
    endWork: () => Promise.all([cleanUps.stop(), relays.stop()]),
    close: () => Promise.all(databases.map((database) => database.close())),
  };
}

/**
 * Opens the platform of one service: MongoDB, Kafka, and what else it declares. Waits for MongoDB and its migration;
 * Kafka, Redis and the object store may come later.
 * @param waits times that tests shorten
 * @throws ConfigError naming every variable that is wrong
 */
export async function openDistributedPlatform(
  env: Environ,
  definition: ServiceDefinition,
  logger: Logger,
  waits: Pick<ExpectedDatabase, 'markWaitMs'> = {},
) {
  const settings = loadSettings(env, definition);
  const { installation, secrets, kafka, publicAddress, origins } = settings;
  const { name } = definition;
  const clock: Clock = systemClock;
  const telemetry = await openProcessTelemetry(settings.traces, logger, name);
  const adminServer = await AdminServer.open(settings.admin, telemetry);
  const driver = await openKafkaBus({ connection: { ...kafka, clientId: `parcelway-${name}`, replica: replicaOf(settings) }, logger });
  const bus = createBus({ driver, logger, clock, telemetry });
  const redis = await openSharedMemory(settings, logger);
  const relays = new WatchedRelays(telemetry, settings.outboxRelay);
  if (!settings.outboxRelay.isOn) logger.warn({}, 'OUTBOX_RELAY is off: messages wait in the outbox until the process runs without it');
  const blobs: (Blobs | Archive)[] = [];
  const limiter = redis && createRedisRateLimiter({ connection: redis, clock });

  const signer = new PrincipalSigner(secrets.internalSecrets[0], clock);
  const otherServices = remoteServices({
    originOf: (service) => origins.get(service) ?? undeclared(name, `the ${service} service`),
    signer,
    logger,
  });
  const { storage, endWork, close } = openStorage({ settings, definition, bus, relays, clock, logger, waits });

  const platform: Platform = {
    environment: installation.environment,
    get publicBaseUrl() {
      return publicAddress ?? undeclared(name, 'public-address');
    },
    dataDirectory: resolve(installation.dataDirectory),
    env,
    clock,
    logger,
    telemetry,
    adminServer,
    bus,
    get rateLimiter() {
      return limiter ?? undeclared(name, 'redis');
    },
    principalSigner: signer,
    principalVerifier: new PrincipalVerifier(secrets.internalSecrets, clock, installation.environment),
    internalSecrets: secrets.internalSecrets,
    ...secrets.file,
    async openBlobs(area) {
      const opened = await openSpooledBlobs(name, settings, area);
      blobs.push(opened);
      return opened;
    },
    openArchive() {
      const opened = openBucketArchive(bucketOf(name, settings));
      blobs.push(opened);
      return opened;
    },
    ...storage,
    settled: async () => undefined,
    otherServices,
  };

  return {
    platform,
    /** The admin server, open since before anything was waited for. */
    adminServer,
    /** Where the service is to listen for the others. */
    address: settings.address,
    /** Stops the relay and calls of other services, then closes log, caches, object store and database. */
    async close(): Promise<void> {
      await endWork();
      await otherServices.close();
      await bus.close();
      await limiter?.close();
      await redis?.close();
      await Promise.all(blobs.map((store) => store.close()));
      await close();
      await Promise.all([telemetry.close(), adminServer.close()]);
    },
  };
}
