import { beforeEach, expect, test } from '@jest/globals';
import { setUpStores } from '../testing/set-up-stores.ts';
import type { AuditStore } from './audit-collection.ts';
import type { AuditRecord } from './domain/audit-entry.ts';
import type { FailedCallRecord } from './domain/failed-call.ts';
import type { FailedCallStore } from './failed-call-collection.ts';
import type { ActivityStores } from './open-activity.ts';

const entry = (number: number, at: number, tenantId: string | null = 'tnt_1'): AuditRecord => ({
  entryId: `aud_${number}`,
  tenantId,
  at,
  action: 'key.created',
  actor: { type: 'key', id: 'key_1', address: '203.0.113.7' },
  resourceType: 'key',
  resourceId: null,
  outcome: 'unknown',
  requestId: `req_${number}`,
});

const call = (number: number, at: number, tenantId = 'tnt_1'): FailedCallRecord => ({
  callId: `call_${number}`,
  tenantId,
  at,
  requestId: `req_${number % 3}`,
  method: 'POST',
  route: '/open/v1/forecasts',
  path: '/open/v1/forecasts',
  status: 422,
  code: '42201',
  message: 'Invalid',
  data: '{"errors":[]}',
  keyId: 'key_1',
  durationMs: 3,
});

let stores: ActivityStores;
beforeEach(() => {
  stores = setUpStores().stores.activity;
});

const idsOf = async (...asked: Parameters<AuditStore['list']>) => (await stores.audit.list(...asked)).map(({ entryId }) => entryId);
const callsOf = async (...asked: Parameters<FailedCallStore['list']>) =>
  (await stores.failedCalls.list(...asked)).map(({ callId }) => callId);

test('entries are listed newest first, of a tenant or of all, from any place and within a time', async () => {
  const { audit } = stores;
  for (const one of [entry(1, 1000), entry(3, 2000), entry(2, 2000), entry(4, 3000), entry(5, 2500, 'tnt_2'), entry(6, 500, null)]) {
    await audit.add(one);
  }
  expect(await idsOf('tnt_1', {}, 10, undefined)).toEqual(['aud_4', 'aud_3', 'aud_2', 'aud_1']);
  expect(await idsOf(undefined, {}, 10, undefined)).toEqual(['aud_4', 'aud_5', 'aud_3', 'aud_2', 'aud_1', 'aud_6']);
  expect(await idsOf('tnt_1', {}, 2, { createdAt: 2000, id: 'aud_3' })).toEqual(['aud_2', 'aud_1']);
  expect(await idsOf(undefined, {}, 2, { createdAt: 2500, id: 'aud_5' })).toEqual(['aud_3', 'aud_2']);
  expect(await idsOf('tnt_1', { from: 2000, to: 3000 }, 10, undefined)).toEqual(['aud_3', 'aud_2']);
  expect(await idsOf('tnt_1', { from: 2000, to: 3000 }, 10, { createdAt: 2000, id: 'aud_3' })).toEqual(['aud_2']);
  expect(await idsOf('tnt_1', { to: 2000 }, 10, { createdAt: 3000, id: 'aud_4' })).toEqual(['aud_1']);
  expect(await idsOf('tnt_3', {}, 10, undefined)).toEqual([]);
});

test('failed calls are listed newest first, from any place and within a time, and found by their request', async () => {
  const { failedCalls } = stores;
  await failedCalls.add([call(1, 1000), call(3, 2000), call(2, 2000), call(4, 3000), call(7, 2500, 'tnt_2')]);
  expect(await callsOf('tnt_1', {}, 10, undefined)).toEqual(['call_4', 'call_3', 'call_2', 'call_1']);
  expect(await callsOf('tnt_1', {}, 2, { createdAt: 2000, id: 'call_3' })).toEqual(['call_2', 'call_1']);
  expect(await callsOf('tnt_1', { from: 2000, to: 3000 }, 10, undefined)).toEqual(['call_3', 'call_2']);
  const withOne = async (...asked: Parameters<FailedCallStore['list']>) =>
    (await failedCalls.withRequestId('req_1', ...asked)).map(({ callId }) => callId);
  expect(await withOne('tnt_1', {}, 10, undefined)).toEqual(['call_4', 'call_1']);
  expect(await withOne('tnt_1', {}, 1, undefined)).toEqual(['call_4']);
  expect(await withOne('tnt_1', {}, 1, { createdAt: 3000, id: 'call_4' })).toEqual(['call_1']);
  expect(await withOne('tnt_1', { to: 3000 }, 10, undefined)).toEqual(['call_1']);
  expect(await withOne('tnt_3', {}, 10, undefined)).toEqual([]);
});
