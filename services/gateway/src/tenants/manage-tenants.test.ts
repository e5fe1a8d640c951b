import { expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { setUpStores } from '../testing/set-up-stores.ts';
import { beginTenantErasure, createTenant, setTenantStatus } from './manage-tenants.ts';

test('a suspension is reported by an event, a resumption is not', async () => {
  const { clock, stores, options } = setUpStores();
  const { id } = await createTenant(stores, clock, 'Acme');
  await setTenantStatus(options, id, 'suspended');
  await setTenantStatus(options, id, 'active');
  await expect(setTenantStatus(options, 'tnt_9', 'suspended')).rejects.toMatchObject({ code: '40403' });
  const events = (await stores.outbox.lease(10)).map(({ value }) => decodeEvent(value));
  expect(events).toMatchObject([
    { type: 'tenant.suspended', tenantid: id, data: { tenant_id: id, suspended_at: '1970-01-01T00:16:40.000+00:00' } },
  ]);
});

test('of a resumption and an erasure at the same time exactly one wins', async () => {
  const outcomes = new Set<string>();
  // The erasure begins before one of the reads and writes of the resumption.
  for (let pausedAt = 0; pausedAt < 4; pausedAt += 1) {
    const { clock, stores, options } = setUpStores();
    const { id } = await createTenant(stores, clock, 'Acme');
    await setTenantStatus(options, id, 'suspended');
    let calls = 0;
    const meanwhile = async (): Promise<void> => {
      if (calls === pausedAt) await beginTenantErasure(stores, clock, id);
      calls += 1;
    };
    const { tenants, erasures } = stores;
    const interleaved = {
      tenants: Object.assign(Object.create(tenants) as typeof tenants, {
        async setStatus(tenantId: string, status: 'active' | 'suspended') {
          await meanwhile();
          return tenants.setStatus(tenantId, status);
        },
      }),
      erasures: Object.assign(Object.create(erasures) as typeof erasures, {
        async find(tenantId: string) {
          await meanwhile();
          return erasures.find(tenantId);
        },
      }),
    };
    const outcome = await setTenantStatus({ ...options, stores: interleaved }, id, 'active').then(
      () => 'resumed',
      (error: { readonly code: string }) => error.code,
    );
    if (calls <= pausedAt) await beginTenantErasure(stores, clock, id);
    expect([pausedAt, (await tenants.find(id))?.status]).toEqual([pausedAt, 'suspended']);
    outcomes.add(outcome);
  }
  expect(outcomes).toEqual(new Set(['40902', 'resumed']));
});
