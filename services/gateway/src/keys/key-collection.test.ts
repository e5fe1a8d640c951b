import { beforeEach, describe, expect, test } from '@jest/globals';
import type { EncodedMessage } from '@parcelway/contracts/encode-event';
import { ManualClock } from '@parcelway/kernel/clock';
import { cleanUpSteps } from '@parcelway/platform/policies/clean-up';
import type { KeyRecord } from '../proxy/domain/key.ts';
import { tenants } from '../tenants/tenants.ts';
import { sampleKey } from '../testing/sample-key.ts';
import { setUpStores } from '../testing/set-up-stores.ts';
import { DEAD_LINKS_KEPT_MS, keys as keyCollection } from './key-collection.ts';

const keyOf = (keyId: string, given: Partial<KeyRecord> = {}): KeyRecord => sampleKey({ keyId, ...given });
const tenantHolder = { kind: 'tenant', tenantId: 'tnt_a' } as const;
const warehouseHolder = { kind: 'warehouse', warehouseCode: 'W1' } as const;
const news = (value: string): EncodedMessage => ({ topic: 't', key: 'k', value });
const idsOf = (keys: readonly KeyRecord[]): string[] => keys.map(({ keyId }) => keyId);

let stores: ReturnType<typeof setUpStores>['stores'];
beforeEach(async () => {
  ({ stores } = setUpStores());
  await addTenant('tnt_a');
});
const addTenant = (tenantId: string) =>
  stores.store.apply([{ in: tenants, insert: { tenantId, name: tenantId, status: 'active', createdAt: 1000 } }]);
const published = () => stores.outbox.lease(100);
const cleanUp = async (now: number): Promise<void> => {
  for (const step of cleanUpSteps([keyCollection], stores.store, new ManualClock(now))) while (await step.run());
};

/** Keeps keys with these settings: `key_1`, `key_2` and so on. */
async function add(...given: readonly Partial<KeyRecord>[]): Promise<void> {
  for (const [index, one] of given.entries()) await stores.keys.add(keyOf(`key_${index + 1}`, one));
}
const ofTenant = (tenantId: string) => ({ holder: { kind: 'tenant', tenantId } }) as const;

