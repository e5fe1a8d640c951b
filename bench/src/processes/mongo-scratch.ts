import { randomUUID } from 'node:crypto';
import { mongo } from 'mongoose';

/** A document of the benchmark's own. */
export interface ScratchDocument {
  readonly _id: string;
  readonly [field: string]: unknown;
}

/** An empty collection in a database of its own. */
export interface Scratch {
  readonly collection: mongo.Collection<ScratchDocument>;
  /** Drops the database and ends the connections. */
  close(): Promise<void>;
}

/** Opens a scratch collection on the MongoDB of MONGODB_URL; a write is acknowledged by the majority, journal included. */
export async function openScratch(connections: number): Promise<Scratch> {
  const client = await mongo.MongoClient.connect(process.env['MONGODB_URL'] ?? '', {
    maxPoolSize: connections,
    serverSelectionTimeoutMS: 5000,
    socketTimeoutMS: 10_000,
    writeConcern: { w: 'majority', journal: true, wtimeoutMS: 10_000 },
  });
  const database = client.db(`bench-${randomUUID()}`);
  return {
    collection: database.collection<ScratchDocument>('rows'),
    async close() {
      await database.dropDatabase();
      await client.close();
    },
  };
}
