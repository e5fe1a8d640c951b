import { createReadStream } from 'node:fs';
import type { Readable } from 'node:stream';
import type { Client } from 'minio';
import { connectMinio, type MinioBucket, PATIENT } from './minio-driver.ts';
import { minioFailure, s3CodeOf } from './minio-failure.ts';

/** An object as it is read. */
export interface ReadObject {
  readonly contentType: string;
  readonly stream: Readable;
}

/** Reads and writes whole objects of a bucket under their names in it, for backups. Close it. */
export class MinioCopy {
  readonly #client: Client;
  readonly #bucket: string;
  readonly #end: () => void;

  constructor(options: MinioBucket) {
    const { client, connections } = connectMinio(options, PATIENT);
    this.#client = client;
    this.#bucket = options.bucket;
    this.#end = () => connections.close();
  }

  /** Names of all objects below a prefix. @throws AppError 50301 */
  async *names(prefix: string): AsyncGenerator<string> {
    try {
      for await (const item of this.#client.listObjectsV2(this.#bucket, prefix, true)) {
        const { name } = item as { name?: string };
        if (name !== undefined) yield name;
      }
    } catch (error) {
      throw minioFailure(error);
    }
  }

  /** Name of some object; undefined when there is none, or no bucket yet. @throws AppError 50301 */
  async anyName(): Promise<string | undefined> {
    try {
      if (!(await this.#client.bucketExists(this.#bucket))) return undefined;
    } catch (error) {
      throw minioFailure(error);
    }
    for await (const name of this.names('')) return name;
    return undefined;
  }

  /** Opens an object; undefined when it is gone. @throws AppError 50301 */
  async open(name: string): Promise<ReadObject | undefined> {
    try {
      const stream = await this.#client.getObject(this.#bucket, name);
      const { headers } = stream as Readable & { readonly headers: Readonly<Record<string, string | undefined>> };
      return { contentType: headers['content-type'] ?? 'application/octet-stream', stream };
    } catch (error) {
      const code = s3CodeOf(error);
      if (code === 'NoSuchKey' || code === 'NotFound') return undefined;
      throw minioFailure(error);
    }
  }

  /** Stores a file as an object. @throws AppError 50301 */
  async put(name: string, file: string, bytes: number, contentType: string): Promise<void> {
    try {
      await this.#client.putObject(this.#bucket, name, createReadStream(file), bytes, { 'content-type': contentType });
    } catch (error) {
      throw minioFailure(error);
    }
  }

  close(): void {
    this.#end();
  }
}
