import { beforeEach, expect, test } from '@jest/globals';
import type { StoresWithOutbox } from '../adapters/gateway-stores.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import type { WarehouseRecord } from './domain/records.ts';
import type { WarehouseChange } from './domain/warehouse-events.ts';

const warehouse = (code: string, name = code): WarehouseRecord => ({ code, name, createdAt: 1000, closedAt: null, version: 1 });
const news = (value: string) => ({ topic: 't', key: 'k', value });
const opening = (code: string, name = code): WarehouseChange => ({ warehouse: warehouse(code, name), message: news(`open ${code}`) });

let stores: StoresWithOutbox;
beforeEach(async () => {
  ({ stores } = setUpStores());
  await stores.warehouses.add(opening('W1'));
});

test('come back as they were kept, by code, at most the limit', async () => {
  await stores.warehouses.add(opening('W3'));
  await stores.warehouses.add(opening('W2'));
  expect(await stores.warehouses.find('W2')).toEqual(warehouse('W2'));
  expect(await stores.warehouses.find('none')).toBeUndefined();
  expect(await stores.warehouses.list(10)).toEqual([warehouse('W1'), warehouse('W2'), warehouse('W3')]);
  expect(await stores.warehouses.list(1)).toEqual([warehouse('W1')]);
});

test('take a code once, also when two ask for it at the same time', async () => {
  expect(await stores.warehouses.add(opening('W1', 'Other'))).toBe(false);
  expect(await stores.warehouses.find('W1')).toEqual(warehouse('W1'));
  const both = [stores.warehouses.add(opening('W2', 'One')), stores.warehouses.add(opening('W2', 'Two'))];
  expect((await Promise.all(both)).sort()).toEqual([false, true]);
  expect(await stores.warehouses.list(10)).toHaveLength(2);
});

test('change together with their event, from one version to the next', async () => {
  const renamed = { ...warehouse('W1', 'Two'), version: 2 };
  expect(await stores.warehouses.change({ warehouse: renamed, message: news('rename W1') })).toBe(true);
  expect(await stores.warehouses.find('W1')).toEqual(renamed);
  const closed = { ...renamed, closedAt: 5000, version: 3 };
  const both = ['close', 'close again'].map((name) => stores.warehouses.change({ warehouse: closed, message: news(`${name} W1`) }));
  expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1);
  expect(await stores.warehouses.change({ warehouse: { ...renamed, version: 5 }, message: news('too late') })).toBe(false);
  expect(await stores.warehouses.find('W1')).toEqual(closed);
  const messages = (await stores.outbox.lease(100)).map(({ value }) => value);
  expect(messages.slice(0, 2)).toEqual(['open W1', 'rename W1']);
  expect(messages).toHaveLength(3);
  expect(await stores.warehouses.change({ warehouse: { ...warehouse('W9'), version: 2 }, message: news('none') })).toBe(false);
});
