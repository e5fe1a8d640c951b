import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { GatewayStores } from '../operators/ports.ts';
import type { TenantRecord } from '../tenants/domain/records.ts';
import type { GatewayStoresDriver } from './gateway-stores.conformance.ts';

const tenant = (id: string, given: Partial<TenantRecord> = {}): TenantRecord => ({
  id,
  name: `Merchant ${id} 绿`,
  status: 'active',
  createdAt: 1000,
  ...given,
});

/** What every driver must do with tenants. @param open a driver with empty stores */
export function describeTenants(name: string, open: () => Promise<GatewayStoresDriver>): void {
  describe(`tenants: ${name}`, () => {
    let driver: GatewayStoresDriver;
    let stores: GatewayStores;
    beforeEach(async () => {
      driver = await open();
      stores = driver.stores;
      await stores.tenants.add(tenant('tnt_a'));
    });
    afterEach(() => driver.close());

    test('come back as they were kept, oldest first, at most the limit', async () => {
      await stores.tenants.add(tenant('tnt_c', { createdAt: 3000 }));
      await stores.tenants.add(tenant('tnt_b', { createdAt: 2000 }));
      expect(await stores.tenants.find('tnt_b')).toEqual(tenant('tnt_b', { createdAt: 2000 }));
      expect(await stores.tenants.find('none')).toBeUndefined();
      expect((await stores.tenants.list(10)).map(({ id }) => id)).toEqual(['tnt_a', 'tnt_b', 'tnt_c']);
      expect((await stores.tenants.list(2)).map(({ id }) => id)).toEqual(['tnt_a', 'tnt_b']);
      await stores.tenants.add(tenant('tnt_d', { name: 'Acme' }));
      await stores.tenants.add(tenant('tnt_e', { name: 'Acme' }));
      await stores.tenants.add(tenant('tnt_f', { name: 'acme' }));
      expect((await stores.tenants.named('Acme', 10)).map(({ id }) => id).sort()).toEqual(['tnt_d', 'tnt_e']);
      expect(await stores.tenants.named('Acme', 1)).toHaveLength(1);
      expect(await stores.tenants.named('nobody', 1)).toEqual([]);
    });

    test('are found by the beginning of their name, by name, at most the limit', async () => {
      for (const name of ['Acme Two', 'Acme', 'acme', 'Acmd', 'Acn', 'Acme 一']) await stores.tenants.add(tenant(`tnt_${name}`, { name }));
      const names = async (text: string, limit = 10) => (await stores.tenants.startingWith(text, limit)).map(({ name }) => name);
      expect(await names('Acme')).toEqual(['Acme', 'Acme Two', 'Acme 一']);
      expect(await names('Acme', 2)).toEqual(['Acme', 'Acme Two']);
      expect(await names('Acme 一')).toEqual(['Acme 一']);
      expect(await names('B')).toEqual([]);
    });

    test('are renamed, one without the others, and found by their present name', async () => {
      await stores.tenants.add(tenant('tnt_b', { name: 'Acme' }));
      expect(await stores.tenants.rename('tnt_b', 'Acme 二')).toEqual(tenant('tnt_b', { name: 'Acme 二' }));
      expect(await stores.tenants.find('tnt_a')).toEqual(tenant('tnt_a'));
      expect(await stores.tenants.named('Acme', 10)).toEqual([]);
      expect((await stores.tenants.named('Acme 二', 10)).map(({ id }) => id)).toEqual(['tnt_b']);
      expect(await stores.tenants.rename('none', 'x')).toBeUndefined();
    });

    test('are suspended and resumed, one without the others', async () => {
      await stores.tenants.add(tenant('tnt_b'));
      expect(await stores.tenants.setStatus('tnt_a', 'suspended')).toEqual(tenant('tnt_a', { status: 'suspended' }));
      expect(await stores.tenants.find('tnt_a')).toMatchObject({ status: 'suspended' });
      expect(await stores.tenants.find('tnt_b')).toMatchObject({ status: 'active' });
      expect(await stores.tenants.setStatus('tnt_a', 'active')).toEqual(tenant('tnt_a'));
      expect(await stores.tenants.setStatus('none', 'suspended')).toBeUndefined();
    });

    test('are suspended together with the event that reports it', async () => {
      const message = { topic: 't', key: 'tnt_a', value: 'suspended' };
      expect(await stores.tenants.setStatus('tnt_a', 'suspended', message)).toEqual(tenant('tnt_a', { status: 'suspended' }));
      expect(await stores.tenants.setStatus('none', 'suspended', { ...message, value: 'none' })).toBeUndefined();
      expect((await driver.published()).map(({ value }) => value)).toEqual(['suspended']);
    });
  });
}
