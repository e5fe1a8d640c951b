import type { Schema } from 'mongoose';
import { refusedIndexes, type Sharding } from './mongo-sharding.ts';

/** A collection as a service declares it: its name, and a schema that carries every index by name. */
export interface MongoCollection<T> {
  readonly name: string;
  readonly schema: Schema;
  /** How a sharded cluster divides it. */
  readonly sharding: Sharding;
  /** Never set: carries the type of the documents. */
  readonly document?: T;
}

/**
 * Declares a collection. Its indexes must be named, so that a missing one can be reported by name.
 * @throws Error when an index has no name, or the shard key does not permit a unique index
 */
export function defineCollection<T>(name: string, schema: Schema, { sharding }: { readonly sharding: Sharding }): MongoCollection<T> {
  schema.set('versionKey', false);
  schema.set('strict', 'throw');
  schema.set('minimize', false);
  const indexes = schema.indexes();
  for (const [keys, options] of indexes) {
    if (options.name === undefined) throw new Error(`The index ${JSON.stringify(keys)} of ${name} has no name`);
  }
  const refused = refusedIndexes(sharding, indexes);
  if (refused.length > 0) throw new Error(`Unique indexes of ${name} must start with its shard key: ${refused.join(', ')}`);
  return { name, schema, sharding };
}
