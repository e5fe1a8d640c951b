import { beforeEach, describe, expect, test } from '@jest/globals';
import { setUpStores } from '../testing/set-up-stores.ts';
import type { TenantRecord } from './domain/records.ts';
import { type RetentionWish, retentionChanged } from './domain/tenant-retention.ts';

const tenant = (id: string, given: Partial<TenantRecord> = {}): TenantRecord => ({
  id,
  name: `Merchant ${id} 绿`,
  status: 'active',
  createdAt: 1000,
  ...given,
});
const at = { environment: 'sandbox', now: 1000 } as const;

let stores: ReturnType<typeof setUpStores>['stores'];
beforeEach(async () => {
  ({ stores } = setUpStores());
  await stores.tenants.add(tenant('tnt_a'));
});
const published = async () => (await stores.outbox.lease(100)).map(({ value }) => value);

describe('tenants', () => {
  test('have pages, also amid those of the same instant, and behind one that is gone', async () => {
    for (let at = 0; at < 12; at += 1) await stores.tenants.add(tenant(`tnt_b${10 + at}`, { createdAt: 2000 + Math.floor(at / 5) }));
    const all = await stores.tenants.list(100);
    expect(all).toHaveLength(13);
    for (const [place, { createdAt, id }] of all.entries())
      expect(await stores.tenants.list(4, { createdAt, id })).toEqual(all.slice(place + 1, place + 5));
    expect(await stores.tenants.list(1, { createdAt: 2000, id: 'tnt_b101' })).toEqual([all[2]]);
  });

  test('are found by the beginning of their name, by name, at most the limit', async () => {
    for (const name of ['Acme Two', 'Acme', 'acme', 'Acmd', 'Acn', 'Acme 一']) await stores.tenants.add(tenant(`tnt_${name}`, { name }));
    const names = async (text: string, limit = 10) => (await stores.tenants.startingWith(text, limit)).map(({ name }) => name);
    expect(await names('Acme')).toEqual(['Acme', 'Acme Two', 'Acme 一']);
    expect(await names('Acme', 2)).toEqual(['Acme', 'Acme Two']);
    expect(await names('Acme 一')).toEqual(['Acme 一']);
    expect(await names('B')).toEqual([]);
  });
});

describe('the retention of a tenant', () => {
  test('is written together with its event, once for each version', async () => {
    const { retentions } = stores;
    const change = (wish: RetentionWish) => retentions.change('tnt_a', (known) => retentionChanged(known, wish, at));
    const both = await Promise.all([change({ forecastDays: 400, fileDays: 30 }), change({ forecastDays: 400, fileDays: 30 })]);
    expect(both.map((retention) => retention?.version)).toEqual([1, 1]);
    expect(await change({ fileDays: null })).toEqual({ tenantId: 'tnt_a', version: 2, forecastDays: 400, fileDays: null });
    expect(await retentions.find('tnt_a')).toEqual({ tenantId: 'tnt_a', version: 2, forecastDays: 400, fileDays: null });
    expect(await published()).toHaveLength(2);
    expect(await stores.tenants.find('tnt_a')).toEqual(tenant('tnt_a'));
  });
});
