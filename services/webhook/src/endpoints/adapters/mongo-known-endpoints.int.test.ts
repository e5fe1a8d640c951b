import { beforeEach, expect, test } from '@jest/globals';
import type { WebhookStores } from '../../ports.ts';
import { type MongoReplicas, useMongoReplicas } from '../../testing/mongo-replicas.ts';
import { endpointFor, T0 } from '../../testing/webhook-fixtures.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import { collectionOf } from './mongo-access.ts';
import { endpoints } from './mongo-endpoint-documents.ts';
import { KnownEndpoints } from './mongo-known-endpoints.ts';

let databases: MongoReplicas['databases'];
/** Another process, which changes endpoints. */
let stores: WebhookStores;
useMongoReplicas((made) => {
  databases = made.databases;
  stores = made.replicas[1];
});

let known: KnownEndpoints;
beforeEach(() => {
  known = new KnownEndpoints(databases[0]);
});

async function added(tenantId: string, given: Partial<Endpoint> = {}): Promise<Endpoint> {
  const endpoint = endpointFor(tenantId, given);
  await stores.endpoints.insert(endpoint, 10);
  return endpoint;
}

test('are those of the tenants that are asked for, the older first', async () => {
  const [young, old] = [await added('tnt_one', { createdAt: T0 + 1 }), await added('tnt_one', { createdAt: T0 })];
  const other = await added('tnt_two');
  await added('tnt_three');
  const ofBoth = new Map([
    ['tnt_one', [old, young]],
    ['tnt_two', [other]],
  ]);
  // Read whole, known, and a part of them known.
  expect(await known.ofTenants(['tnt_one', 'tnt_two', 'tnt_none'])).toEqual(ofBoth);
  expect(await known.ofTenants(['tnt_two', 'tnt_one'])).toEqual(ofBoth);
  const more = await added('tnt_two', { createdAt: other.createdAt + 1 });
  expect(await known.ofTenants(['tnt_two'])).toEqual(new Map([['tnt_two', [other, more]]]));
});

test('are read whole only when another process has changed them, and then at once', async () => {
  const [endpoint, other] = [await added('tnt_one'), await added('tnt_one')];
  const inOrder = async () => (await known.ofTenants(['tnt_one'])).get('tnt_one') ?? [];
  const of = async ({ endpointId }: Endpoint) => (await inOrder()).find((one) => one.endpointId === endpointId);
  const [first, unchanged] = [await of(endpoint), await of(other)];
  expect(await of(endpoint)).toBe(first);
  for (const url of ['https://new.example/', 'https://newer.example/']) {
    await stores.endpoints.update('tnt_one', endpoint.endpointId, (one) => ({ ...one, url }));
    expect(await of(endpoint)).toEqual({ ...endpoint, url });
    expect(await of(other)).toBe(unchanged);
  }
  await stores.endpoints.remove('tnt_one', endpoint.endpointId);
  expect(await inOrder()).toEqual([other]);
});

test('are not taken for a later one with the same version, as after a store was put back', async () => {
  const { endpointId } = await added('tnt_one');
  await known.ofTenants(['tnt_one']);
  const put = { $set: { url: 'https://put-back.example/', updated_at: T0 + 9 } };
  await collectionOf(databases[1], endpoints).updateOne({ _id: endpointId }, put);
  expect((await known.ofTenants(['tnt_one'])).get('tnt_one')).toMatchObject([{ url: 'https://put-back.example/' }]);
});

test('are not taken for a former one with the same id', async () => {
  const { endpointId } = await added('tnt_one');
  await known.ofTenants(['tnt_one']);
  await stores.endpoints.remove('tnt_one', endpointId);
  while (await stores.maintenance.purgeDeleted(10)) {}
  const again = await added('tnt_one', { endpointId, url: 'https://again.example/', createdAt: T0 + 9 });
  expect(await known.ofTenants(['tnt_one'])).toEqual(new Map([['tnt_one', [again]]]));
});
