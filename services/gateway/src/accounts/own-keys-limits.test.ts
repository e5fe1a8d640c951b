import { describe, expect, test } from '@jest/globals';
import { DAY, NOW, setUpOwnKeys as setUp } from '../testing/own-keys.ts';
import { revokeKey } from './manage-keys.ts';

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

describe('the last key that manages keys', () => {
  test('does not end its own life within a day', async () => {
    const { keys, by, issue } = await setUp();
    const soon = { expiresAt: NOW + DAY * 1000 - 1 };
    await issue(by.tenantId, { expiresInSeconds: DAY });
    await expect(keys.change(by, by.keyId, soon)).rejects.toMatchObject({
      code: '40902',
      message: expect.stringContaining('lock you out'),
    });
    expect(await keys.change(by, by.keyId, { expiresAt: NOW + DAY * 1000 + 1 })).toMatchObject({ expiresAt: NOW + DAY * 1000 + 1 });
    await issue(by.tenantId, { expiresInSeconds: DAY + 1 });
    expect(await keys.change(by, by.keyId, soon)).toMatchObject(soon);
  });

  test('is the last one also when others expire within a day', async () => {
    const { keys, by, issue } = await setUp();
    await issue(by.tenantId, { expiresInSeconds: DAY });
    await expect(keys.revoke(by, by.keyId)).rejects.toMatchObject({ code: '40902' });
    await expect(keys.change(by, by.keyId, { scopes: ['files:write'] })).rejects.toMatchObject({ code: '40902' });
    await issue(by.tenantId, { expiresInSeconds: DAY + 1 });
    expect(await keys.revoke(by, by.keyId)).toMatchObject({ record: { revokedAt: NOW } });
  });
});

describe('a change of a key that can do more than the calling one', () => {
  async function setUpWeak() {
    const { keys, by, issue } = await setUp();
    const weak = await issue(by.tenantId, { scopes: ['files:write', 'keys:manage'] });
    const strong = await issue(by.tenantId, { expiresInSeconds: 60, allowedAddresses: ['10.0.0.0/8'] });
    return { keys, by, weak, strong };
  }

  test.each([
    { expiresAt: null },
    { expiresAt: NOW + 60_001 },
    { allowedAddresses: [] },
    { allowedAddresses: ['10.0.0.0/8', '192.0.2.1'] },
    { description: 'mine' },
    { scopes: ['files:write'], expiresAt: null },
  ] as const)('does not loosen it: %p', async (changes) => {
    const { keys, by, weak, strong } = await setUpWeak();
    const before = await keys.get(by, strong.keyId);
    await expect(keys.change(weak, strong.keyId, changes)).rejects.toMatchObject({
      code: '40301',
      message: expect.stringContaining('forecasts:write'),
    });
    expect(await keys.get(by, strong.keyId)).toEqual(before);
    expect(await keys.change(by, strong.keyId, changes)).toMatchObject(changes);
  });

  test('may tighten it', async () => {
    const { keys, weak, strong } = await setUpWeak();
    const changes = { scopes: ['files:write'], expiresAt: NOW + 9, allowedAddresses: ['10.1.0.0/16'] } as const;
    expect(await keys.change(weak, strong.keyId, changes)).toMatchObject(changes);
  });
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
