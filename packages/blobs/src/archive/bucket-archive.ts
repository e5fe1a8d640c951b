import { buffer } from 'node:stream/consumers';
import { type MinioBucket, MinioObjects, minioFailure } from '../minio-objects.ts';
import { type Archive, type ArchiveEntry, assertArchivePath } from './archive.ts';

/** In front of every path: the bucket holds other objects besides. */
const PREFIX = 'archive/';

function nameOf(path: string): string {
  assertArchivePath(path);
  return `${PREFIX}${path}`;
}

/**
 * The archive of a distributed installation, in a bucket of an S3 store: each path is an object of that name below `archive/`. Does not wait for the
 * store: it may come up later.
 */
export function openBucketArchive(options: MinioBucket): Archive {
  const objects = new MinioObjects(options);
  return {
    async put(path, content) {
      const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
      await objects.put(nameOf(path), bytes, bytes.length, 'application/gzip');
    },
    async get(path) {
      const opened = await objects.open(nameOf(path));
      return (
        opened &&
        buffer(opened.stream).catch((error: unknown) => {
          throw minioFailure(error);
        })
      );
    },
    async list(folder) {
      const prefix = folder === '' ? PREFIX : `${nameOf(folder)}/`;
      const entries: ArchiveEntry[] = [];
      for await (const { name, prefix: below, size = 0 } of objects.list(prefix, false)) {
        if (below !== undefined) entries.push({ name: below.slice(prefix.length, -1) });
        else if (name !== undefined && name !== prefix) entries.push({ name: name.slice(prefix.length), bytes: size });
      }
      return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    },
    delete: async (path) => objects.delete(nameOf(path)),
    close: async () => objects.close(),
  };
}
