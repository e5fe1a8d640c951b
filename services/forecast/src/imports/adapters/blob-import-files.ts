import { buffer } from 'node:stream/consumers';
import type { Blobs } from '@parcelway/blobs/blobs';
import type { ImportFileStore } from '../start-import.ts';

/** Files of imports in the object storage: at most 20 MB each. */
export function createBlobImportFiles(blobs: Blobs): ImportFileStore {
  return {
    async put(fileKey, content, sha256) {
      await blobs.put(fileKey, content, 'application/octet-stream', sha256);
    },
    async read(fileKey) {
      const blob = await blobs.open(fileKey);
      if (blob === undefined) return undefined;
      const content = await buffer(blob.stream);
      // A small one may be a part of a pool that others use.
      return new Uint8Array(content);
    },
    delete: (fileKey) => blobs.delete(fileKey),
  };
}
