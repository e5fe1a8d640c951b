import { beforeEach, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { setUpStores } from '../testing/set-up-stores.ts';
import {
  beginTenantErasure,
  changeRetention,
  createTenant,
  listTenants,
  readRetention,
  setTenantStatus,
  type Tenant,
  tenants,
  tenantsStartingWith,
  tenantWith,
} from './tenants.ts';

const tenant = (tenantId: string, given: Partial<Tenant> = {}): Tenant => ({
  tenantId,
  name: `Merchant ${tenantId} 绿`,
  status: 'active',
  createdAt: 1000,
  ...given,
});

let set: ReturnType<typeof setUpStores>;
beforeEach(() => {
  set = setUpStores();
});
const add = (...given: readonly Tenant[]) => set.options.store.apply(given.map((insert) => ({ in: tenants, insert })));
const published = async () => (await set.stores.outbox.lease(10)).map(({ value }) => decodeEvent(value));

test('a suspension is reported by an event, a resumption is not', async () => {
  const { options } = set;
  const { tenantId } = await createTenant(options, 'Acme');
  await setTenantStatus(options, tenantId, 'suspended');
  await setTenantStatus(options, tenantId, 'active');
  await expect(setTenantStatus(options, 'tnt_9', 'suspended')).rejects.toMatchObject({ code: '40403' });
  expect(await published()).toMatchObject([
    { type: 'tenant.suspended', tenantid: tenantId, data: { tenant_id: tenantId, suspended_at: '1970-01-01T00:16:40.000+00:00' } },
  ]);
});

test('of a resumption and an erasure at the same time exactly one wins', async () => {
  const outcomes = new Set<string>();
  // The erasure begins before one of the reads and writes of the resumption.
  for (let pausedAt = 0; pausedAt < 4; pausedAt += 1) {
    const { options } = setUpStores();
    const { store } = options;
    const { tenantId } = await createTenant(options, 'Acme');
    await setTenantStatus(options, tenantId, 'suspended');
    let calls = 0;
    const meanwhile = async (): Promise<void> => {
      if (calls === pausedAt) await beginTenantErasure(options, tenantId);
      calls += 1;
    };
    const get: typeof store.get = async (...asked) => meanwhile().then(() => store.get(...asked));
    const change: typeof store.change = async (...asked) => meanwhile().then(() => store.change(...asked));
    const interleaved = Object.assign(Object.create(store) as typeof store, { get, change });
    const outcome = await setTenantStatus({ ...options, store: interleaved }, tenantId, 'active').then(
      () => 'resumed',
      (error: { readonly code: string }) => error.code,
    );
    if (calls <= pausedAt) await beginTenantErasure(options, tenantId);
    expect([pausedAt, (await tenantWith(store, tenantId))?.status]).toEqual([pausedAt, 'suspended']);
    outcomes.add(outcome);
  }
  expect(outcomes).toEqual(new Set(['40902', 'resumed']));
});

test('tenants are found by the beginning of their name, by name, at most the limit', async () => {
  await add(...['Acme Two', 'Acme', 'acme', 'Acmd', 'Acn', 'Acme 一'].map((name) => tenant(`tnt_${name}`, { name })));
  const names = async (text: string, limit = 10) => (await tenantsStartingWith(set.options.store, text, limit)).map(({ name }) => name);
  expect(await names('Acme')).toEqual(['Acme', 'Acme Two', 'Acme 一']);
  expect(await names('Acme', 2)).toEqual(['Acme', 'Acme Two']);
  expect(await names('B')).toEqual([]);
});

test('the retention of a tenant is written together with its event, once for each version', async () => {
  const { options } = set;
  await add(tenant('tnt_a'));
  const wish = { forecastDays: 400, fileDays: 30 };
  const both = await Promise.all([changeRetention(options, 'tnt_a', wish), changeRetention(options, 'tnt_a', wish)]);
  expect(both.map(({ version }) => version)).toEqual([1, 1]);
  const last = { version: 2, forecastDays: 400, fileDays: null };
  expect(await changeRetention(options, 'tnt_a', { fileDays: null })).toEqual(last);
  expect(await readRetention(options.store, 'tnt_a')).toEqual(last);
  expect(await tenantWith(options.store, 'tnt_a')).toEqual({ ...tenant('tnt_a'), retention: last });
  const event = { type: 'tenant.retention-changed', subject: 'tnt_a', tenantid: 'tnt_a' };
  const data = { tenant_id: 'tnt_a', forecast_days: 400, changed_at: '1970-01-01T00:16:40.000+00:00' };
  expect(await published()).toMatchObject([
    { ...event, data: { ...data, version: 1, file_days: 30 } },
    { ...event, data: { ...data, version: 2, file_days: null } },
  ]);
});

test('tenants have pages', async () => {
  await add(tenant('tnt_a'), tenant('tnt_b'), tenant('tnt_c'));
  const { store } = set.options;
  const first = await listTenants(store, 2);
  const rest = await listTenants(store, 2, first.next ?? undefined);
  expect([...first.records, ...rest.records].map(({ tenantId }) => tenantId).sort()).toEqual(['tnt_a', 'tnt_b', 'tnt_c']);
  expect([first.records.length, rest.next]).toEqual([2, null]);
});
