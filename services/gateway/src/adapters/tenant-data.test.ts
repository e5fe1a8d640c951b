import { expect, test } from '@jest/globals';
import { systemClock } from '@parcelway/kernel/clock';
import { describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { retentionChanged, unchosen } from '../tenants/domain/tenant-retention.ts';
import type { StoresWithOutbox } from './gateway-stores.ts';
import { createSqliteStores } from './sqlite-stores.ts';

const NOW = 1_000_000;

/** Writes an account with a retention of its own, two keys, an idempotency key, and two of each thing that is noted of its calls. */
async function fill({ tenants, retentions, keys, idempotency, activity }: StoresWithOutbox, tenantId: string, mark: string): Promise<void> {
  await tenants.add({ id: tenantId, name: mark, status: 'active', createdAt: NOW });
  const chosen = retentionChanged(unchosen(tenantId), { forecastDays: 30 }, { environment: 'sandbox', now: NOW });
  if (chosen === undefined || !(await retentions.change(chosen))) throw new Error('The retention was not written');
  for (const no of [1, 2]) {
    const times = { createdAt: NOW, expiresAt: null, revokedAt: null, lastUsedAt: null };
    const key = { keyId: `key_${mark}${no}`, prefix: 'pk_test_abcd', hash: `SECRET ${mark}${no}`, scopes: ['weighing:read'] as const };
    const origin = { createdBy: `maker ${mark}`, rotatedFrom: null, rotatedTo: null, version: 0, allowedAddresses: ['192.0.2.1'] };
    const rateLimit = { perSecond: 1, burst: 1 };
    await keys.add({ ...key, ...times, ...origin, holder: { kind: 'tenant', tenantId }, rateLimit, description: mark });
  }
  for (const no of [1, 2]) {
    const key = { actor: { type: 'key', id: `key_${mark}${no}`, address: null }, resourceType: 'key', resourceId: mark } as const;
    const entry = { entryId: `aud_${mark}${no}`, tenantId, at: NOW, action: 'key.created', outcome: 'success', requestId: mark } as const;
    await activity.audit.add({ ...entry, ...key });
    const said = { status: 422, code: '42201', message: mark, data: null };
    const call = { callId: `call_${mark}${no}`, tenantId, at: NOW, requestId: mark, method: 'GET', route: null, path: `/${mark}` };
    await activity.failedCalls.add([{ ...call, ...said, keyId: `key_${mark}${no}`, durationMs: 1 }]);
    await activity.usage.add({ counter: 'c', number: no, records: [{ tenantId, day: `2026-01-0${no}`, amounts: { calls: 1 } }] });
  }
  const scope = { ownerId: tenantId, route: 'simulate', key: `key ${mark}` };
  await idempotency.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
}

function open() {
  const db = new SqliteDatabase(':memory:');
  return { db, stores: createSqliteStores(db, systemClock) };
}

describeTenantData('gateway', ['keys', 'idempotency_keys', 'audit_log', 'failed_calls', 'usage', 'account'], async () => {
  const { db, stores } = open();
  const remembered: string[] = [];
  const erased = {
    // The gateway remembers by the record of the erasure: this stands for it in the shared suite.
    remember: async (tenantId: string) => void (remembered.includes(tenantId) || remembered.push(tenantId)),
    list: async () => remembered.map((tenantId) => ({ tenantId, cursor: tenantId })),
  };
  return {
    data: { kinds: stores.tenantData, erased },
    fill: (tenantId, mark) => fill(stores, tenantId, mark),
    dump: async () => dumpOf(db),
    close: async () => db.close(),
  };
});

test('a tenant receives what is kept of it under the names that it knows', async () => {
  const { stores } = open();
  await fill(stores, 'tnt_a', 'A');
  const records = await Promise.all(
    stores.tenantData.map(async ({ name, list }) => [name, (await list?.('tnt_a', null))?.at(0)?.record] as const),
  );
  expect(Object.fromEntries(records)).toMatchObject({
    keys: {
      key_id: 'key_A1',
      prefix: 'pk_test_abcd',
      scopes: ['weighing:read'],
      rate_limit: { perSecond: 1, burst: 1 },
      description: 'A',
      created_at: NOW,
      expires_at: null,
      revoked_at: null,
      last_used_at: null,
      allowed_addresses: ['192.0.2.1'],
      created_by: 'maker A',
      rotated_from: null,
      rotated_to: null,
    },
    audit_log: {
      entry_id: 'aud_A1',
      at: NOW,
      action: 'key.created',
      actor_type: 'key',
      actor_id: 'key_A1',
      address: null,
      resource_type: 'key',
      resource_id: 'A',
      outcome: 'success',
      request_id: 'A',
      session: null,
    },
    failed_calls: {
      call_id: 'call_A1',
      at: NOW,
      request_id: 'A',
      method: 'GET',
      route: null,
      path: '/A',
      status: 422,
      code: '42201',
      message: 'A',
      data: null,
      key_id: 'key_A1',
      duration_ms: 1,
    },
    account: { id: 'tnt_a', name: 'A', status: 'active', created_at: NOW, forecast_days: 30, file_days: null },
  });
});
