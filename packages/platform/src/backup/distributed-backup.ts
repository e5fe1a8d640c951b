import { join } from 'node:path';
import type { MinioObjects } from '@parcelway/blobs/minio-objects';
import type { MongoSnapshot } from '@parcelway/mongo/mongo-copy';
import type { Environ } from '../config.ts';
import { closing, DOCUMENTS, OBJECTS, RECORDS, readBackupSettings } from './distributed-settings.ts';
import type { Say } from './embedded-backup.ts';
import { type StoredFile, writeHashed } from './hashed-file.ts';
import { toLines } from './log-lines.ts';
import { fingerprintOf, type Manifest, makeBackupFolder, writeManifest } from './manifest.ts';

const REPORT_EVERY = 1000;

type Settings = ReturnType<typeof readBackupSettings>;

/** What may be left to other means. */
export interface DistributedBackupOptions {
  /** False when the bucket is backed up by the object store itself. */
  readonly objects: boolean;
}

/** A stored object, in the index of a backup. */
export interface StoredObject extends StoredFile {
  /** In the bucket. */
  readonly name: string;
  readonly content_type: string;
}

async function* linesOf(objects: readonly StoredObject[]): AsyncGenerator<Buffer> {
  for (const object of objects) yield Buffer.from(`${JSON.stringify(object)}\n`);
}

async function copyDatabases(snapshot: MongoSnapshot, { databases }: Settings, to: string, say: Say): Promise<StoredFile[]> {
  const files: StoredFile[] = [];
  for (const { service, name } of databases) {
    let bytes = 0;
    for (const collection of await snapshot.collections(name)) {
      const path = `${DOCUMENTS}/${service}/${collection}.bson`;
      const digest = await writeHashed(join(to, path), snapshot.read(name, collection));
      files.push({ path, ...digest });
      bytes += digest.bytes;
    }
    say(`database ${name}: ${bytes} bytes`);
  }
  return files;
}

async function copyObjects(store: MinioObjects, to: string, say: Say): Promise<StoredFile[]> {
  const objects: StoredObject[] = [];
  for await (const name of store.names()) {
    const object = await store.open(name);
    // An upload that was aborted after the names were read: no record names it.
    if (object === undefined) continue;
    const { stream, contentType } = object;
    // Numbered: a name in a bucket is not always one of a file.
    const path = `${OBJECTS}/${String(objects.length).padStart(9, '0')}`;
    objects.push({ name, content_type: contentType, path, ...(await writeHashed(join(to, path), stream)) });
    if (objects.length % REPORT_EVERY === 0) say(`${objects.length} objects`);
  }
  say(`${objects.length} objects`);
  const path = `${OBJECTS}/index.jsonl`;
  const stored = { path, ...(await writeHashed(join(to, path), linesOf(objects))) };
  return [...objects.map((object) => ({ path: object.path, bytes: object.bytes, sha256: object.sha256 })), stored];
}

/** Log and databases, in the order in which a set of both loses nothing (docs/backup.md). */
async function copyState(settings: Settings, to: string, say: Say): Promise<StoredFile[]> {
  const [{ KafkaCopy }, { MongoSnapshot }] = await Promise.all([
    import('@parcelway/bus/kafka-copy'),
    import('@parcelway/mongo/mongo-copy'),
  ]);
  return closing(new KafkaCopy(settings.kafka), async (log) => {
    const needed = await log.needed();
    return closing(await MongoSnapshot.open(settings.mongoUrl, settings.databases[0]?.name ?? ''), async (snapshot) => {
      say(`databases as of ${new Date().toISOString()}`);
      let records = 0;
      const lines = toLines(log.read(needed), () => {
        records += 1;
      });
      const file = { path: RECORDS, ...(await writeHashed(join(to, RECORDS), lines)) };
      say(`${records} messages of the log that are not processed yet`);
      return [file, ...(await copyDatabases(snapshot, settings, to, say))];
    });
  });
}

/**
 * Backs up a distributed installation while it runs: what consumers have still to read, every database as of one moment,
 * and then the objects.
 * @throws ConfigError, BackupError, or the failure of a server
 */
export async function backUpDistributed(env: Environ, to: string, say: Say, { objects }: DistributedBackupOptions): Promise<Manifest> {
  const settings = readBackupSettings(env);
  await makeBackupFolder(to);
  const beganAt = new Date().toISOString();
  const files = await copyState(settings, to, say);
  if (objects) {
    const { MinioObjects } = await import('@parcelway/blobs/minio-objects');
    files.push(...(await closing(new MinioObjects(settings.objectStore), (store) => copyObjects(store, to, say))));
  }
  const manifest: Manifest = {
    format: 1,
    mode: 'distributed',
    environment: settings.environment,
    began_at: beganAt,
    ended_at: new Date().toISOString(),
    file_secret: fingerprintOf(settings.fileSecret),
    files,
  };
  writeManifest(to, manifest);
  return manifest;
}
