import { statfsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { openDirectoryArchive } from '@parcelway/blobs/archive/directory-archive';
import type { Blobs } from '@parcelway/blobs/blobs';
import { openFilesystemBlobs } from '@parcelway/blobs/filesystem-driver';
import { createBus } from '@parcelway/bus/create-bus';
import { openEmbeddedBus } from '@parcelway/bus/embedded-driver';
import { createMemoryRateLimiter } from '@parcelway/cache/memory-rate-limiter';
import { type Environment, environments } from '@parcelway/contracts/environment';
import { PARTITIONS } from '@parcelway/contracts/topics';
import { localServices } from '@parcelway/http/other-services';
import { PrincipalSigner, PrincipalVerifier } from '@parcelway/http/principal-token';
import { type Clock, systemClock } from '@parcelway/kernel/clock';
import type { Logger } from '@parcelway/kernel/logger';
import { lockDataDirectory } from '@parcelway/sqlite/data-directory-lock';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { isDiskFailure, isDiskFull } from '@parcelway/sqlite/sqlite-errors';
import { SqliteFile } from '@parcelway/sqlite/sqlite-file';
import type { Telemetry } from '@parcelway/telemetry/telemetry';
import { AdminServer } from './admin-server.ts';
import { choice, type Environ, loadConfig, loadSections, text } from './config.ts';
import { fileSecretsOf, openInstallation } from './installation.ts';
import { DATABASE, KeptStores } from './kept-stores.ts';
import { NO_RELAY, openSqliteStore } from './open-store.ts';
import { CleanUps } from './policies/clean-up.ts';
import type { Platform } from './service.ts';
import { openProcessTelemetry, readAdminAddress, readTraces } from './telemetry-config.ts';

/** A platform with the means to shut it down. */
export type OpenPlatform = Awaited<ReturnType<typeof openEmbeddedPlatform>>;

const ARCHIVE = 'archive';

/** Where the archive of a data directory is. */
export const archiveDirectory = (dataDirectory: string): string => join(dataDirectory, ARCHIVE);

/** With less free space SQLite reports a failing disk, not a full one: it cannot make the files beside a database. */
const FULL_BYTES = 1024 * 1024;

/** Why a start in embedded mode failed: a sentence when its disk is full, otherwise the error. @param env reads DATA_DIR */
export function whyNotStarted(env: Environ, error: unknown): unknown {
  const directory = resolve(env['DATA_DIR'] || './.data');
  const codes = [error, (error as { cause?: unknown } | null)?.cause].map(
    (each) => (each as NodeJS.ErrnoException | undefined)?.code ?? '',
  );
  const hasNoSpace = isDiskFull(error) || codes.includes('ENOSPC') || codes.includes('EDQUOT');
  if (!hasNoSpace && !(isDiskFailure(error) && freeBytes(directory) < FULL_BYTES)) return error;
  return new Error(
    `The disk of the data directory ${directory} is full (${(error as Error).message}). Free some space on it, and start again.`,
    {
      cause: error,
    },
  );
}

function freeBytes(directory: string): number {
  const { bavail, bsize } = statfsSync(directory);
  return bavail * bsize;
}

/** ENVIRONMENT and DATA_DIR */
function readDirectory(env: Environ) {
  return loadConfig(env, { ENVIRONMENT: choice(environments, 'sandbox'), DATA_DIR: text('./.data') });
}

/** Takes the data directory and opens what every service needs of it; gives it back when that fails. */
async function openDataDirectory(dataDirectory: string, environment: Environment, clock: Clock, logger: Logger, telemetry: Telemetry) {
  const unlock = lockDataDirectory(dataDirectory);
  try {
    const installation = openInstallation(dataDirectory, environment);
    const stores = new KeptStores(dataDirectory, installation);
    const file = new SqliteFile(stores.keep(DATABASE));
    const log = await openEmbeddedBus({ db: new SqliteDatabase(file), clock, logger, partitions: PARTITIONS });
    return { unlock, installation, stores, file, log, bus: createBus({ driver: log, logger, clock, telemetry }) };
  } catch (error) {
    unlock();
    throw error;
  }
}

/** Opens the admin server and then the data directory; closes the server again when that fails. */
async function openServerAndDirectory(env: Environ, clock: Clock, logger: Logger) {
  const { config, admin, traces } = loadSections(env, { config: readDirectory, admin: readAdminAddress, traces: readTraces });
  const environment = config.ENVIRONMENT;
  const dataDirectory = resolve(config.DATA_DIR);
  const telemetry = await openProcessTelemetry(traces, logger, 'gateway');
  const adminServer = await AdminServer.open(admin, telemetry);
  try {
    return {
      environment,
      dataDirectory,
      telemetry,
      adminServer,
      ...(await openDataDirectory(dataDirectory, environment, clock, logger, telemetry)),
    };
  } catch (error) {
    await Promise.all([adminServer.close(), telemetry.close()]);
    throw error;
  }
}

/**
 * Opens the embedded platform: one SQLite file with the stores and a durable log, files on disk, memory caches, all in the data
 * directory. One process at a time.
 * @param env reads ENVIRONMENT, DATA_DIR, and where operators and traces go
 * @param publicBaseUrl address under which merchants reach the gateway
 * @throws ConfigError, or Error when the directory is in use or of the other environment
 */
export async function openEmbeddedPlatform(env: Environ, publicBaseUrl: string, logger: Logger) {
  const clock = systemClock;
  const opened = await openServerAndDirectory(env, clock, logger);
  const { environment, dataDirectory, telemetry, adminServer, unlock, installation, stores, file, log, bus } = opened;
  const rateLimiter = createMemoryRateLimiter({ clock });
  const services = localServices();
  const blobs: Blobs[] = [];
  const cleanUps = new CleanUps(clock, logger);

  const platform: Platform = {
    environment,
    publicBaseUrl,
    dataDirectory,
    env,
    clock,
    logger,
    telemetry,
    adminServer,
    bus,
    rateLimiter,
    principalSigner: new PrincipalSigner(installation.internalSecret, clock),
    principalVerifier: new PrincipalVerifier([installation.internalSecret], clock, environment),
    internalSecrets: [installation.internalSecret],
    ...fileSecretsOf(installation),
    async openBlobs(bucket) {
      const opened = await openFilesystemBlobs(dirname(stores.keep(`blobs/${bucket}/objects`)));
      blobs.push(opened);
      return opened;
    },
    openArchive: () => openDirectoryArchive(stores.keep(ARCHIVE)),
    async openStore(service, collections) {
      const opened = openSqliteStore(new SqliteDatabase(file, service), collections, log);
      cleanUps.start(service, collections, opened.store);
      return { ...opened, relay: NO_RELAY };
    },
    settled: () => file.lateFlush.settled(),
    otherServices: services,
  };

  return {
    platform,
    /** The admin server of the process. */
    adminServer,
    /** Lets the services call one of them. The runner does so before they start. */
    addService: services.add,
    /** Closes log, stores and blobs, and gives the data directory back. */
    async close(): Promise<void> {
      await cleanUps.stop();
      await bus.close();
      await rateLimiter.close();
      await Promise.all(blobs.map((store) => store.close()));
      await file.checkpoints.stop();
      file.close();
      await Promise.all([telemetry.close(), adminServer.close()]);
      unlock();
    },
  };
}
