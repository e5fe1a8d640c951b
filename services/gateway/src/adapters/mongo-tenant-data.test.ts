import { expect, test } from '@jest/globals';
import { newOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { accountRecord } from './mongo-tenant-data.ts';

test('an account is exported without an event that waits to be published', () => {
  const account = {
    _id: 'tnt_a',
    name: 'A',
    status: 'active',
    created_at: 1,
    retention: { version: 1, forecast_days: 30, file_days: null },
  } as const;
  const waiting = { ...account, ...newOutbox([{ topic: 't', key: 'k', value: 'v' }], 5) };
  expect(Object.keys(waiting).filter((name) => name.startsWith('outbox'))).not.toEqual([]);
  const { _id: id, ...rest } = account;
  expect(accountRecord(waiting)).toEqual({ id, ...rest });
});
