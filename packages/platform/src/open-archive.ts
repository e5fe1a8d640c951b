import { resolve } from 'node:path';
import type { Archive } from '@parcelway/blobs/archive/archive';
import { type Environ, loadSections } from './config.ts';
import * as read from './distributed-config.ts';
import { archiveDirectory } from './embedded.ts';

/** The archive of an installation in embedded mode, running or not. @param env reads DATA_DIR */
export async function openEmbeddedArchive(env: Environ): Promise<Archive> {
  const { openDirectoryArchive } = await import('@parcelway/blobs/archive/directory-archive');
  return openDirectoryArchive(archiveDirectory(resolve(env['DATA_DIR'] || './.data')));
}

/**
 * The archive of a distributed installation.
 * @param env reads ENVIRONMENT, RESOURCE_PREFIX and the variables of the object store
 * @throws ConfigError naming every variable that is wrong
 */
export async function openDistributedArchive(env: Environ): Promise<Archive> {
  const { installation, objectStore } = loadSections(env, { installation: read.readInstallation, objectStore: read.readObjectStore });
  const { bucket = installation.resourcePrefix, ...store } = objectStore;
  const { openBucketArchive } = await import('@parcelway/blobs/archive/bucket-archive');
  return openBucketArchive({ ...store, bucket });
}
