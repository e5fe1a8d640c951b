import { describe, expect, test } from '@jest/globals';
import { MAX_KEYS_PER_TENANT } from '@parcelway/contracts/key-api';
import { tenantScopes } from '@parcelway/contracts/scopes';
import { hashKey } from '../proxy/domain/api-key.ts';
import { addWarehouse } from '../tenants/warehouses.ts';
import { ADDRESS, DAY, setUpOwnKeys as setUp } from '../testing/own-keys.ts';
import { NOW } from '../testing/set-up-stores.ts';
import { issueKey, revokeKey } from './manage-keys.ts';
import { type KeyCaller, OwnKeys } from './own-keys.ts';

describe('a key created by a tenant', () => {
  test('has the scopes and the rate limit of the calling one, without the right to make keys', async () => {
    const { keys, issue, by } = await setUp();
    const caller = await issue(by.tenantId, { scopes: ['files:write', 'keys:manage'], rateLimit: { perSecond: 1, burst: 2 } });
    const { record, key } = await keys.create(caller, { description: 'ERP' }, undefined);
    expect(record).toMatchObject({
      scopes: ['files:write'],
      rateLimit: { perSecond: 1, burst: 2 },
      createdBy: caller.keyId,
      expiresAt: null,
      hash: hashKey(key),
    });
    const asked = { description: 'x', scopes: ['keys:manage'], expiresAt: NOW + 5, allowedAddresses: [ADDRESS] } as const;
    expect((await keys.create(caller, asked, undefined)).record).toMatchObject({ scopes: ['keys:manage'], expiresAt: NOW + 5 });
    expect((await keys.create(caller, { description: 'x', expiresInSeconds: 5 }, undefined)).record.expiresAt).toBe(NOW + 5000);
  });

  test('never has a scope that the calling one lacks, nor a past expiry, and all faults come at once', async () => {
    const { keys, by } = await setUp(['files:write', 'keys:manage']);
    const wrong = { description: 'x', scopes: ['tracking:read', 'files:write', 'weighing:read'] as const, expiresAt: NOW };
    await expect(keys.create(by, wrong, undefined)).rejects.toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'scopes[0]' }, { field: 'scopes[2]' }, { field: 'expires_at' }] },
    });
  });

  test('is the same for the same seed, and does not follow from the seed alone', async () => {
    const { keys, options, by, stores } = await setUp();
    const first = await keys.create(by, { description: 'ERP' }, 'seed');
    expect(await keys.create(by, { description: 'ERP' }, 'seed')).toEqual(first);
    expect((await keys.create(by, { description: 'ERP' }, 'seed 2')).key).not.toBe(first.key);
    expect((await stores.keys.list({ tenantId: by.tenantId }, 10)).records).toHaveLength(3);
    const elsewhere = new OwnKeys({ ...options, fileSecrets: ['another secret'], onChanged: () => undefined });
    await expect(elsewhere.create(by, { description: 'ERP' }, 'seed')).rejects.toThrow();
  });

  test(`is one of at most ${MAX_KEYS_PER_TENANT} that work; dead ones do not count`, async () => {
    const { keys, by, issue, options } = await setUp();
    const last = await issue(by.tenantId);
    for (let count = 2; count < MAX_KEYS_PER_TENANT; count += 1) await issue(by.tenantId);
    await expect(keys.create(by, { description: 'x' }, undefined)).rejects.toMatchObject({
      code: '40902',
      message: 'A tenant has at most 100 working keys; revoke one that is no longer used first',
    });
    await expect(keys.rotate(by, by.keyId, DAY, undefined)).rejects.toMatchObject({ code: '40902' });
    expect((await keys.rotate(by, last.keyId, 0, undefined)).record.rotatedFrom).toBe(last.keyId);
    const [some] = (await keys.list(by, 100, undefined)).records.filter(({ keyId, expiresAt }) => keyId !== by.keyId && expiresAt === null);
    await revokeKey(options, String(some?.keyId));
    await keys.create(by, { description: 'x' }, undefined);
  });
});

