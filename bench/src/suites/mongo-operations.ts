import { mongo } from 'mongoose';

/** What a MongoDB server has been asked for since it was started, by kind: inserts, updates, commands and so on. */
export interface MongoOperations {
  read(): Promise<Readonly<Record<string, number>>>;
  close(): Promise<void>;
}

/** Connects to the MongoDB of MONGODB_URL to read its counters. They count all clients of the server. */
export async function openMongoOperations(): Promise<MongoOperations> {
  const client = await mongo.MongoClient.connect(process.env['MONGODB_URL'] ?? '', {
    maxPoolSize: 1,
    serverSelectionTimeoutMS: 5000,
    socketTimeoutMS: 10_000,
  });
  return {
    async read() {
      const { opcounters } = (await client.db('admin').command({ serverStatus: 1 })) as { opcounters: Record<string, unknown> };
      return Object.fromEntries(Object.entries(opcounters).flatMap(([kind, count]) => (typeof count === 'number' ? [[kind, count]] : [])));
    },
    close: () => client.close(),
  };
}
