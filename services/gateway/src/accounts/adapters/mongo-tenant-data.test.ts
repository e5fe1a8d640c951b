import { expect, test } from '@jest/globals';
import { newOutbox } from '@parcelway/mongo/mongo-outbox-fields';
import { descriptionOf } from './mongo-schema.ts';
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

test.each([
  ['Link to the console, by operator alice', null, 'Link to the console, by the operator'],
  ['Link to the console, by operator alice', undefined, 'Link to the console, by the operator'],
  ['Link to the console, by operator alice', 'key_1', 'Link to the console, by operator alice'],
  ['Till', null, 'Till'],
])('the key of a former link does not name the operator: %s of %s', (description, created_by, shown) => {
  expect(descriptionOf({ description, ...(created_by !== undefined && { created_by }) })).toBe(shown);
});
