import { describe, expect, test } from '@jest/globals';
import { DAY, setUpOwnKeys as setUp } from '../testing/own-keys.ts';
import { NOW } from '../testing/set-up-stores.ts';
import { issueKey, revokeKey } from './manage-keys.ts';

test('a tenant creates and rotates 200 keys a day at most, also when it revokes them; the operator is not limited', async () => {
  const { keys, by, issue, clock, options } = await setUp();
  clock.advance(1000);
  const seeded = await keys.create(by, { description: 'x' }, 'seed');
  // The first of the day is the calling one.
  for (let count = 2; count < 200; count += 1) {
    const { record } = await keys.create(by, { description: 'x' }, undefined);
    await revokeKey(options, record.keyId);
  }
  const refusal = { code: '40902', message: expect.stringContaining('possible at 1970-01-02T00:16:40.000+00:00') };
  await expect(keys.create(by, { description: 'x' }, undefined)).rejects.toMatchObject(refusal);
  await expect(keys.rotate(by, by.keyId, DAY, undefined)).rejects.toMatchObject(refusal);
  // What was made already is no further one.
  expect(await keys.create(by, { description: 'x' }, 'seed')).toEqual(seeded);
  clock.advance(DAY * 1000 - 1001);
  await expect(keys.create(by, { description: 'x' }, undefined)).rejects.toMatchObject(refusal);
  clock.advance(1);
  await keys.create(by, { description: 'x' }, undefined);
  await expect(keys.create(by, { description: 'x' }, undefined)).rejects.toMatchObject({ code: '40902' });
  await issue(by.tenantId);
});

describe('a key that ends at once', () => {
  /** A thief with a key that manages keys has used up what the tenant may create today. */
  async function setUpUsedUp() {
    const { keys, by, issue, options } = await setUp();
    const stolen = await issue(by.tenantId);
    for (let count = 2; count < 200; count += 1) {
      const { record } = await keys.create(stolen, { description: 'x' }, undefined);
      if (count > 97) await revokeKey(options, record.keyId);
    }
    return { keys, by, stolen, issue };
  }

  test('is replaced whatever was created today, and however many keys work', async () => {
    const { keys, by, stolen, issue } = await setUpUsedUp();
    for (let count = 0; count < 5; count += 1) await issue(by.tenantId);
    await expect(keys.create(by, { description: 'x' }, undefined)).rejects.toMatchObject({ code: '40902' });
    await expect(keys.rotate(by, stolen.keyId, 60, undefined)).rejects.toMatchObject({ code: '40902' });
    expect(await keys.rotate(by, stolen.keyId, 0, undefined)).toMatchObject({ former: { expiresAt: NOW } });
  });

  test('is replaced so three times a day, with those that it replaces', async () => {
    const { keys, by, stolen } = await setUpUsedUp();
    let { keyId } = stolen;
    for (let times = 0; times < 3; times += 1) ({ keyId } = (await keys.rotate(by, keyId, 0, undefined)).record);
    await expect(keys.rotate(by, keyId, 0, undefined)).rejects.toMatchObject({
      code: '40902',
      message: expect.stringContaining('24 hours'),
    });
    expect(await keys.rotate(by, by.keyId, 0, undefined)).toMatchObject({ former: { keyId: by.keyId } });
  });
});

describe('links of the operator', () => {
  test('take no room of the keys, and only so many work at once', async () => {
    const { keys, by, options, clock } = await setUp();
    const holder = { kind: 'tenant', tenantId: by.tenantId } as const;
    const link = (expiresInSeconds = 120) =>
      issueKey(options, { holder, scopes: ['weighing:read'], expiresInSeconds, description: 'Link', isLink: true });
    const first = await link(60);
    for (let count = 1; count < 100; count += 1) await link();
    const refusal = { code: '40902', message: expect.stringContaining('possible at 1970-01-01T00:17:40.000+00:00') };
    await expect(link()).rejects.toMatchObject(refusal);
    const { record } = await keys.create(by, { description: 'x' }, undefined);
    await keys.rotate(by, by.keyId, DAY, undefined);
    await keys.rotate(by, record.keyId, 0, undefined);
    await keys.revoke(by, first.record.keyId);
    await link();
    clock.advance(120_000);
    // Long after the hundred of the first minutes: the number of keys a day does not count them.
    for (let count = 0; count < 101; count += 1) {
      await link();
      if (count === 99) clock.advance(120_000);
    }
    await keys.create(by, { description: 'x' }, undefined);
  });

  test('have keys that can only be revoked', async () => {
    const { keys, by, options } = await setUp();
    const holder = { kind: 'tenant', tenantId: by.tenantId } as const;
    const given = { holder, scopes: ['weighing:read'], expiresInSeconds: 60, isLink: true } as const;
    const { keyId } = (await issueKey(options, given)).record;
    const refusal = { code: '40902', message: expect.stringContaining('only be revoked') };
    await expect(keys.rotate(by, keyId, 0, undefined)).rejects.toMatchObject(refusal);
    await expect(keys.change(by, keyId, { expiresAt: null })).rejects.toMatchObject(refusal);
    expect(await keys.revoke(by, keyId)).toMatchObject({ record: { revokedAt: NOW } });
  });
});

test('a key that can do more than the calling one is not loosened by it', async () => {
  const { keys, by, issue } = await setUp();
  const weak = await issue(by.tenantId, { scopes: ['files:write', 'keys:manage'] });
  const strong = await issue(by.tenantId, { expiresInSeconds: 60, allowedAddresses: ['10.0.0.0/8'] });
  const changes = { scopes: ['files:write'], expiresAt: null } as const;
  const before = await keys.get(by, strong.keyId);
  await expect(keys.change(weak, strong.keyId, changes)).rejects.toMatchObject({
    code: '40301',
    message: expect.stringContaining('forecasts:write'),
  });
  expect(await keys.get(by, strong.keyId)).toEqual(before);
  expect(await keys.change(weak, strong.keyId, { expiresAt: NOW + 5 })).toMatchObject({ expiresAt: NOW + 5 });
  expect(await keys.change(by, strong.keyId, changes)).toMatchObject(changes);
});

test('a key that was rotated cannot be made to work longer', async () => {
  const { keys, by, issue } = await setUp();
  const former = await issue(by.tenantId);
  const { record } = await keys.rotate(by, former.keyId, DAY, undefined);
  for (const expiresAt of [null, NOW + DAY * 1000 + 1]) {
    await expect(keys.change(by, former.keyId, { expiresAt })).rejects.toMatchObject({
      code: '40902',
      message: expect.stringContaining(record.keyId),
    });
  }
  for (const sooner of [DAY * 1000, 5]) {
    expect(await keys.change(by, former.keyId, { expiresAt: NOW + sooner, description: 'x' })).toMatchObject({ expiresAt: NOW + sooner });
  }
});
