import { createReadStream, existsSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { silentLogger } from '@parcelway/kernel/logger';
import { MARK_COLLECTION } from '@parcelway/mongo/mongo-mark';
import type { Environ } from '../config.ts';
import { markDatabases } from '../mark-databases.ts';
import { MARKS, migrateSteps } from '../migrate.ts';
import type { ServiceStore } from '../service.ts';
import type { StoredObject } from './distributed-backup.ts';
import { closing, DOCUMENTS, OBJECTS, RECORDS, readBackupSettings } from './distributed-settings.ts';
import type { Say } from './embedded-backup.ts';
import { fromLines } from './log-lines.ts';
import { BackupError, fingerprintOf, type Manifest, readManifest, verifyFiles } from './manifest.ts';

type Settings = ReturnType<typeof readBackupSettings>;

function assertFits(from: string, manifest: Manifest, { environment, sealSecrets }: Settings): void {
  if (manifest.mode !== 'distributed')
    throw new BackupError(`${from} is a backup of an installation in embedded mode: run this without the variables of a distributed one`);
  if (manifest.environment !== environment)
    throw new BackupError(`${from} is a backup of the ${manifest.environment} environment; ENVIRONMENT is ${environment}`);
  if (!sealSecrets.some((secret) => manifest.file_secret === fingerprintOf(secret)))
    throw new BackupError(
      'FILE_SECRET differs from the one of the backup, so issued file URLs and photo ids would be refused: set it, or FILE_SECRET_PREVIOUS, to the value that the backup was made with',
    );
}

/** A database, a topic or a bucket that is in use would be mixed with the backup. Looks only: what lacks still lacks afterwards. */
async function assertEmpty({ databases, mongoUrl, kafka, objectStore }: Settings): Promise<void> {
  const problems: string[] = [];
  const { MongoRestorer } = await import('@parcelway/mongo/mongo-copy');
  await closing(await MongoRestorer.open(mongoUrl), async (mongo) => {
    for (const { name } of databases) {
      const filled = await mongo.filled(name);
      if (filled.length > 0) problems.push(`database ${name} holds ${filled.join(', ')}`);
    }
  });
  const { KafkaCopy } = await import('@parcelway/bus/kafka-copy');
  const used = await closing(new KafkaCopy(kafka), (log) => log.used());
  if (used.length > 0) problems.push(`topics have been used: ${used.join(', ')}`);
  const { MinioObjects } = await import('@parcelway/blobs/minio-objects');
  const name = await closing(new MinioObjects(objectStore), (store) => store.anyName());
  if (name !== undefined) problems.push(`bucket ${objectStore.bucket} holds ${name}`);
  if (problems.length > 0)
    throw new BackupError(
      `Nothing was restored, because the target is in use: ${problems.join('; ')}. Stop the services, and set RESOURCE_PREFIX, S3_BUCKET and KAFKA_PREFIX to new names`,
    );
}

async function writeDatabases(from: string, { files }: Manifest, { databases, mongoUrl }: Settings, say: Say): Promise<void> {
  const { MongoRestorer } = await import('@parcelway/mongo/mongo-copy');
  await closing(await MongoRestorer.open(mongoUrl), async (mongo) => {
    for (const { service, name } of databases) {
      const prefix = `${DOCUMENTS}/${service}/`;
      let documents = 0;
      // The last step marks the target.
      const marks = `${prefix}${MARK_COLLECTION}.bson`;
      for (const { path } of files.filter((file) => file.path.startsWith(prefix) && file.path !== marks)) {
        documents += await mongo.write(name, path.slice(prefix.length, -'.bson'.length), createReadStream(join(from, path)));
      }
      say(`database ${name}: ${documents} documents`);
    }
  });
}

async function writeObjects(from: string, { objectStore }: Settings, say: Say): Promise<void> {
  const index = join(from, OBJECTS, 'index.jsonl');
  if (!existsSync(index)) {
    say(`this backup has no objects: restore the objects of the bucket by other means before the services start`);
    return;
  }
  const { MinioObjects } = await import('@parcelway/blobs/minio-objects');
  let objects = 0;
  await closing(new MinioObjects(objectStore), async (store) => {
    for await (const line of createInterface({ input: createReadStream(index) })) {
      const { name, path, bytes, content_type } = JSON.parse(line) as StoredObject;
      await store.put(name, createReadStream(join(from, path)), bytes, content_type);
      objects += 1;
    }
  });
  say(`${objects} objects`);
}

async function writeRecords(from: string, { kafka }: Settings, say: Say): Promise<void> {
  const { KafkaCopy } = await import('@parcelway/bus/kafka-copy');
  say(`${await closing(new KafkaCopy(kafka), (log) => log.write(fromLines(join(from, RECORDS))))} messages of the log`);
}

/**
 * Restores a backup into databases, a bucket and topics that hold nothing, which it makes where they lack. The services
 * are started afterwards. One that is refused has changed nothing.
 * @param stores what every service keeps in its database
 * @throws ConfigError, BackupError when the target is in use or the backup does not fit, or the failure of a server
 */
export async function restoreDistributed(env: Environ, stores: readonly ServiceStore[], from: string, say: Say): Promise<Manifest> {
  const settings = readBackupSettings(env);
  const manifest = await readManifest(from);
  assertFits(from, manifest, settings);
  await verifyFiles(from, manifest);
  say(`${manifest.files.length} files are unchanged`);
  const steps = migrateSteps(env, stores, silentLogger);
  // Before anything is made: indexes of this version do not belong into databases of another that are in use.
  await assertEmpty(settings);
  for (const { what, run } of steps.filter((step) => step.what !== MARKS)) {
    await run();
    say(`${what}: in place`);
  }
  await writeDatabases(from, manifest, settings, say);
  await writeObjects(from, settings, say);
  // Last: services that were started too early would find the messages before what they are about.
  await writeRecords(from, settings, say);
  // Behind everything: no service starts on a part of a backup.
  await markDatabases(settings, silentLogger, { isRestored: true });
  return manifest;
}
