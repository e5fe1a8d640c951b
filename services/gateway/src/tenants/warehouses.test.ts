import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { setUpStores } from '../testing/set-up-stores.ts';
import { addWarehouse, closeWarehouse, renameWarehouse } from './warehouses.ts';

test('a warehouse is added once, and each change is published once, in order', async () => {
  const { options, stores } = setUpStores();
  const given = { code: 'W1', name: 'One' };
  const opened = { ...given, createdAt: 1_000_000, closedAt: null };
  expect(await addWarehouse(options, given)).toEqual(opened);
  await expect(addWarehouse(options, given)).rejects.toMatchObject({ code: '40902', message: 'The warehouse W1 already exists' });
  for (let time = 0; time < 2; time += 1) expect(await renameWarehouse(options, 'W1', 'Two')).toEqual({ ...opened, name: 'Two' });
  for (let time = 0; time < 2; time += 1) expect(await closeWarehouse(options, 'W1')).toMatchObject({ closedAt: 1_000_000 });
  const events = (await stores.outbox.lease(100)).map(({ value }) => decodeEvent(value));
  expect(events.map(({ type, data }) => [type, data])).toEqual([
    ['warehouse.opened', { warehouse_code: 'W1', version: 1, name: 'One', opened_at: '1970-01-01T00:16:40.000+00:00' }],
    ['warehouse.renamed', { warehouse_code: 'W1', version: 2, name: 'Two', renamed_at: '1970-01-01T00:16:40.000+00:00' }],
    ['warehouse.closed', { warehouse_code: 'W1', version: 3, closed_at: '1970-01-01T00:16:40.000+00:00' }],
  ]);
  await expect(closeWarehouse(options, 'W9')).rejects.toMatchObject({ code: '40403' });
});
