import { beforeEach, expect, test } from '@jest/globals';
import { Schema } from 'mongoose';
import { defineCollection } from './mongo-collection.ts';
import { type ShardRouter, shardCollections } from './mongo-shard-collections.ts';
import { byId, hasShardKeyIndex } from './mongo-sharding.ts';

const schema = () => new Schema({ tenant_id: String, number: String });

test('an index serves the shard key when it starts with it and has every document', () => {
  const key = { tenant_id: 1 } as const;
  const exists = { number: { $exists: true } };
  expect(hasShardKeyIndex(key, schema().index({ tenant_id: 1, number: -1 }).indexes())).toBe(true);
  expect(hasShardKeyIndex(key, schema().index({ number: 1, tenant_id: 1 }).indexes())).toBe(false);
  expect(hasShardKeyIndex(key, schema().index({ tenant_id: 1 }, { partialFilterExpression: exists }).indexes())).toBe(false);
  expect(hasShardKeyIndex(key, schema().index({ tenant_id: 1 }, { sparse: true }).indexes())).toBe(false);
  expect(hasShardKeyIndex({ _id: 'hashed' }, schema().index({ tenant_id: 1 }).indexes())).toBe(false);
});

const text = { type: String, required: true };

const orders = defineCollection(
  'orders',
  new Schema({ tenant_id: text, number: text }).index({ tenant_id: 1, number: 1 }, { name: 'number' }),
  { sharding: { key: { tenant_id: 1 } } },
);

const numbers = defineCollection('numbers', new Schema({ _id: text }), { sharding: byId });

const counters = defineCollection('counters', new Schema({ _id: text }), { sharding: { unsharded: 'a few documents' } });

const collections = [orders, numbers, counters];

/** A router that refuses what MongoDB's refuses, as far as this needs it: another key, and a key without an index. */
class FakeRouter implements ShardRouter {
  readonly name = 'parcelway-test-forecast';
  readonly msg: string | undefined;
  readonly sharded = new Map<string, string>();
  readonly indexes = new Map<string, string>([['orders', '{"tenant_id":1}']]);
  readonly commands: string[] = [];
  #failing: string | undefined;

  constructor(msg: string | undefined = 'isdbgrid') {
    this.msg = msg;
  }

  failAt(collection: string | undefined): void {
    this.#failing = collection;
  }

  async command(words: Readonly<Record<string, unknown>>): Promise<Readonly<Record<string, unknown>>> {
    this.commands.push(Object.keys(words)[0] ?? '');
    if ('hello' in words) return { msg: this.msg };
    if ('enableSharding' in words) return { ok: 1 };
    const collection = String(words['shardCollection']).slice(`${this.name}.`.length);
    const key = JSON.stringify(words['key']);
    if (this.#failing === collection) throw new Error('the config servers are away');
    if ((this.sharded.get(collection) ?? key) !== key) throw new Error('sharding already enabled with options');
    if (this.indexes.get(collection) !== key) throw new Error('Please create an index that starts with the proposed shard key');
    this.sharded.set(collection, key);
    return { ok: 1 };
  }

  async createIndex(collection: string, key: object): Promise<void> {
    this.indexes.set(collection, JSON.stringify(key));
  }
}

let router: FakeRouter;

let lines: string[];

const shard = () => shardCollections(router, collections, (line) => lines.push(line));

beforeEach(() => {
  router = new FakeRouter();
  lines = [];
});

test('each collection is sharded by its key, behind an index of that key, and the rest stays', async () => {
  await shard();
  expect([...router.sharded]).toEqual([
    ['orders', '{"tenant_id":1}'],
    ['numbers', '{"_id":"hashed"}'],
  ]);
  expect(router.commands.slice(0, 2)).toEqual(['hello', 'enableSharding']);
  expect(lines).toEqual([
    'orders: sharded by tenant_id',
    'numbers: sharded by _id (hashed)',
    'counters: stays on the primary shard (a few documents)',
  ]);
});

test('what ended half-way goes on, and a second run changes nothing', async () => {
  router.failAt('numbers');
  await expect(shard()).rejects.toThrow('The collection numbers cannot be sharded by _id (hashed): the config servers are away');
  expect([...router.sharded.keys()]).toEqual(['orders']);
  router.failAt(undefined);
  await shard();
  const before = [...router.sharded];
  await shard();
  expect([...router.sharded]).toEqual(before);
  expect(before).toHaveLength(2);
});

test('a collection that is sharded by another key is named, and stays as it is', async () => {
  router.sharded.set('orders', '{"number":1}');
  await expect(shard()).rejects.toThrow('The collection orders cannot be sharded by tenant_id: sharding already enabled');
  expect(router.sharded.get('orders')).toBe('{"number":1}');
});

test('a server that is no router is refused before anything is changed', async () => {
  router = new FakeRouter('');
  await expect(shard()).rejects.toThrow('MONGODB_URL leads to no router (mongos)');
  expect(router.commands).toEqual(['hello']);
});
