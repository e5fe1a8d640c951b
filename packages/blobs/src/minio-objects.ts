import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import type { AppError } from '@parcelway/kernel/app-error';
import { Client, S3Error } from 'minio';
import { type BlobRange, storageFailure } from './blobs.ts';
import { createMinioTransport, type Deadlines, isStaleConnection } from './minio-transport.ts';

/** What an operator should look at, by S3's error code. */
const HINTS: Readonly<Record<string, string>> = {
  AccessDenied: 'the access key is wrong or may not do this',
  AuthorizationHeaderMalformed: 'the region is wrong',
  InvalidAccessKeyId: 'the access key is not known',
  NoSuchBucket: 'the bucket does not exist',
  RequestTimeTooSkewed: 'the clocks differ too much',
  SignatureDoesNotMatch: 'the secret key is wrong',
};

/** True when a call failed because its object is not there. */
const isMissingObject = (error: unknown): boolean => error instanceof S3Error && ['NoSuchKey', 'NotFound'].includes(error.code ?? '');

/** A failed call as AppError 50301, whose cause says what is wrong. What S3 says beyond its code is left out: it may quote the request. */
export function minioFailure(error: unknown): AppError {
  if (!(error instanceof S3Error)) return storageFailure(error);
  const code = error.code ?? 'an error without a code';
  const hint = HINTS[code];
  return storageFailure(new Error(`The object store responded with ${code}${hint === undefined ? '' : `: ${hint}`}`));
}

/** Where the objects are, and what opens it. */
export interface MinioBucket {
  /** Origin of the store, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly url: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
}

/** For operators: making a bucket may take a store some seconds, and nobody else waits for it. */
export const PATIENT: Deadlines = { stallMs: 10_000, responseMs: 20_000, deleteMs: 10_000 };

export interface ReadObject {
  readonly contentType: string;
  readonly stream: Readable;
}

/** A content of so many bytes, which can be read again. */
export interface SentObject {
  readonly size: number;
  readonly contentType: string;
  read(): Readable;
  /** In hex; empty over TLS, which keeps the content whole. */
  readonly sha256: string;
}

/** An item that the client lists: an object or a prefix. */
interface Listed {
  readonly name?: string;
  readonly prefix?: string;
  readonly size?: number;
}

/** Whole objects of a bucket under their names in it. Every method throws AppError 50301. Close it. */
export class MinioObjects {
  readonly isSecure: boolean;
  readonly #client: Client;
  readonly #bucket: MinioBucket;
  readonly #end: () => void;

  /** @throws RangeError for an invalid address */
  constructor(options: MinioBucket, deadlines: Deadlines = PATIENT) {
    const { protocol, hostname, port } = new URL(options.url);
    if (protocol !== 'http:' && protocol !== 'https:')
      throw new RangeError('The address of the object store must start with http:// or https://');
    this.isSecure = protocol === 'https:';
    const { transport, close } = createMinioTransport(this.isSecure, deadlines);
    this.#bucket = options;
    this.#end = close;
    this.#client = new Client({
      endPoint: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port === '' ? (this.isSecure ? 443 : 80) : Number(port),
      useSSL: this.isSecure,
      region: options.region,
      accessKey: options.accessKey,
      secretKey: options.secretKey,
      transport,
      // It would send a body again that has been read.
      retryOptions: { disableRetry: true },
    });
  }

  /** What lies below a prefix: all of it, or, not `deep`, what has no further slash in its name, and the prefixes of the rest. */
  async *list(prefix: string, deep: boolean): AsyncGenerator<Listed> {
    try {
      for await (const item of this.#client.listObjectsV2(this.#bucket.bucket, prefix, deep)) yield item as Listed;
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
    if (!(await this.hasBucket())) return undefined;
    for await (const name of this.names()) return name;
    return undefined;
  }

  /** Opens an object, or an inclusive range of its bytes; undefined when it is gone. */
  async open(name: string, range?: BlobRange): Promise<ReadObject | undefined> {
    const { bucket } = this.#bucket;
    return this.#ask(async (client) => {
      try {
        const stream = await (range
          ? client.getPartialObject(bucket, name, range.start, range.end - range.start + 1)
          : client.getObject(bucket, name));
        // Declared as any stream, it is the response.
        const { headers } = stream as Readable & { readonly headers: Readonly<Record<string, string | undefined>> };
        return { contentType: headers['content-type'] ?? 'application/octet-stream', stream };
      } catch (error) {
        if (isMissingObject(error)) return undefined;
        throw error;
      }
    });
  }

  /** Stores an object of so many bytes. */
  async put(name: string, content: Readable | Buffer, bytes: number, contentType: string): Promise<void> {
    try {
      await this.#client.putObject(this.#bucket.bucket, name, content, bytes, { 'content-type': contentType });
    } catch (error) {
      // Never again: what was read of the content would be missing.
      throw minioFailure(error);
    }
  }

  /** Stores an object by one call. The client's own putObject reads a whole stream into memory, or sends it in parts. */
  async send(name: string, { size, contentType, read, sha256 }: SentObject): Promise<void> {
    const { bucket: bucketName, region } = this.#bucket;
    const headers = { 'content-type': contentType, 'content-length': String(size) };
    const request = { method: 'PUT', bucketName, objectName: name, headers };
    await this.#ask(async (client) => buffer(await client.makeRequestStreamAsync(request, read(), sha256, [200], region)));
  }

  /** Deletes an object; a missing one is no error. */
  async delete(name: string): Promise<void> {
    await this.#ask((client) =>
      client.removeObject(this.#bucket.bucket, name).catch((error: unknown) => {
        if (!isMissingObject(error)) throw error;
      }),
    );
  }

  hasBucket(): Promise<boolean> {
    return this.#ask((client) => client.bucketExists(this.#bucket.bucket));
  }

  makeBucket(): Promise<void> {
    return this.#ask((client) => client.makeBucket(this.#bucket.bucket, this.#bucket.region));
  }

  close(): void {
    this.#end();
  }

  /** Repeats a call once whose kept connection the store had closed. It makes its body again. */
  async #ask<T>(call: (client: Client) => Promise<T>): Promise<T> {
    try {
      return await call(this.#client).catch((error: unknown) => {
        if (isStaleConnection(error)) return call(this.#client);
        throw error;
      });
    } catch (error) {
      throw minioFailure(error);
    }
  }
}