describe('keys that a tenant manages', () => {
  const NOW = 5000;

  test('are counted by the store as long as they work, each tenant by itself', async () => {
    await addTenant('tnt_b');
    const dead = [{ expiresAt: NOW }, { revokedAt: 1000 }, { revokedAt: 1000, expiresAt: NOW + 1 }];
    const others = [ofTenant('tnt_b'), { holder: warehouseHolder }];
    await add({}, { expiresAt: NOW + 1 }, ...dead, ...others);
    expect(idsOf(await stores.keys.alive('tnt_a', NOW, 10)).sort()).toEqual(['key_1', 'key_2']);
    expect(await stores.keys.alive('tnt_a', NOW, 1)).toHaveLength(1);
    expect(await stores.keys.alive('none', NOW, 10)).toEqual([]);
    expect(await stores.keys.addWithin(keyOf('key_8'), 2, NOW)).toBe(false);
    expect(await stores.keys.find('key_8')).toBeUndefined();
    expect(await stores.keys.addWithin(keyOf('key_8'), 3, NOW)).toBe(true);
    expect(await stores.keys.find('key_8')).toEqual(keyOf('key_8'));
  });

  test('say when they were created, the newest first, also when they work no more', async () => {
    await addTenant('tnt_b');
    const [first, revoked, expired] = [{ createdAt: 3000 }, { createdAt: 4000, revokedAt: 4500 }, { createdAt: 3500, expiresAt: 3600 }];
    await add(first, revoked, expired, { createdAt: 4000 }, { createdAt: 4000, ...ofTenant('tnt_b') });
    expect(await stores.keys.createdAfter('tnt_a', 2999, 10)).toEqual([4000, 4000, 3500, 3000]);
    expect(await stores.keys.createdAfter('tnt_a', 3000, 10)).toEqual([4000, 4000, 3500]);
    expect(await stores.keys.createdAfter('tnt_a', 0, 3)).toEqual([4000, 4000, 3500]);
    expect(await stores.keys.createdAfter('none', 0, 10)).toEqual([]);
  });

  test('are apart from those of links, in every count', async () => {
    const link = { expiresAt: NOW + 10, isLink: true } as const;
    await addTenant('tnt_b');
    const dead = [{ expiresAt: NOW }, { expiresAt: NOW - 1, revokedAt: NOW - 2 }, { revokedAt: 1000 }];
    await add({}, link, { ...link, expiresAt: NOW + 5 }, ...dead.map((one) => ({ ...link, ...one })), { ...link, ...ofTenant('tnt_b') });
    expect(idsOf(await stores.keys.alive('tnt_a', NOW, 10))).toEqual(['key_1']);
    expect(await stores.keys.createdAfter('tnt_a', 0, 10)).toEqual([1000]);
    expect(idsOf(await stores.keys.alive('tnt_a', NOW, 10, 'link'))).toEqual(['key_3', 'key_2']);
    expect(idsOf(await stores.keys.alive('tnt_a', NOW, 1, 'link'))).toEqual(['key_3']);
    expect(await stores.keys.find('key_2')).toEqual(keyOf('key_2', link));
    expect(await stores.keys.addWithin(keyOf('key_8'), 2, NOW)).toBe(true);
    expect(await stores.keys.addWithin(keyOf('key_9', link), 2, NOW)).toBe(false);
    expect(await stores.keys.addWithin(keyOf('key_9', link), 3, NOW)).toBe(true);
    await cleanUp(NOW + DEAD_LINKS_KEPT_MS);
    expect(await stores.keys.find('key_5')).toBeUndefined();
    expect(await stores.keys.find('key_4')).toBeDefined();
    await cleanUp(NOW + 11 + DEAD_LINKS_KEPT_MS);
    expect(idsOf((await stores.keys.list({}, 10)).records).sort()).toEqual(['key_1', 'key_8']);
  });

  test('of links take no revocation with them that waits to be published', async () => {
    await stores.keys.add(keyOf('key_1', { expiresAt: NOW + 10, isLink: true }));
    await stores.keys.revoke('key_1', NOW, news('revoked'));
    await cleanUp(NOW + 11 + DEAD_LINKS_KEPT_MS);
    expect((await published()).map(({ value }) => value)).toContain('revoked');
  });

  test('change from one version to the next, while they are not revoked', async () => {
    const settings = { scopes: ['files:write'], description: 'other', expiresAt: 9000, allowedAddresses: ['10.0.0.0/8'] } as const;
    await stores.keys.add(keyOf('key_1'));
    const changed = keyOf('key_1', { ...settings, version: 1 });
    expect(await stores.keys.change(changed)).toBe(true);
    expect(await stores.keys.find('key_1')).toEqual(changed);
    expect(await stores.keys.change(changed)).toBe(false);
    const both = ['a', 'b'].map((description) => stores.keys.change({ ...changed, description, expiresAt: null, version: 2 }));
    expect((await Promise.all(both)).filter(Boolean)).toHaveLength(1);
    expect(await stores.keys.find('key_1')).toMatchObject({ version: 2, expiresAt: null });
    await stores.keys.revoke('key_1', NOW, news('revoked'));
    expect(await stores.keys.change({ ...changed, version: 3 })).toBe(false);
    expect(await stores.keys.change(keyOf('none', { version: 1 }))).toBe(false);
  });

  test.each<KeyRecord['holder']>([tenantHolder, warehouseHolder])(
    'of a $kind are replaced by another in one step, once',
    async (holder) => {
      const former = keyOf('key_1', { holder, expiresAt: 9000, rotatedTo: 'key_2', version: 1 });
      const successor = keyOf('key_2', { holder, createdAt: NOW, rotatedFrom: 'key_1' });
      await stores.keys.add(keyOf('key_1', { holder }));
      expect(await stores.keys.rotate(former, successor)).toBe(true);
      expect([await stores.keys.find('key_1'), await stores.keys.find('key_2')]).toEqual([former, successor]);
      expect(await stores.keys.rotate({ ...former, rotatedTo: 'key_3' }, keyOf('key_3', { holder }))).toBe(false);
      expect(await stores.keys.find('key_3')).toBeUndefined();
      expect(await stores.keys.find('key_1')).toEqual(former);
    },
  );

  test('are deleted some time after they have died, and others stay', async () => {
    await add({ revokedAt: NOW - 1 }, { expiresAt: NOW - 1 }, { revokedAt: NOW }, { expiresAt: NOW }, {});
    await cleanUp(NOW + 400 * 86_400_000);
    expect(idsOf((await stores.keys.list({}, 10)).records).sort()).toEqual(['key_3', 'key_4', 'key_5']);
  });
});

test('a revocation is published once, however many revoke at the same time', async () => {
  await add({});
  const all = await Promise.all([1, 2, 3, 4].map((at) => stores.keys.revoke('key_1', at, news(`at ${at}`))));
  expect(new Set(all.map((key) => key?.revokedAt)).size).toBe(1);
  expect(await published()).toMatchObject([news(`at ${all[0]?.revokedAt}`)]);
});

test('lists of keys have pages, newest first, for each filter, and nothing of another holder', async () => {
  const holders: KeyRecord['holder'][] = [tenantHolder, warehouseHolder, { kind: 'tenant', tenantId: 'tnt_b' }];
  for (let at = 0; at < 4; at += 1)
    for (const [no, holder] of holders.entries()) await stores.keys.add(keyOf(`key_${at}${no}`, { createdAt: 2000 + at, holder }));
  const idsIn = async (filter: Parameters<typeof stores.keys.list>[0]) => {
    const first = await stores.keys.list(filter, 3);
    const rest = first.next === null ? [] : (await stores.keys.list(filter, 100, first.next)).records;
    return idsOf([...first.records, ...rest]);
  };
  expect(await idsIn({})).toHaveLength(12);
  expect(await idsIn({ tenantId: 'tnt_a' })).toEqual(['key_30', 'key_20', 'key_10', 'key_00']);
  expect(await idsIn({ warehouseCode: 'W1' })).toEqual(['key_31', 'key_21', 'key_11', 'key_01']);
  expect(await idsIn({ tenantId: 'tnt_a', warehouseCode: 'W1' })).toEqual([]);
});
