import type { IndexDefinition, IndexOptions } from 'mongoose';

/** What `hello` says on a router of a sharded cluster (mongos). */
export const ROUTER = 'isdbgrid';

/** Fields of a shard key, in order: `1` for ranges of values, `hashed` for ranges of their hash. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** How a sharded cluster divides a collection: by a key, or not at all, with the reason. */
export type Sharding = { readonly key: ShardKey } | { readonly unsharded: string };

/** Of a collection whose documents are found by their `_id`: it is unique over all shards, because one `_id` has one hash. */
export const byId: Sharding = { key: { _id: 'hashed' } };

/** Name of the index of a shard key that no declared index starts with. */
export const SHARD_KEY_INDEX = 'shard_key';

/** An index as a schema declares it. */
export type DeclaredIndex = readonly [IndexDefinition, IndexOptions];

/**
 * True when a declared index serves the shard key: it starts with the key and has every document. One over an array would
 * not do; no index of a shard key has one behind it, or MongoDB says so when it shards the collection.
 */
export function hasShardKeyIndex(key: ShardKey, indexes: readonly DeclaredIndex[]): boolean {
  const startsWithKey = (index: IndexDefinition): boolean => {
    const fields = Object.entries(index);
    return Object.entries(key).every(([field, kind], place) => fields[place]?.[0] === field && fields[place]?.[1] === kind);
  };
  return indexes.some(([keys, { partialFilterExpression, sparse }]) => startsWithKey(keys) && !partialFilterExpression && !sparse);
}
