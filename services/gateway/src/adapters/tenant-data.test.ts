import { ManualClock } from '@parcelway/kernel/clock';
import { describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import { SqliteDatabase } from '@parcelway/sqlite/database';
import { dumpOf } from '@parcelway/sqlite/testing/dump';
import { changeRetention, tenants } from '../tenants/tenants.ts';
import { sampleCall } from '../testing/sample-call.ts';
import { sampleKey } from '../testing/sample-key.ts';
import { storesIn } from '../testing/set-up-stores.ts';
import type { GatewayStores } from './gateway-stores.ts';

const NOW = 1_000_000;

/** Writes an account with a retention of its own, two keys, an idempotency key, and two of each thing that is noted of its calls. */
async function fill({ store, keys, idempotency, activity }: GatewayStores, tenantId: string, mark: string): Promise<void> {
  await store.apply([{ in: tenants, insert: { tenantId, name: mark, status: 'active', createdAt: NOW } }]);
  await changeRetention({ store, clock: new ManualClock(NOW), environment: 'sandbox' }, tenantId, { forecastDays: 30 });
  for (const no of [1, 2]) {
    const key = { keyId: `key_${mark}${no}`, hash: `SECRET ${mark}${no}`, allowedAddresses: ['192.0.2.1'], createdBy: `maker ${mark}` };
    await keys.add(sampleKey({ ...key, holder: { kind: 'tenant', tenantId }, rateLimit: { perSecond: 1, burst: 1 }, description: mark }));
  }
  for (const no of [1, 2]) {
    const actor = { actorType: 'key', actorId: `key_${mark}${no}`, address: null } as const;
    const made = { action: 'key.created', resourceType: 'key', resourceId: mark, outcome: 'success', requestId: mark } as const;
    await activity.audit.add({ entryId: `aud_${mark}${no}`, tenantId, at: NOW, ...actor, ...made });
    const call = { callId: `call_${mark}${no}`, requestId: mark, path: `/${mark}`, message: mark, keyId: `key_${mark}${no}` };
    await activity.failedCalls.add([sampleCall({ ...call, tenantId, at: NOW })]);
    await activity.usage.add({ counter: 'c', number: no, records: [{ tenantId, day: `2026-01-0${no}`, amounts: { calls: 1 } }] });
  }
  const scope = { ownerId: tenantId, route: 'simulate', key: `key ${mark}` };
  await idempotency.add({ ...scope, fingerprint: 'f', seed: 's', claim: 'c', claimedUntil: 0, createdAt: 1, response: null });
}

function open() {
  const db = new SqliteDatabase(':memory:');
  return { db, stores: storesIn(db) };
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
