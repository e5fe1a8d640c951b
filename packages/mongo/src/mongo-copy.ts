import type { Readable } from 'node:stream';
import { mongo } from 'mongoose';
import { MARK_COLLECTION } from './mongo-mark.ts';

const { BSON, MongoClient } = mongo;

const CONNECT_MS = 5000;
const COMMAND_MS = 60_000;
const DOCUMENTS_AT_ONCE = 500;
const BYTES_AT_ONCE = 8_000_000;
/** error_codes.yml: what a snapshot reads has been cleared away. */
const SNAPSHOT_TOO_OLD = 239;
/** The smallest document: its length and its end. */
const SMALLEST = 5;
const LARGEST = 17_000_000;

type Client = InstanceType<typeof MongoClient>;

/** A snapshot that lasted too long. */
export class SnapshotExpiredError extends Error {
  constructor() {
    super(
      'MongoDB keeps the past for minSnapshotHistoryWindowInSeconds (5 minutes), and the backup took longer to read: raise it for the duration of the backup ' +
        '(db.adminCommand({setParameter: 1, minSnapshotHistoryWindowInSeconds: 3600})), or back up by snapshots of the disks',
    );
    this.name = 'SnapshotExpiredError';
  }
}

async function connect(url: string): Promise<Client> {
  return MongoClient.connect(url, {
    serverSelectionTimeoutMS: CONNECT_MS,
    connectTimeoutMS: CONNECT_MS,
    socketTimeoutMS: COMMAND_MS,
    writeConcern: { w: 'majority', journal: true },
    readPreference: 'primary',
  });
}

/** Databases of one MongoDB, all seen as they were at one moment. Close it. */
export class MongoSnapshot {
  readonly #client: Client;
  readonly #session: ReturnType<Client['startSession']>;

  private constructor(client: Client) {
    this.#client = client;
    this.#session = client.startSession({ snapshot: true });
  }

  /**
   * Fixes the moment: the next read of any collection sees what the majority has now.
   * @param database some database with a collection
   * @throws the driver's error
   */
  static async open(url: string, database: string): Promise<MongoSnapshot> {
    const client = await connect(url);
    const snapshot = new MongoSnapshot(client);
    try {
      const [first] = await snapshot.collections(database);
      if (first === undefined) throw new Error(`The database ${database} has no collections: check RESOURCE_PREFIX`);
      await client
        .db(database)
        .collection(first)
        .findOne({}, { session: snapshot.#session, projection: { _id: 1 } });
      return snapshot;
    } catch (error) {
      await snapshot.close();
      throw error;
    }
  }

  /** Names of the collections of a database. */
  async collections(database: string): Promise<readonly string[]> {
    const found = await this.#client.db(database).listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    return found.map(({ name }) => name).filter((name) => !name.startsWith('system.'));
  }

  /**
   * The documents of a collection as BSON, one behind the other: what mongodump writes to a `.bson` file.
   * @throws SnapshotExpiredError when the moment is too long ago
   */
  async *read(database: string, collection: string): AsyncGenerator<Buffer> {
    const cursor = this.#client
      .db(database)
      .collection(collection)
      .find({}, { session: this.#session, raw: true, batchSize: DOCUMENTS_AT_ONCE });
    try {
      for await (const document of cursor) yield document as unknown as Buffer;
    } catch (error) {
      throw (error as { code?: unknown }).code === SNAPSHOT_TOO_OLD ? new SnapshotExpiredError() : error;
    }
  }

  async close(): Promise<void> {
    await this.#session.endSession();
    await this.#client.close();
  }
}

/** The documents in a stream of BSON. @throws Error when it is none */
export async function* documentsIn(content: Readable): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of content) {
    rest = rest.length === 0 ? (chunk as Buffer) : Buffer.concat([rest, chunk as Buffer]);
    while (rest.length >= 4) {
      const size = rest.readInt32LE(0);
      if (size < SMALLEST || size > LARGEST) throw new Error('The file holds no documents in BSON');
      if (rest.length < size) break;
      yield rest.subarray(0, size);
      rest = rest.subarray(size);
    }
  }
  if (rest.length > 0) throw new Error('The file ends in the middle of a document');
}

/** Writes documents into databases that nobody uses yet. Close it. */
export class MongoRestorer {
  readonly #client: Client;

  private constructor(client: Client) {
    this.#client = client;
  }

  /** @throws the driver's error */
  static async open(url: string): Promise<MongoRestorer> {
    return new MongoRestorer(await connect(url));
  }

  /** Names of the collections of a database that hold anything but its mark, which the migrate step leaves in an empty one. */
  async filled(database: string): Promise<readonly string[]> {
    const db = this.#client.db(database);
    const found = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
    const filled = await Promise.all(
      found
        .filter(({ name }) => name !== MARK_COLLECTION)
        .map(async ({ name }) => ((await db.collection(name).findOne({}, { projection: { _id: 1 } })) ? [name] : [])),
    );
    return filled.flat();
  }

  /** Inserts what a stream of BSON holds. @returns how many documents */
  async write(database: string, collection: string, content: Readable): Promise<number> {
    const target = this.#client.db(database).collection(collection);
    let written = 0;
    let batch: Buffer[] = [];
    let bytes = 0;
    const insert = async (): Promise<void> => {
      if (batch.length === 0) return;
      // Without promotion every number keeps the type that it has in the file.
      const documents = batch.map((document) => BSON.deserialize(document, { promoteValues: false, promoteLongs: false }));
      await target.insertMany(documents, { ordered: false });
      written += batch.length;
      batch = [];
      bytes = 0;
    };
    for await (const document of documentsIn(content)) {
      batch.push(document);
      bytes += document.length;
      if (batch.length >= DOCUMENTS_AT_ONCE || bytes >= BYTES_AT_ONCE) await insert();
    }
    await insert();
    return written;
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
