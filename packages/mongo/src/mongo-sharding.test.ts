import { expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import { byId, byTenant, hasShardKeyIndex, refusedIndexes } from './mongo-sharding.ts';

const schema = () => new Schema({ tenant_id: String, number: String });

test('a unique index must start with the shard key, others need not', () => {
  const own = schema().index({ tenant_id: 1, number: 1 }, { name: 'own', unique: true });
  const foreign = schema().index({ number: 1 }, { name: 'foreign', unique: true });
  const plain = schema().index({ number: 1 }, { name: 'plain' });
  const falling = schema().index({ tenant_id: -1, number: 1 }, { name: 'falling', unique: true });
  expect(refusedIndexes(byTenant, own.indexes())).toEqual([]);
  expect(refusedIndexes(byTenant, foreign.indexes())).toEqual(['foreign']);
  expect(refusedIndexes(byTenant, plain.indexes())).toEqual([]);
  expect(refusedIndexes(byTenant, falling.indexes())).toEqual(['falling']);
  expect(refusedIndexes(byId, own.indexes())).toEqual(['own']);
  expect(refusedIndexes({ unsharded: 'small' }, foreign.indexes())).toEqual([]);
});

test('a collection whose unique index the shard key does not permit cannot be declared', () => {
  const foreign = schema().index({ number: 1 }, { name: 'foreign', unique: true });
  expect(() => defineCollection('things', foreign, { sharding: byTenant })).toThrow(
    'Unique indexes of things must start with its shard key: foreign',
  );
});

test('an index serves the shard key when it starts with it and has every document', () => {
  const key = { tenant_id: 1 } as const;
  const exists = { number: { $exists: true } };
  expect(hasShardKeyIndex(key, schema().index({ tenant_id: 1, number: -1 }).indexes())).toBe(true);
  expect(hasShardKeyIndex(key, schema().index({ number: 1, tenant_id: 1 }).indexes())).toBe(false);
  expect(hasShardKeyIndex(key, schema().index({ tenant_id: 1 }, { partialFilterExpression: exists }).indexes())).toBe(false);
  expect(hasShardKeyIndex(key, schema().index({ tenant_id: 1 }, { sparse: true }).indexes())).toBe(false);
  expect(hasShardKeyIndex({ _id: 'hashed' }, schema().index({ tenant_id: 1 }).indexes())).toBe(false);
});
