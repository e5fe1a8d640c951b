import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import { assertBlobKey, assertBlobRange, type Blobs } from './blobs.ts';
import { type MinioBucket, MinioObjects, minioFailure } from './minio-objects.ts';
import type { Deadlines } from './minio-transport.ts';
import { Spool } from './spool.ts';

/*
 * An object is written by one PUT, which S3 makes visible as a whole or not at all. That needs its size beforehand, so
 * the stream is received first, on the local disk. Against parts of a multipart upload this saves uploads that
 * stay behind unfinished, and every call for a content that is refused at its end.
 */

export interface MinioOptions extends MinioBucket {
  /** In front of every object's name, such as `files/`. Empty when not given. */
  readonly prefix?: string;
}

/**
 * A failed upload is followed by a deletion, and the client has its response within 3 s: so both deadlines together are
 * shorter than that.
 */
const DEADLINES: Deadlines = { stallMs: 1500, responseMs: 1800, deleteMs: 1000 };

/** Keys are lower case, so that no object's name with this end is a folder in another's: not every store can have both. */
const NAME_END = '.OBJECT';

/**
 * Object storage in a bucket of an S3 store. Does not wait for the store: it may come up later, and `check` reports it.
 * Contents are in the system's temporary folder while they are uploaded: see {@link Spool.check}.
 * The access key needs GetObject, PutObject, DeleteObject, and ListBucket (without which a store hides that an object is missing).
 * @throws RangeError for an invalid address
 */
export function openMinioBlobs(options: MinioOptions, deadlines: Deadlines = DEADLINES): Blobs {
  const objects = new MinioObjects(options, deadlines);
  const nameOf = (key: string): string => {
    assertBlobKey(key);
    return `${options.prefix ?? ''}${key}${NAME_END}`;
  };
  return {
    async put(key, content, contentType) {
      const name = nameOf(key);
      // TLS keeps the content whole, and the client then wants no hash.
      const hash = objects.isSecure ? undefined : createHash('sha256');
      const spool = await Spool.fill(tmpdir(), content, hash);
      try {
        await objects.send(name, { size: spool.size, contentType, read: () => spool.read(), sha256: hash?.digest('hex') ?? '' });
      } finally {
        await spool.close();
      }
    },
    async open(key, range) {
      assertBlobRange(range);
      return (await objects.open(nameOf(key), range))?.stream;
    },
    delete: async (key) => objects.delete(nameOf(key)),
    async check() {
      if (!(await objects.hasBucket())) throw minioFailure(new Error(`The bucket ${options.bucket} does not exist`));
    },
    close: async () => objects.close(),
  };
}

/**
 * Makes a bucket, before anything uses it. Does nothing when it is there.
 * @returns whether it was made
 * @throws AppError 50301 when the store is out or refuses
 */
export async function createBucket(options: MinioBucket): Promise<boolean> {
  const objects = new MinioObjects(options);
  try {
    if (await objects.hasBucket()) return false;
    await objects.makeBucket();
    return true;
  } catch (error) {
    // Of two that make it at once, one finds it made; stores have more than one error for that.
    if (await objects.hasBucket().catch(() => false)) return false;
    throw error;
  } finally {
    objects.close();
  }
}
