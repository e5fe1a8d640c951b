import type { MongoCollection } from '../mongo-collection.ts';
import type { MongoDatabase } from '../mongo-database.ts';

/** All documents of collections but the erased tenants, as text. */
export async function dumpOf(db: MongoDatabase, collections: readonly MongoCollection<unknown>[]): Promise<string> {
  const dumped = collections
    .filter(({ name }) => name !== 'erased_tenants')
    .map(
      async (one) =>
        `${one.name} ${JSON.stringify(
          await db
            .model(one)
            .collection.find({}, { hint: { _id: 1 } })
            .toArray(),
        )}`,
    );
  return (await Promise.all(dumped)).join('\n');
}
