import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { retentionChanged, unchosen } from '../tenants/domain/tenant-retention.ts';
import type { GatewayStoresDriver } from './gateway-stores.conformance.ts';

const at = { environment: 'sandbox', now: 1000 } as const;

/** What every driver must do with the retention of tenants. @param open a driver with empty stores */
export function describeTenantRetentions(name: string, open: () => Promise<GatewayStoresDriver>): void {
  describe(`retention of tenants: ${name}`, () => {
    let driver: GatewayStoresDriver;
    beforeEach(async () => {
      driver = await open();
      await driver.stores.tenants.add({ id: 'tnt_a', name: 'Acme', status: 'active', createdAt: 1 });
    });
    afterEach(() => driver.close());

    test('is that of the installation until it is set; of a tenant who does not exist, there is none', async () => {
      const { retentions } = driver.stores;
      expect(await retentions.find('tnt_a')).toEqual(unchosen('tnt_a'));
      expect(await retentions.find('tnt_x')).toBeUndefined();
    });

    test('is written together with its event, once for each version', async () => {
      const { retentions } = driver.stores;
      const first = retentionChanged(unchosen('tnt_a'), { forecastDays: 400, fileDays: 30 }, at);
      if (first === undefined) throw new Error('nothing changes');
      expect(await retentions.change(first)).toBe(true);
      expect(await retentions.change(first)).toBe(false);
      expect(await retentions.find('tnt_a')).toEqual({ tenantId: 'tnt_a', version: 1, forecastDays: 400, fileDays: 30 });
      const second = retentionChanged(first.retention, { fileDays: null }, at);
      if (second === undefined) throw new Error('nothing changes');
      expect(await retentions.change(second)).toBe(true);
      expect(await retentions.find('tnt_a')).toEqual({ tenantId: 'tnt_a', version: 2, forecastDays: 400, fileDays: null });
      expect((await driver.published()).map(({ value }) => value)).toEqual([first.message.value, second.message.value]);
      expect(await driver.stores.tenants.find('tnt_a')).toMatchObject({ name: 'Acme', status: 'active' });
    });
  });
}
