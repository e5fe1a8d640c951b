import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { describeTenantData } from '@parcelway/kernel/testing/tenant-data-suite';
import type { GatewayStores } from '../operators/ports.ts';
import { beginErasure, withCount } from '../tenants/domain/erasure.ts';
import { retentionChanged, unchosen } from '../tenants/domain/tenant-retention.ts';
import type { StoresWithOutbox } from './sqlite-stores.ts';

/** Stores under test, empty at first. */
export interface ErasuresDriver {
  readonly stores: StoresWithOutbox;
  dump(): Promise<string>;
  close(): Promise<void>;
}

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

/** What the gateway's stores must do for exports and erasures, in both stores. */
export function describeErasures(name: string, open: () => Promise<ErasuresDriver>): void {
  describeTenantData(`gateway, ${name}`, ['keys', 'idempotency_keys', 'audit_log', 'failed_calls', 'usage', 'account'], async () => {
    const driver = await open();
    const { stores } = driver;
    const remembered: string[] = [];
    const erased = {
      // The gateway remembers by the record of the erasure: this stands for it in the shared suite.
      remember: async (tenantId: string) => void (remembered.includes(tenantId) || remembered.push(tenantId)),
      list: async () => remembered.map((tenantId) => ({ tenantId, cursor: tenantId })),
    };
    return { ...driver, data: { kinds: stores.tenantData, erased }, fill: (tenantId, mark) => fill(stores, tenantId, mark) };
  });

  describe(`erasures: ${name}`, () => {
    let driver: ErasuresDriver;
    let erasures: GatewayStores['erasures'];
    beforeEach(async () => {
      driver = await open();
      ({ erasures } = driver.stores);
    });
    afterEach(() => driver.close());

    test('begin once, and are found', async () => {
      expect(await erasures.find('tnt_a')).toBeUndefined();
      expect(await erasures.begin('tnt_a', NOW)).toEqual(beginErasure('tnt_a', NOW));
      expect(await erasures.begin('tnt_a', NOW + 1)).toEqual(beginErasure('tnt_a', NOW));
      expect(await erasures.find('tnt_a')).toEqual(beginErasure('tnt_a', NOW));
    });

    test('are taken by one process at a time, and by another when it is silent', async () => {
      await erasures.begin('tnt_a', NOW);
      expect(await erasures.lease('one', NOW, NOW + 60)).toEqual(beginErasure('tnt_a', NOW));
      expect(await erasures.lease('two', NOW + 59, NOW + 90)).toBeUndefined();
      expect(await erasures.lease('one', NOW + 10, NOW + 60)).toMatchObject({ tenantId: 'tnt_a' });
      const progress = withCount({ ...beginErasure('tnt_a', NOW), rememberedAt: NOW }, 'file', 'files', 3);
      expect(await erasures.save(progress, 'one', NOW + 100)).toBe(true);
      expect(await erasures.lease('two', NOW + 99, NOW + 150)).toBeUndefined();
      expect(await erasures.lease('two', NOW + 100, NOW + 150)).toEqual(progress);
      expect(await erasures.save(progress, 'one', NOW + 200)).toBe(false);
    });

    test('are given back when they fail, so that others have their turn', async () => {
      await erasures.begin('tnt_a', NOW);
      expect(await erasures.lease('one', NOW, NOW + 60)).toMatchObject({ tenantId: 'tnt_a' });
      await erasures.postpone('tnt_a', 'two', 'not its owner', NOW + 500);
      await erasures.postpone('tnt_a', 'one', 'the service is out', NOW + 500);
      await erasures.postpone('tnt_a', 'one', 'not its owner any more', NOW + 900);
      await erasures.begin('tnt_b', NOW);
      expect(await erasures.lease('one', NOW + 10, NOW + 1000)).toMatchObject({ tenantId: 'tnt_b' });
      expect(await erasures.lease('two', NOW + 499, NOW + 560)).toBeUndefined();
      const failed = { ...beginErasure('tnt_a', NOW), failures: 1, failure: 'the service is out' };
      expect(await erasures.lease('two', NOW + 500, NOW + 560)).toEqual(failed);
      await erasures.save(withCount(failed, 'file', 'files', 3), 'two', NOW + 600);
      expect(await erasures.find('tnt_a')).toMatchObject({ failures: 0, failure: null });
    });

    test('that failed are tried at once when they are asked for again, and not while a process works on them', async () => {
      await erasures.begin('tnt_a', NOW);
      await erasures.lease('one', NOW, NOW + 60);
      const counted = withCount({ ...beginErasure('tnt_a', NOW), rememberedAt: NOW }, 'file', 'files', 3);
      await erasures.save(counted, 'one', NOW + 60);
      await erasures.postpone('tnt_a', 'one', 'the service is out', NOW + 500);
      expect(await erasures.lease('one', NOW + 10, NOW + 70)).toBeUndefined();
      expect(await erasures.begin('tnt_a', NOW + 10)).toEqual(counted);
      expect(await erasures.find('tnt_a')).toEqual(counted);
      expect(await erasures.lease('one', NOW + 10, NOW + 70)).toEqual(counted);
      const failed = { ...counted, failures: 2, failure: 'the service is out' };
      await erasures.save(failed, 'one', NOW + 70);
      expect(await erasures.begin('tnt_a', NOW + 20)).toEqual(failed);
      expect(await erasures.lease('two', NOW + 69, NOW + 90)).toBeUndefined();
    });
  });
}
