import { mongo } from 'mongoose';

/** Sizes of a collection, bytes. */
export interface CollectionSize {
  /** Service and collection, such as `webhook/events`. */
  readonly name: string;
  /** Compressed, on the disk. */
  readonly data: number;
  readonly indexes: number;
}

async function onServer<T>(use: (client: mongo.MongoClient) => Promise<T>): Promise<T> {
  const client = await mongo.MongoClient.connect(process.env['MONGODB_URL'] ?? '', {
    maxPoolSize: 2,
    serverSelectionTimeoutMS: 5000,
    socketTimeoutMS: 60_000,
  });
  try {
    return await use(client);
  } finally {
    await client.close();
  }
}

/** Process id of the primary of MONGODB_URL, which runs on this machine. */
export function mongoServerPid(): Promise<number> {
  return onServer(async (client) => Number((await client.db('admin').command({ serverStatus: 1 }))['pid']));
}

/** Sizes of the collections of services, once everything is in their files. @param prefix of their databases */
export function mongoSizes(prefix: string, services: readonly string[]): Promise<readonly CollectionSize[]> {
  return onServer(async (client) => {
    await client.db('admin').command({ fsync: 1 });
    const sizes: CollectionSize[] = [];
    for (const service of services) {
      const db = client.db(`${prefix}-${service}`);
      for (const { name } of await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray()) {
        const stats = await db.command({ collStats: name });
        sizes.push({ name: `${service}/${name}`, data: Number(stats['storageSize']), indexes: Number(stats['totalIndexSize']) });
      }
    }
    return sizes;
  });
}
