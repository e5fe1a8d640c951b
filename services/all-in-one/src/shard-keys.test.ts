import { readFileSync } from 'node:fs';
import { expect, test } from '@jest/globals';
import type { MongoCollection } from '@parcelway/mongo/mongo-collection';
import { hasShardKeyIndex } from '@parcelway/mongo/mongo-sharding';
import { mongoCollections } from '@parcelway/platform/open-store';
import { backServices, gateway } from './services.ts';

const document = readFileSync(new URL('../../../docs/distributed.md', import.meta.url), 'utf8');

const declared = async () => {
  const all: (MongoCollection<unknown> & { readonly service: string })[] = [];
  // One after the other: Jest cannot link modules that are imported at the same time.
  for (const store of [gateway, ...backServices]) {
    all.push(...(await mongoCollections(store.collections)).map((one) => ({ service: store.name, ...one })));
  }
  return all;
};

test('a table lists every collection that has a shard key, under its key, and nothing else', async () => {
  const [, section = ''] = document.split('### Shard keys\n');
  const [table = ''] = section.split('\n##');
  const rows = [...table.matchAll(/^\| (`.+) \| (`.+) \|$/gm)].flatMap(([, key, names = '']) =>
    [...names.matchAll(/`([a-z-]+)\.([a-z_]+)`/g)].map(([, service, name]) => [service, name, key].join(' ')),
  );
  const wanted = (await declared()).flatMap(({ service, name, sharding }) => {
    if ('unsharded' in sharding) return [];
    const key = Object.entries(sharding.key).map(([field, kind]) => `\`${field}\`${kind === 1 ? '' : ', hashed'}`);
    return [`${service} ${name} ${key}`];
  });
  expect(wanted.length).toBeGreaterThan(20);
  expect(rows.sort()).toEqual(wanted.sort());
});

test('most keys are served by an index that there is anyway', async () => {
  const without = (await declared()).filter(
    ({ schema, sharding }) => 'key' in sharding && !hasShardKeyIndex(sharding.key, schema.indexes()),
  );
  expect(without.map(({ service, name }) => `${service}.${name}`)).toEqual([
    'file.contents',
    'warehouse-intake.events',
    'warehouse-intake.resolutions',
    'warehouse-intake.rejections',
  ]);
});