describe('a calling key', () => {
  test('that has died or lost the right since it was looked up is refused', async () => {
    const { keys, by, clock, stores, issue } = await setUp();
    const ended = await issue(by.tenantId, { expiresInSeconds: 1 });
    clock.advance(1000);
    await expect(keys.create(ended, { description: 'x' }, undefined)).rejects.toMatchObject({ code: '40003' });
    const former = await keys.get(by, by.keyId);
    await stores.keys.change({ ...former, scopes: ['files:write'], version: 1 });
    for (const call of [
      keys.create(by, { description: 'x' }, undefined),
      keys.change(by, ended.keyId, { description: 'x' }),
      keys.rotate(by, by.keyId, DAY, undefined),
      keys.revoke(by, ended.keyId),
    ])
      await expect(call).rejects.toMatchObject({ code: '40301' });
  });

  test('reaches no key of another tenant or of a warehouse', async () => {
    const { keys, by, stranger, options } = await setUp();
    await addWarehouse(options, { code: 'W1', name: 'One' });
    const { record } = await issueKey(options, { holder: { kind: 'warehouse', warehouseCode: 'W1' } });
    for (const keyId of [stranger.keyId, record.keyId, 'key_none']) {
      for (const call of [
        keys.get(by, keyId),
        keys.change(by, keyId, { description: 'x' }),
        keys.rotate(by, keyId, DAY, undefined),
        keys.revoke(by, keyId),
      ])
        await expect(call).rejects.toMatchObject({ code: '40403', message: 'The key does not exist' });
    }
    expect((await keys.list(by, 10, undefined)).records.map(({ keyId }) => keyId)).toEqual([by.keyId]);
  });
});

describe('a change', () => {
  test('sets what is given, and is announced', async () => {
    const { keys, by, changed } = await setUp();
    const { record } = await keys.create(by, { description: 'ERP', expiresInSeconds: 60 }, undefined);
    const given = { description: 'Other', expiresAt: null, scopes: ['files:write'], allowedAddresses: ['10.0.0.0/8'] } as const;
    expect(await keys.change(by, record.keyId, given)).toEqual({ ...record, ...given, version: 1 });
    expect(await keys.change(by, record.keyId, { expiresAt: NOW + 9 })).toEqual({ ...record, ...given, expiresAt: NOW + 9, version: 2 });
    expect(changed).toEqual([record.keyId, record.keyId]);
  });

  test('never adds scopes, and revives nothing', async () => {
    const { keys, by, clock, changed } = await setUp();
    const { record } = await keys.create(by, { description: 'ERP', scopes: ['files:write'], expiresInSeconds: 60 }, undefined);
    const grown = keys.change(by, record.keyId, { scopes: ['files:write', 'tracking:read'], expiresAt: NOW });
    await expect(grown).rejects.toMatchObject({ code: '42201', data: { errors: [{ field: 'scopes[1]' }, { field: 'expires_at' }] } });
    clock.advance(60_000);
    await expect(keys.change(by, record.keyId, { expiresAt: null })).rejects.toMatchObject({ code: '40902' });
    expect(changed).toEqual([]);
  });

  test('of its own addresses must leave the caller in; another key may shut it out', async () => {
    const { keys, by, issue } = await setUp();
    const elsewhere = { allowedAddresses: ['198.51.100.0/24'] };
    await expect(keys.change(by, by.keyId, elsewhere)).rejects.toMatchObject({
      code: '42201',
      data: { errors: [{ field: 'allowed_addresses', rule: 'own_address' }] },
    });
    await keys.change(by, by.keyId, { allowedAddresses: ['192.0.2.0/24'] });
    await keys.change(await issue(by.tenantId), by.keyId, elsewhere);
  });

  test('that takes its own right to manage keys needs another key that has it', async () => {
    const { keys, by, issue } = await setUp();
    await expect(keys.change(by, by.keyId, { scopes: ['files:write'] })).rejects.toMatchObject({ code: '40902' });
    await issue(by.tenantId, { scopes: ['files:write'] });
    await expect(keys.change(by, by.keyId, { scopes: ['files:write'] })).rejects.toMatchObject({ code: '40902' });
    await issue(by.tenantId);
    expect(await keys.change(by, by.keyId, { scopes: ['files:write'] })).toMatchObject({ scopes: ['files:write'] });
  });
});

