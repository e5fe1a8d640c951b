import type { MongoCollection } from './mongo-collection.ts';
import type { MongoDatabase } from './mongo-database.ts';
import { hasShardKeyIndex, ROUTER, SHARD_KEY_INDEX, type ShardKey } from './mongo-sharding.ts';

/** A server, as far as sharding needs it. */
export interface ShardRouter {
  /** Name of the database. */
  readonly name: string;
  /** Runs an administrative command. @throws the server's error */
  command(words: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>>;
  /** Makes an index where it lacks. @throws the server's error */
  createIndex(collection: string, key: ShardKey, name: string): Promise<unknown>;
}

/** The server of a database that is connected. */
export function shardRouterOf({ connection }: MongoDatabase): ShardRouter {
  const { db } = connection;
  if (db === undefined) throw new Error('MongoDB is not connected');
  return {
    name: db.databaseName,
    command: (words) => db.admin().command(words),
    createIndex: (collection, key, name) => db.collection(collection).createIndex(key, { name }),
  };
}

const describeKey = (key: ShardKey): string =>
  Object.entries(key)
    .map(([field, kind]) => (kind === 1 ? field : `${field} (${kind})`))
    .join(', ');

/**
 * Shards the collections of a database by their declared keys. They exist, with their declared indexes. Idempotent: what
 * is sharded by its key stays as it is, so a call that ended half-way is called again. Services may be running.
 * @param progress hears a line for each collection when it is done
 * @throws Error when the server is no router, a collection is sharded by another key, or the router refuses one
 */
export async function shardCollections(
  router: ShardRouter,
  collections: readonly MongoCollection<unknown>[],
  progress: (line: string) => void,
): Promise<void> {
  const { msg } = await router.command({ hello: 1 });
  if (msg !== ROUTER)
    throw new Error('MONGODB_URL leads to no router (mongos) of a sharded cluster; without --sharded, no router is needed');
  await router.command({ enableSharding: router.name });
  for (const { name, schema, sharding } of collections) {
    if ('unsharded' in sharding) {
      progress(`${name}: stays on the primary shard (${sharding.unsharded})`);
      continue;
    }
    const { key } = sharding;
    if (!hasShardKeyIndex(key, schema.indexes())) await router.createIndex(name, key, SHARD_KEY_INDEX);
    try {
      await router.command({ shardCollection: `${router.name}.${name}`, key });
    } catch (error) {
      throw new Error(`The collection ${name} cannot be sharded by ${describeKey(key)}: ${(error as Error).message}`, { cause: error });
    }
    progress(`${name}: sharded by ${describeKey(key)}`);
  }
}
