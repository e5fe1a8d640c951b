import type { Readable } from 'node:stream';
import type { Client } from 'minio';
import { connectMinio, type MinioBucket, PATIENT } from './minio-driver.ts';
import { isMissingObject, minioFailure } from './minio-failure.ts';

export interface ReadObject {
  readonly contentType: string;
  readonly stream: Readable;
}

/** An item that the client lists: an object or a prefix. */
interface Listed {
  readonly name?: string;
  readonly prefix?: string;
  readonly size?: number;
}

/** Whole objects of a bucket under their names in it, for backups and the archive. Every method throws AppError 50301. Close it. */
export class MinioObjects {
  readonly #client: Client;
  readonly #bucket: string;
  readonly #end: () => void;

  constructor(options: MinioBucket) {
    const { client, connections } = connectMinio(options, PATIENT);
    this.#client = client;
    this.#bucket = options.bucket;
    this.#end = () => connections.close();
  }

  /** What lies below a prefix: all of it, or, not `deep`, what has no further slash in its name, and the prefixes of the rest. */
  async *list(prefix: string, deep: boolean): AsyncGenerator<Listed> {
    try {
      for await (const item of this.#client.listObjectsV2(this.#bucket, prefix, deep)) yield item as Listed;
    } catch (error) {
      throw minioFailure(error);
    }
  }

  /** Names of all objects. */
  async *names(): AsyncGenerator<string> {
    for await (const { name } of this.list('', true)) if (name !== undefined) yield name;
  }

  /** Returns the name of any object; undefined if the bucket is empty or missing. */
  async anyName(): Promise<string | undefined> {
    if (!(await this.#ask(() => this.#client.bucketExists(this.#bucket)))) return undefined;
    for await (const name of this.names()) return name;
    return undefined;
  }

  /** Opens an object; undefined when it is gone. */
  async open(name: string): Promise<ReadObject | undefined> {
    try {
      const stream = await this.#client.getObject(this.#bucket, name);
      const { headers } = stream as Readable & { readonly headers: Readonly<Record<string, string | undefined>> };
      return { contentType: headers['content-type'] ?? 'application/octet-stream', stream };
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      throw minioFailure(error);
    }
  }

  /** Stores an object of so many bytes. */
  async put(name: string, content: Readable | Buffer, bytes: number, contentType: string): Promise<void> {
    await this.#ask(() => this.#client.putObject(this.#bucket, name, content, bytes, { 'content-type': contentType }));
  }

  /** Deletes an object; a missing one is no error. */
  async delete(name: string): Promise<void> {
    await this.#ask(() => this.#client.removeObject(this.#bucket, name));
  }

  close(): void {
    this.#end();
  }

  async #ask<T>(call: () => Promise<T>): Promise<T> {
    try {
      return await call();
    } catch (error) {
      throw minioFailure(error);
    }
  }
}
