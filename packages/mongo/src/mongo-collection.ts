import type { Schema } from 'mongoose';

/** A collection as a service declares it: its name, and a schema that carries every index by name. */
export interface MongoCollection<T> {
  readonly name: string;
  readonly schema: Schema;
  /** Names of indexes that versions before this one made and none needs any more. */
  readonly obsoleteIndexes: readonly string[];
  /** Never set: carries the type of the documents. */
  readonly document?: T;
}

/**
 * Declares a collection. Its indexes must be named, so that a missing one can be reported by name.
 * @throws Error when an index has no name
 */
export function defineCollection<T>(
  name: string,
  schema: Schema,
  { obsoleteIndexes = [] }: { readonly obsoleteIndexes?: readonly string[] } = {},
): MongoCollection<T> {
  schema.set('versionKey', false);
  schema.set('strict', 'throw');
  schema.set('minimize', false);
  for (const [keys, options] of schema.indexes()) {
    if (options.name === undefined) throw new Error(`The index ${JSON.stringify(keys)} of ${name} has no name`);
  }
  return { name, schema, obsoleteIndexes };
}
