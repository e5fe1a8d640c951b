import { mongo } from 'mongoose';

const DEADLINE_MS = 10_000;

/** Every document of every collection of an installation: `service.collection` → its documents as JSON. @param prefix of the installation */
export async function dumpMongo(url: string, prefix: string): Promise<ReadonlyMap<string, string>> {
  const client = new mongo.MongoClient(url, { serverSelectionTimeoutMS: DEADLINE_MS, socketTimeoutMS: DEADLINE_MS });
  const dump = new Map<string, string>();
  try {
    const { databases } = await client.db('admin').admin().listDatabases({ nameOnly: true });
    for (const { name } of databases.filter((one) => one.name.startsWith(`${prefix}-`))) {
      for (const collection of await client.db(name).collections()) {
        const key = `${name.slice(prefix.length + 1)}.${collection.collectionName}`;
        dump.set(key, JSON.stringify(await collection.find().toArray()));
      }
    }
  } finally {
    await client.close();
  }
  return dump;
}
