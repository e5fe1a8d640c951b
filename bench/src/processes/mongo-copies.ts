import { mongo } from 'mongoose';
import type { CopyStore } from '../suites/growth/copy-store.ts';

/** A platform that is about new has fewer documents in each collection. */
const MOST_DOCUMENTS = 1_000;

/** The databases of services on the server of MONGODB_URL; the last one that is closed ends the connections. */
export async function openMongoCopies(prefix: string, services: readonly string[]): Promise<readonly CopyStore[]> {
  const client = await mongo.MongoClient.connect(process.env['MONGODB_URL'] ?? '', {
    maxPoolSize: 2 * services.length,
    serverSelectionTimeoutMS: 5000,
    socketTimeoutMS: 60_000,
    // The services read what a majority has.
    writeConcern: { w: 'majority' },
  });
  let open = services.length;
  return services.map((service) => {
    const db = client.db(`${prefix}-${service}`);
    return {
      service,
      async read() {
        const collections = await db.listCollections({ type: 'collection' }, { nameOnly: true }).toArray();
        const read = async ({ name }: { readonly name: string }) => {
          const documents = await db.collection(name).find({}).limit(MOST_DOCUMENTS).toArray();
          // The database makes up the ids that the service has not given.
          const rows = documents.map(({ _id, ...fields }) => (typeof _id === 'string' ? { _id, ...fields } : fields));
          return { name, rows };
        };
        return Promise.all(collections.map(read));
      },
      async insert(collection, documents) {
        await db.collection(collection).insertMany([...documents], { ordered: false });
      },
      async close() {
        open -= 1;
        if (open === 0) await client.close();
      },
    };
  });
}
