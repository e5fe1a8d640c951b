import { mongo } from 'mongoose';
import { type MongoCollection, missingOf } from './mongo-collection.ts';
import { markOf } from './mongo-mark.ts';
import { OUTBOX_INDEX } from './mongo-outbox-fields.ts';
import { ROUTER } from './mongo-sharding.ts';

const { MongoClient, MongoServerError } = mongo;

const CONNECT_MS = 4000;
const COMMAND_MS = 8000;
const WRITE_CONCERN_MS = 4000;
/** Documents that are read at once: some are large. */
const FEW = 20;
/** Written by a probe and dropped at once. */
const PROBE = 'parcelway_doctor';

/** Why a server cannot be used: `away`: it does not respond; `credentials`: it refuses the user; `address`: the connection string is not valid. */
export type MongoTrouble = 'away' | 'credentials' | 'address' | 'other';

/** What a server says of itself. */
export interface MongoServer {
  readonly version: string;
  /** True for a router of a sharded cluster, which belongs to no replica set. */
  readonly isRouter: boolean;
  /** Null when it belongs to none. */
  readonly replicaSet: string | null;
  /** Null while there is none. */
  readonly primary: string | null;
  readonly members: number;
  /** Its clock against this process's: positive when it is ahead; milliseconds, exact to half the round trip. */
  readonly clockAheadMs: number;
}

/** What waits in the outboxes of a database. */
export interface OutboxBacklog {
  /** Documents with messages to publish. */
  readonly documents: number;
  /** Epoch milliseconds; null when nothing waits. */
  readonly oldestAt: number | null;
}

/** The kind of a failure of this module's calls. */
export function mongoTroubleOf(error: unknown): MongoTrouble {
  const { name, code } = error as { name?: string; code?: unknown };
  if (name === 'MongoParseError' || name === 'MongoInvalidArgumentError' || name === 'MongoAPIError') return 'address';
  // AuthenticationFailed, Unauthorized, and what Atlas responds (error_codes.yml).
  if (error instanceof MongoServerError && (code === 18 || code === 13 || code === 8000)) return 'credentials';
  if (name === 'MongoServerSelectionError' || name === 'MongoNetworkError' || name === 'MongoNetworkTimeoutError') return 'away';
  return 'other';
}

/** Looks at a MongoDB server from outside the services, with short deadlines and whatever state it is in. Close it. */
export class MongoInspector {
  readonly #client: InstanceType<typeof MongoClient>;

  private constructor(client: InstanceType<typeof MongoClient>) {
    this.#client = client;
  }

  /** @throws the driver's error, also for an address that is none; see {@link mongoTroubleOf} */
  static async connect(url: string): Promise<MongoInspector> {
    const client = new MongoClient(url, {
      serverSelectionTimeoutMS: CONNECT_MS,
      connectTimeoutMS: CONNECT_MS,
      socketTimeoutMS: COMMAND_MS,
      maxPoolSize: 8,
      // Also a set without a primary is to be looked at.
      readPreference: 'primaryPreferred',
    });
    try {
      await client.connect();
    } catch (error) {
      await client.close();
      throw error;
    }
    return new MongoInspector(client);
  }

  async server(): Promise<MongoServer> {
    const admin = this.#client.db('admin');
    const askedAt = Date.now();
    const hello = await admin.command({ hello: 1 });
    const respondedAt = Date.now();
    const { version } = (await admin.command({ buildInfo: 1 })) as unknown as { version: string };
    const clock = (hello['localTime'] as Date).getTime();
    return {
      version,
      isRouter: hello['msg'] === ROUTER,
      replicaSet: (hello['setName'] as string | undefined) ?? null,
      primary: (hello['primary'] as string | undefined) ?? null,
      members: (hello['hosts'] as string[] | undefined)?.length ?? 1,
      clockAheadMs: clock - (askedAt + respondedAt) / 2,
    };
  }

  /**
   * Writes a document that the majority must have, and drops it with its collection.
   * @returns milliseconds that the write took
   */
  async writeToMajority(database: string): Promise<number> {
    const writeConcern = { w: 'majority', journal: true, wtimeoutMS: WRITE_CONCERN_MS } as const;
    const probe = this.#client.db(database).collection(PROBE, { writeConcern });
    try {
      // Makes the collection, which takes longer than a write.
      await probe.insertOne({ at: new Date() });
      const startedAt = performance.now();
      await probe.insertOne({ at: new Date() });
      return performance.now() - startedAt;
    } finally {
      await probe.drop().catch(() => undefined);
    }
  }

  /** What the migrate step would make in a database: `collection` or `collection.index` names. */
  async missing(database: string, collections: readonly MongoCollection<unknown>[]): Promise<readonly string[]> {
    const db = this.#client.db(database);
    const names = await Promise.all(collections.map((collection) => missingOf(db, collection)));
    return names.flat();
  }

  /** True when the migrate step has marked a database. @throws RefusedDatabaseError when it is of another environment */
  async isMarked(database: string, environment: string): Promise<boolean> {
    return (await markOf(this.#client.db(database), environment)) !== undefined;
  }

  /** Those of the collections that are to be sharded and are on one shard. Of a router. */
  async unsharded(database: string, collections: readonly MongoCollection<unknown>[]): Promise<readonly string[]> {
    const db = this.#client.db(database);
    const names = collections.filter(({ sharding }) => 'key' in sharding).map(({ name }) => name);
    const stats = await Promise.all(names.map((name) => db.command({ collStats: name, maxTimeMS: COMMAND_MS })));
    return names.filter((_, index) => stats[index]?.['sharded'] !== true);
  }

  /** What waits in the outboxes of a database, by their index alone; one whose index is missing counts as empty. */
  async outbox(database: string, collections: readonly MongoCollection<unknown>[]): Promise<OutboxBacklog> {
    const db = this.#client.db(database);
    let documents = 0;
    let oldestAt: number | null = null;
    for (const { name, schema } of collections) {
      if (!schema.indexes().some(([, options]) => options.name === OUTBOX_INDEX)) continue;
      const [row] = await db
        .collection(name)
        .aggregate<{ count: number; oldest: number }>(
          [{ $match: { outbox_due: { $gt: 0 } } }, { $group: { _id: null, count: { $sum: 1 }, oldest: { $min: '$outbox_since' } } }],
          { hint: OUTBOX_INDEX, maxTimeMS: COMMAND_MS },
        )
        .toArray();
      if (row === undefined) continue;
      documents += row.count;
      oldestAt = oldestAt === null ? row.oldest : Math.min(oldestAt, row.oldest);
    }
    return { documents, oldestAt };
  }

  /** The newest or oldest documents. Of a sharded collection, in the order of each shard. */
  documents(database: string, collection: string, { limit, newest }: { readonly limit: number; readonly newest: boolean }) {
    const options = { sort: { $natural: newest ? -1 : 1 }, limit, batchSize: FEW, maxTimeMS: COMMAND_MS } as const;
    return this.#client.db(database).collection<{ readonly _id: string }>(collection).find({}, options);
  }

  async close(): Promise<void> {
    await this.#client.close();
  }
}
