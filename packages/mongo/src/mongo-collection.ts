import type { mongo, Schema } from 'mongoose';
import type { Sharding } from './mongo-sharding.ts';

/** A collection as a service declares it: its name, and a schema that carries every index by name. */
export interface MongoCollection<T> {
  readonly name: string;
  readonly schema: Schema;
  /** How a sharded cluster divides it. */
  readonly sharding: Sharding;
  /** Never set: carries the type of the documents. */
  readonly document?: T;
}

/** Declares a collection. @param schema names its indexes, so that a missing one can be reported by name */
export function defineCollection<T>(name: string, schema: Schema, { sharding }: { readonly sharding: Sharding }): MongoCollection<T> {
  schema.set('versionKey', false);
  schema.set('strict', 'throw');
  schema.set('minimize', false);
  return { name, schema, sharding };
}

/** Options of inserts. Casting each value costs more than the write, and the store has checked it. */
export const UNCAST = { lean: true, ignoreUndefined: true } as const;

/** More than MongoDB permits for a collection. */
const MAX_INDEXES = 1000;

/** An index as the server lists it: one that is being built has its name in a specification of its own. */
interface ListedIndex {
  readonly name?: string;
  readonly buildUUID?: unknown;
}

/** What a database lacks of a collection: its name, or `collection.index` for each index that is not there or not complete. @throws the driver's error */
export async function missingOf(database: mongo.Db, { name: collection, schema }: MongoCollection<unknown>): Promise<string[]> {
  let found: readonly ListedIndex[];
  try {
    // With the builds under way: an index that is not complete yet refuses nothing, and cannot be used.
    const command = { listIndexes: collection, includeBuildUUIDs: true, cursor: { batchSize: MAX_INDEXES } };
    // A command takes the read preference of its database only when it is given.
    const listed = await database.command(command, { readPreference: database.readPreference });
    found = (listed as { cursor: { firstBatch: readonly ListedIndex[] } }).cursor.firstBatch;
  } catch (error) {
    if ((error as { codeName?: string }).codeName === 'NamespaceNotFound') return [collection];
    throw error;
  }
  const complete = new Set(found.flatMap(({ name, buildUUID }) => (name === undefined || buildUUID !== undefined ? [] : [name])));
  const wanted = schema.indexes().map(([, options]) => options.name as string);
  return wanted.filter((name) => !complete.has(name)).map((name) => `${collection}.${name}`);
}
