import { beforeEach, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { setUpStores } from '../testing/set-up-stores.ts';
import { addWarehouse, closeWarehouse, type ManageWarehousesOptions, renameWarehouse } from './manage-warehouses.ts';

let options: ManageWarehousesOptions;
let published: () => Promise<(readonly [string, unknown])[]>;

beforeEach(() => {
  const { stores, ...known } = setUpStores();
  options = known.options;
  published = async () => {
    const events = (await stores.outbox.lease(100)).map(({ value }) => decodeEvent(value));
    return events.map(({ type, data }) => [type, (data as { version: number }).version]);
  };
});

test('a warehouse is added once', async () => {
  const given = { code: 'W1', name: 'One' };
  expect(await addWarehouse(options, given)).toEqual({ ...given, createdAt: 1_000_000, closedAt: null, version: 1 });
  await expect(addWarehouse(options, given)).rejects.toMatchObject({ code: '40902', message: 'The warehouse W1 already exists' });
  expect(await published()).toEqual([['warehouse.opened', 1]]);
});

test('each change is published once, in order', async () => {
  await addWarehouse(options, { code: 'W1', name: 'One' });
  expect(await renameWarehouse(options, 'W1', 'Two')).toMatchObject({ name: 'Two', version: 2 });
  expect(await renameWarehouse(options, 'W1', 'Two')).toMatchObject({ version: 2 });
  expect(await closeWarehouse(options, 'W1')).toMatchObject({ closedAt: 1_000_000, version: 3 });
  expect(await closeWarehouse(options, 'W1')).toMatchObject({ version: 3 });
  expect(await published()).toEqual([
    ['warehouse.opened', 1],
    ['warehouse.renamed', 2],
    ['warehouse.closed', 3],
  ]);
  await expect(closeWarehouse(options, 'W9')).rejects.toMatchObject({ code: '40403' });
});