describe('of several keys that manage keys, at the same time', () => {
  type Ending = (keys: OwnKeys, by: KeyCaller, other: KeyCaller) => Promise<unknown>;
  test.each<[string, Ending]>([
    ['revoke themselves', (keys, by) => keys.revoke(by, by.keyId)],
    ['drop the scope', (keys, by) => keys.change(by, by.keyId, { scopes: ['files:write'] })],
    ['end themselves', (keys, by) => keys.change(by, by.keyId, { expiresAt: NOW + 1 })],
    ['revoke each other', (keys, by, other) => keys.revoke(by, other.keyId)],
    ['end each other', (keys, by, other) => keys.change(by, other.keyId, { expiresAt: NOW + 1 })],
  ])('one is left when they %s', async (_what, end) => {
    const { keys, by, stores, issue } = await setUp();
    const all = [by, ...(await Promise.all(Array.from({ length: 7 }, () => issue(by.tenantId))))];
    const ended = await Promise.allSettled(all.map((one, index) => end(keys, one, all[(index + 1) % all.length] as KeyCaller)));
    const managers = (await stores.keys.alive(by.tenantId, NOW + 1, 10)).filter(({ scopes }) => scopes.includes('keys:manage'));
    expect(managers.length).toBeGreaterThan(0);
    for (const one of ended.filter(({ status }) => status === 'rejected')) {
      expect(['40902', '40003']).toContain((one as PromiseRejectedResult).reason.code);
    }
  });
});

describe('a rotation', () => {
  test('of the calling key itself makes one like it, and leaves both for the overlap', async () => {
    const { keys, by, changed } = await setUp();
    const { record, former, key } = await keys.rotate(by, by.keyId, DAY, undefined);
    expect(record).toMatchObject({ scopes: tenantScopes, rotatedFrom: by.keyId, createdBy: by.keyId, hash: hashKey(key), expiresAt: null });
    expect(former).toMatchObject({ rotatedTo: record.keyId, expiresAt: NOW + DAY * 1000 });
    expect(await keys.get(by, by.keyId)).toEqual(former);
    expect(changed).toEqual([by.keyId]);
    await expect(keys.rotate(by, by.keyId, DAY, undefined)).rejects.toMatchObject({
      code: '40902',
      message: expect.stringContaining(record.keyId),
    });
  });

  test('of a key with more scopes than the calling one is refused', async () => {
    const { keys, by, issue } = await setUp();
    const weak = await issue(by.tenantId, { scopes: ['files:write', 'keys:manage'] });
    await expect(keys.rotate(weak, by.keyId, DAY, undefined)).rejects.toMatchObject({
      code: '40301',
      message: expect.stringContaining('forecasts:write'),
    });
    expect((await keys.rotate(by, weak.keyId, DAY, undefined)).record.scopes).toEqual(['files:write', 'keys:manage']);
  });

  test('of a key with a higher rate limit than the calling one is refused', async () => {
    const { keys, by, issue } = await setUp();
    const slow = await issue(by.tenantId, { rateLimit: { perSecond: 1, burst: 2 } });
    await expect(keys.rotate(slow, by.keyId, DAY, undefined)).rejects.toMatchObject({ code: '40301' });
    expect((await keys.rotate(slow, slow.keyId, DAY, undefined)).record.rateLimit).toEqual({ perSecond: 1, burst: 2 });
    expect((await keys.rotate(by, (await issue(by.tenantId)).keyId, DAY, undefined)).record.rateLimit).toBeNull();
  });
});
