import { expect, test } from '@jest/globals';
import { sampleCall } from '../testing/sample-call.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { type AuditRecord, NO_TENANT } from './audit-collection.ts';
import type { Part } from './read-page.ts';

const actor = { actorType: 'key', actorId: 'key_1', address: '203.0.113.7' } as const;
const entry = (number: number, at: number, tenantId = 'tnt_1'): AuditRecord => ({
  ...{ entryId: `aud_${number}`, tenantId, at, ...actor, requestId: `req_${number}` },
  ...{ action: 'key.created', resourceType: 'key', resourceId: null, outcome: 'unknown' },
});
const call = (number: number, at: number, tenantId = 'tnt_1') =>
  sampleCall({ callId: `call_${number}`, tenantId, at, requestId: `req_${number % 3}` });

test('entries are listed newest first, of a tenant or of all, within a time, and those that match', async () => {
  const { audit } = setUpStores().stores.activity;
  for (const one of [entry(1, 1000), entry(3, 2000), entry(2, 2000), entry(4, 3000), entry(5, 2500, 'tnt_2'), entry(6, 500, NO_TENANT)])
    await audit.add(one);
  const numbers = async (...[tenantId, part = {}, matches]: [string?, Partial<Part>?, Parameters<typeof audit.list>[2]?]) =>
    (await audit.list(tenantId, { limit: 10, ...part }, matches)).records.map(({ entryId }) => Number(entryId.slice(-1)));
  expect(await numbers('tnt_1')).toEqual([4, 3, 2, 1]);
  expect(await numbers()).toEqual([4, 5, 3, 2, 1, 6]);
  const { records, next } = await audit.list(undefined, { limit: 2 });
  expect(records).toEqual([entry(4, 3000), entry(5, 2500, 'tnt_2')]);
  // A place in the list of all is one in that of a tenant.
  for (const tenantId of [undefined, 'tnt_1']) expect(await numbers(tenantId, { limit: 2, after: String(next) })).toEqual([3, 2]);
  expect(await numbers('tnt_1', { from: 2000, to: 3000 })).toEqual([3, 2]);
  expect(await numbers(undefined, {}, ({ tenantId }) => tenantId === '')).toEqual([6]);
});

test('failed calls are listed newest first, within a time, and found by their request', async () => {
  const { failedCalls } = setUpStores().stores.activity;
  await failedCalls.add([call(1, 1000), call(3, 2000), call(2, 2000), call(4, 3000), call(7, 2500, 'tnt_2')]);
  const numbers = async (requestId?: string, part: Partial<Part> = {}) =>
    (await failedCalls.list('tnt_1', requestId, { limit: 10, ...part })).records.map(({ callId }) => Number(callId.slice(-1)));
  expect(await numbers()).toEqual([4, 3, 2, 1]);
  expect(await numbers(undefined, { from: 2000, to: 3000 })).toEqual([3, 2]);
  expect(await numbers('req_1')).toEqual([4, 1]);
  const { next } = await failedCalls.list('tnt_1', undefined, { limit: 1 });
  expect(await numbers('req_1', { limit: 1, after: String(next) })).toEqual([1]);
  expect(await numbers('req_1', { to: 3000 })).toEqual([1]);
});
