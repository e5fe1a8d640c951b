import type { IndexDefinition, IndexOptions } from 'mongoose';

/** What `hello` says on a router of a sharded cluster (mongos). */
export const ROUTER = 'isdbgrid';

/** Fields of a shard key, in order: `1` for ranges of values, `hashed` for ranges of their hash. */
export type ShardKey = Readonly<Record<string, 1 | 'hashed'>>;

/** How a sharded cluster divides a collection: by a key, or not at all, with the reason. */
export type Sharding = { readonly key: ShardKey } | { readonly unsharded: string };

/** Of a collection whose documents each belong to a tenant: a tenant's documents are on one shard, and its unique indexes hold there. */
export const byTenant: Sharding = { key: { tenant_id: 1 } };

/** Of a collection whose documents are found by their `_id`: it is unique over all shards, because one `_id` has one hash. */
export const byId: Sharding = { key: { _id: 'hashed' } };

/** Name of the index of a shard key that no declared index starts with. */
export const SHARD_KEY_INDEX = 'shard_key';

/** An index as a schema declares it. */
export type DeclaredIndex = readonly [IndexDefinition, IndexOptions];

/** True when the index starts with the fields of the key. */
function startsWith(index: IndexDefinition, key: ShardKey): boolean {
  const fields = Object.entries(index);
  return Object.entries(key).every(([field, kind], place) => fields[place]?.[0] === field && fields[place]?.[1] === kind);
}

/**
 * The unique indexes that a sharded cluster refuses: each shard checks uniqueness by itself, so a unique index must start
 * with the key that says which shard a document is on. Empty when there are none.
 */
export function refusedIndexes(sharding: Sharding, indexes: readonly DeclaredIndex[]): readonly string[] {
  if ('unsharded' in sharding) return [];
  return indexes.filter(([keys, { unique }]) => unique && !startsWith(keys, sharding.key)).map(([, { name }]) => String(name));
}

/**
 * True when a declared index serves the shard key: it starts with the key and has every document. One over an array would
 * not do; no index of a shard key has one behind it, or MongoDB says so when it shards the collection.
 */
export function hasShardKeyIndex(key: ShardKey, indexes: readonly DeclaredIndex[]): boolean {
  return indexes.some(([keys, { partialFilterExpression, sparse }]) => startsWith(keys, key) && !partialFilterExpression && !sparse);
}
