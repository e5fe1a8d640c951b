import { createHash } from 'node:crypto';
import { tmpdir } from 'node:os';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { Client } from 'minio';
import { assertBlobKey, type Blobs } from './blobs.ts';
import { isMissingObject, minioFailure, s3CodeOf } from './minio-failure.ts';
import { createMinioTransport, type Deadlines, isStaleConnection, type MinioTransport } from './minio-transport.ts';
import { Spool } from './spool.ts';

/*
 * An object is written by one PUT, which S3 makes visible as a whole or not at all. That needs its size beforehand, so
 * the stream is received first, on the local disk. Against parts of a multipart upload this saves uploads that
 * stay behind unfinished, and every call for a content that is refused at its end.
 */

/** Where the objects are, and what opens it. */
export interface MinioBucket {
  /** Origin of the store, such as `https://s3.eu-central-1.amazonaws.com`. */
  readonly url: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  readonly bucket: string;
}

export interface MinioOptions extends MinioBucket {
  /** In front of every object's name, such as `files/`. Empty when not given. */
  readonly prefix?: string;
}

/**
 * A failed upload is followed by a deletion, and the client has its response within 3 s: so both deadlines together are
 * shorter than that.
 */
const DEADLINES: Deadlines = { stallMs: 1500, responseMs: 1800, deleteMs: 1000 };

/** Making a bucket may take a store some seconds, and nobody waits for it but an operator. */
export const PATIENT: Deadlines = { stallMs: 10_000, responseMs: 20_000, deleteMs: 10_000 };

/** Keys are lower case, so that no object's name with this end is a folder in another's: not every store can have both. */
const NAME_END = '.OBJECT';

/** A client with deadlines. */
export function connectMinio(options: MinioBucket, deadlines: Deadlines): { client: Client; connections: MinioTransport; secure: boolean } {
  const { protocol, hostname, port } = new URL(options.url);
  if (protocol !== 'http:' && protocol !== 'https:')
    throw new RangeError('The address of the object store must start with http:// or https://');
  const secure = protocol === 'https:';
  const connections = createMinioTransport(secure, deadlines);
  const client = new Client({
    endPoint: hostname.replace(/^\[(.*)\]$/, '$1'),
    port: port === '' ? (secure ? 443 : 80) : Number(port),
    useSSL: secure,
    region: options.region,
    accessKey: options.accessKey,
    secretKey: options.secretKey,
    transport: connections.transport,
    // It would send a body again that has been read.
    retryOptions: { disableRetry: true },
  });
  return { client, connections, secure };
}

/** Repeats a call once whose kept connection the store had closed. Calls can be repeated: each makes its body again. */
async function onLiveConnection<T>(call: () => Promise<T>): Promise<T> {
  try {
    return await call();
  } catch (error) {
    if (isStaleConnection(error)) return call();
    throw error;
  }
}

class MinioBlobs implements Blobs {
  readonly #client: Client;
  readonly #connections: MinioTransport;
  readonly #secure: boolean;
  readonly #bucket: string;
  readonly #region: string;
  readonly #prefix: string;

  constructor(options: MinioOptions, deadlines: Deadlines) {
    const { client, connections, secure } = connectMinio(options, deadlines);
    this.#client = client;
    this.#connections = connections;
    this.#secure = secure;
    this.#bucket = options.bucket;
    this.#region = options.region;
    this.#prefix = options.prefix ?? '';
  }

  async put(key: string, content: Readable, contentType: string): Promise<void> {
    const name = this.#nameOf(key);
    // TLS keeps the content whole, and the client then wants no hash.
    const hash = this.#secure ? undefined : createHash('sha256');
    const spool = await Spool.fill(tmpdir(), content, hash);
    try {
      const sum = hash?.digest('hex') ?? '';
      await onLiveConnection(() => this.#send(name, spool, contentType, sum));
    } catch (error) {
      throw minioFailure(error);
    } finally {
      await spool.close();
    }
  }

  async open(key: string, range?: { readonly start: number; readonly end: number }): Promise<Readable | undefined> {
    const name = this.#nameOf(key);
    try {
      return await onLiveConnection(() =>
        range
          ? this.#client.getPartialObject(this.#bucket, name, range.start, range.end - range.start + 1)
          : this.#client.getObject(this.#bucket, name),
      );
    } catch (error) {
      if (isMissingObject(error)) return undefined;
      throw minioFailure(error);
    }
  }

  async delete(key: string): Promise<void> {
    const name = this.#nameOf(key);
    try {
      await onLiveConnection(() => this.#client.removeObject(this.#bucket, name));
    } catch (error) {
      if (s3CodeOf(error) !== 'NoSuchKey') throw minioFailure(error);
    }
  }

  async check(): Promise<void> {
    try {
      const exists = await onLiveConnection(() => this.#client.bucketExists(this.#bucket));
      if (!exists) throw new Error(`The bucket ${this.#bucket} does not exist`);
    } catch (error) {
      throw minioFailure(error);
    }
  }

  async close(): Promise<void> {
    this.#connections.close();
  }

  /** The client's own putObject reads the whole stream into memory, or sends it in parts. */
  async #send(name: string, spool: Spool, contentType: string, sha256: string): Promise<void> {
    const response = await this.#client.makeRequestStreamAsync(
      {
        method: 'PUT',
        bucketName: this.#bucket,
        objectName: name,
        headers: { 'content-type': contentType, 'content-length': String(spool.size) },
      },
      spool.read(),
      sha256,
      [200],
      this.#region,
    );
    await buffer(response);
  }

  #nameOf(key: string): string {
    assertBlobKey(key);
    return `${this.#prefix}${key}${NAME_END}`;
  }
}

/**
 * Object storage in a bucket of an S3 store. Does not wait for the store: it may come up later, and `check` reports it.
 * Contents are in the system's temporary folder while they are uploaded: see {@link Spool.check}.
 * The access key needs GetObject, PutObject, DeleteObject, and ListBucket (without which a store hides that an object is missing).
 * @throws RangeError for an invalid address
 */
export function openMinioBlobs(options: MinioOptions, deadlines: Deadlines = DEADLINES): Blobs {
  return new MinioBlobs(options, deadlines);
}

/**
 * Makes a bucket, before anything uses it. Does nothing when it is there.
 * @returns whether it was made
 * @throws AppError 50301 when the store is out or refuses
 */
export async function createBucket(options: MinioBucket): Promise<boolean> {
  const { client, connections } = connectMinio(options, PATIENT);
  try {
    if (await client.bucketExists(options.bucket)) return false;
    await client.makeBucket(options.bucket, options.region);
    return true;
  } catch (error) {
    // Of two that make it at once, one finds it made; stores have more than one error for that.
    if (await client.bucketExists(options.bucket).catch(() => false)) return false;
    throw minioFailure(error);
  } finally {
    connections.close();
  }
}
