import { resolve } from 'node:path';
import { type Archive, type ArchiveFilter, archivedObjects, type FoundObject, readArchivePath } from '@parcelway/blobs/archive/archive';
import { type ArchiveRecord, readArchived } from '@parcelway/blobs/archive/archive-records';
import { type Environ, loadSections } from './config.ts';
import * as read from './distributed-config.ts';
import { archiveDirectory } from './embedded.ts';

export type { ArchiveFilter, ArchiveRecord, FoundObject };

/** Reads the archive of an installation, running or not. Close it. */
export type ArchiveReader = ReturnType<typeof readerOf>;

function readerOf(archive: Archive) {
  return {
    /** The wanted objects, by tenant, kind, day and name. @throws AppError 50301 */
    objects: (filter: ArchiveFilter): AsyncIterable<FoundObject> => archivedObjects(archive, filter),
    /** Reads the records of an object. Returns undefined if the path does not exist. @throws AppError 50301 */
    records: async (path: string): Promise<readonly ArchiveRecord[] | undefined> =>
      readArchivePath(path) === undefined ? undefined : readArchived(archive, path),
    close: () => archive.close(),
  };
}

/** The archive of an installation in embedded mode. @param env reads DATA_DIR */
export async function openEmbeddedArchive(env: Environ): Promise<ArchiveReader> {
  const { openDirectoryArchive } = await import('@parcelway/blobs/archive/directory-archive');
  return readerOf(openDirectoryArchive(archiveDirectory(resolve(env['DATA_DIR'] || './.data'))));
}

/**
 * The archive of a distributed installation.
 * @param env reads ENVIRONMENT, RESOURCE_PREFIX and the variables of the object store
 * @throws ConfigError naming every variable that is wrong
 */
export async function openDistributedArchive(env: Environ): Promise<ArchiveReader> {
  const { installation, objectStore } = loadSections(env, { installation: read.readInstallation, objectStore: read.readObjectStore });
  const { bucket = installation.resourcePrefix, ...store } = objectStore;
  const { openBucketArchive } = await import('@parcelway/blobs/archive/bucket-archive');
  return readerOf(openBucketArchive({ ...store, bucket }));
}
