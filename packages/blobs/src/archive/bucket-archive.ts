import { buffer } from 'node:stream/consumers';
import type { Client } from 'minio';
import { connectMinio, type MinioBucket, PATIENT } from '../minio-driver.ts';
import { minioFailure, s3CodeOf } from '../minio-failure.ts';
import { type Archive, type ArchiveEntry, assertArchivePath } from './archive.ts';

/** In front of every path: the bucket holds other objects besides. */
const PREFIX = 'archive/';

/** An item of a list of the client: an object, or what its prefix stands for. */
interface Listed {
  readonly name?: string;
  readonly prefix?: string;
  readonly size?: number;
}

/** An archive in a bucket of an S3 store: each path is an object of that name below `archive/`. */
class BucketArchive implements Archive {
  readonly #client: Client;
  readonly #bucket: string;
  readonly #end: () => void;

  constructor(options: MinioBucket) {
    const { client, connections } = connectMinio(options, PATIENT);
    this.#client = client;
    this.#bucket = options.bucket;
    this.#end = () => connections.close();
  }

  async put(path: string, content: Uint8Array): Promise<void> {
    const name = nameOf(path);
    const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
    await this.#ask(() => this.#client.putObject(this.#bucket, name, bytes, bytes.length, { 'content-type': 'application/gzip' }));
  }

  async get(path: string): Promise<Buffer | undefined> {
    const name = nameOf(path);
    try {
      return await buffer(await this.#client.getObject(this.#bucket, name));
    } catch (error) {
      const code = s3CodeOf(error);
      if (code === 'NoSuchKey' || code === 'NotFound') return undefined;
      throw minioFailure(error);
    }
  }

  async list(folder: string): Promise<readonly ArchiveEntry[]> {
    const prefix = folder === '' ? PREFIX : `${nameOf(folder)}/`;
    const entries: ArchiveEntry[] = [];
    await this.#ask(async () => {
      for await (const item of this.#client.listObjectsV2(this.#bucket, prefix, false)) {
        const { name, prefix: below, size = 0 } = item as Listed;
        if (below !== undefined) entries.push({ name: below.slice(prefix.length, -1) });
        else if (name !== undefined && name !== prefix) entries.push({ name: name.slice(prefix.length), bytes: size });
      }
    });
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async delete(path: string): Promise<void> {
    const name = nameOf(path);
    await this.#ask(() => this.#client.removeObject(this.#bucket, name));
  }

  async close(): Promise<void> {
    this.#end();
  }

  async #ask(call: () => Promise<unknown>): Promise<void> {
    try {
      await call();
    } catch (error) {
      throw minioFailure(error);
    }
  }
}

function nameOf(path: string): string {
  assertArchivePath(path);
  return `${PREFIX}${path}`;
}

/** The archive of a distributed installation. Does not wait for the store: it may come up later. */
export function openBucketArchive(options: MinioBucket): Archive {
  return new BucketArchive(options);
}
