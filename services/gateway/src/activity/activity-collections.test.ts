import { expect, test } from '@jest/globals';
import { setUpStores } from '../testing/set-up-stores.ts';
import type { AuditRecord } from './domain/audit-entry.ts';
import type { FailedCallRecord } from './failed-call-collection.ts';

const actor = { type: 'key', id: 'key_1', address: '203.0.113.7' } as const;
const entry = (number: number, at: number, tenantId: string | null = 'tnt_1'): AuditRecord => ({
  ...{ entryId: `aud_${number}`, tenantId, at, actor, requestId: `req_${number}` },
  ...{ action: 'key.created', resourceType: 'key', resourceId: null, outcome: 'unknown' },
});
const call = (number: number, at: number, tenantId = 'tnt_1'): FailedCallRecord => ({
  ...{ callId: `call_${number}`, tenantId, at, requestId: `req_${number % 3}`, keyId: 'key_1', durationMs: 3 },
  ...{ method: 'POST', route: '/open/v1/forecasts', path: '/open/v1/forecasts' },
  ...{ status: 422, code: '42201', message: 'Invalid', data: '{"errors":[]}' },
});

test('entries are listed newest first, of a tenant or of all, from any place and within a time', async () => {
  const { audit } = setUpStores().stores.activity;
  for (const one of [entry(1, 1000), entry(3, 2000), entry(2, 2000), entry(4, 3000), entry(5, 2500, 'tnt_2'), entry(6, 500, null)])
    await audit.add(one);
  const numbers = async (...asked: Parameters<typeof audit.list>) =>
    (await audit.list(...asked)).map(({ entryId }) => Number(entryId.slice(-1)));
  expect(await numbers('tnt_1', {}, 10, undefined)).toEqual([4, 3, 2, 1]);
  expect(await numbers(undefined, {}, 10, undefined)).toEqual([4, 5, 3, 2, 1, 6]);
  expect(await numbers('tnt_1', {}, 2, { createdAt: 2000, id: 'aud_3' })).toEqual([2, 1]);
  expect(await numbers(undefined, {}, 2, { createdAt: 2500, id: 'aud_5' })).toEqual([3, 2]);
  expect(await numbers('tnt_1', { from: 2000, to: 3000 }, 10, undefined)).toEqual([3, 2]);
  expect(await numbers('tnt_1', { from: 2000, to: 3000 }, 10, { createdAt: 2000, id: 'aud_3' })).toEqual([2]);
});

test('failed calls are listed newest first, from any place and within a time, and found by their request', async () => {
  const { failedCalls } = setUpStores().stores.activity;
  await failedCalls.add([call(1, 1000), call(3, 2000), call(2, 2000), call(4, 3000), call(7, 2500, 'tnt_2')]);
  const numbers = async (found: Promise<FailedCallRecord[]>) => (await found).map(({ callId }) => Number(callId.slice(-1)));
  expect(await numbers(failedCalls.list('tnt_1', {}, 10, undefined))).toEqual([4, 3, 2, 1]);
  expect(await numbers(failedCalls.list('tnt_1', {}, 2, { createdAt: 2000, id: 'call_3' }))).toEqual([2, 1]);
  expect(await numbers(failedCalls.list('tnt_1', { from: 2000, to: 3000 }, 10, undefined))).toEqual([3, 2]);
  const after = { createdAt: 3000, id: 'call_4' };
  expect(await numbers(failedCalls.withRequestId('req_1', 'tnt_1', {}, 10, undefined))).toEqual([4, 1]);
  expect(await numbers(failedCalls.withRequestId('req_1', 'tnt_1', {}, 1, after))).toEqual([1]);
  expect(await numbers(failedCalls.withRequestId('req_1', 'tnt_1', { to: 3000 }, 10, undefined))).toEqual([1]);
});
