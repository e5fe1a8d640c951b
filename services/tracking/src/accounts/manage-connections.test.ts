import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_CONNECTIONS } from '@parcelway/contracts/carrier-connection-api';
import { type ConnectionWorld, openConnectionWorld, secretOf } from '../testing/connection-world.ts';
import { connectionOf, NOW } from '../testing/samples.ts';

const A = 'tnt_a';
const configured = connectionOf({ connectionId: 'configured', credentials: { key: 's3cret-configured' } });
const dhl = { source: 'dhl', carriers: ['DHL'], credentials: { key: 's3cret-key', push_token: 's3cret-token' } };
const missing = { code: '40403', message: 'The connection does not exist' };

let world: ConnectionWorld;
beforeEach(() => {
  world = openConnectionWorld([configured]);
});
afterEach(() => world.close());

/** What a tenant's parcels are asked with. */
const credentialsFor = async (tenantId: string, carrier: string) =>
  (await world.find.serving(tenantId, carrier)).map(({ credentials }) => credentials);

describe('a connection of a tenant', () => {
  test('has an id that nobody guesses, is asked before the operator’s, and shows no credential', async () => {
    expect(await credentialsFor(A, 'dhl')).toEqual([configured.credentials]);
    const created = await world.manager.create(A, dhl);
    expect(created).toEqual({
      connectionId: expect.stringMatching(/^con_[A-Za-z0-9_-]{24}$/),
      tenantId: A,
      source: 'dhl',
      baseUrl: null,
      carriers: ['dhl'],
      limits: null,
      credentialNames: ['key', 'push_token'],
      doesPush: true,
      isConfigured: false,
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect(await world.manager.get(A, created.connectionId)).toEqual(created);
    expect(await world.manager.list(A)).toEqual([created]);
    expect(await credentialsFor(A, 'dhl')).toEqual([dhl.credentials, configured.credentials]);
    expect(await credentialsFor('tnt_b', 'dhl')).toEqual([configured.credentials]);
  });

  test('is stored sealed, and is logged without its credentials', async () => {
    const { connectionId } = await world.manager.create(A, dhl);
    await world.manager.change(A, connectionId, { credentials: { push_token: 's3cret-new' } });
    await expect(world.manager.create(A, { ...dhl, credentials: { key: 's3cret-key', other: 's3cret' } })).rejects.toMatchObject({
      code: '42201',
      message: expect.not.stringContaining('s3cret'),
    });
    await world.withSecrets([secretOf('b')]).get(A, connectionId);
    await world.manager.remove(A, connectionId);
    expect(world.log.length).toBeGreaterThanOrEqual(4);
    expect(world.log.join('\n')).not.toContain('s3cret');
    expect(world.log.join('\n')).not.toContain(connectionId);
    expect(world.log.join('\n')).toContain(`"${connectionId.slice(0, 10)}…"`);
    const { connectionId: other } = await world.manager.create(A, dhl);
    expect(JSON.stringify(await world.store.get(other))).not.toContain('s3cret');
  });

  test.each([
    ['dhl', { key: 's3cret' }],
    ['ups', { client_id: 'a', client_secret: 's3cret' }],
  ])('of %s, which does not sign its pushes, has a token that proves them', async (source, credentials) => {
    const refused = { code: '42201', data: { errors: [expect.objectContaining({ field: 'credentials.push_token', rule: 'required' })] } };
    for (const owner of [A, null]) {
      await expect(world.manager.create(owner, { source, carriers: ['*'], credentials })).rejects.toMatchObject(refused);
    }
    const { connectionId } = await world.manager.create(A, { source, carriers: ['*'], credentials: { ...credentials, push_token: 't' } });
    await expect(world.manager.change(A, connectionId, { credentials: { push_token: null } })).rejects.toMatchObject(refused);
  });

  test('is nobody else’s', async () => {
    const { connectionId } = await world.manager.create(A, dhl);
    for (const owner of ['tnt_b', null]) {
      await expect(world.manager.get(owner, connectionId)).rejects.toMatchObject(missing);
      await expect(world.manager.change(owner, connectionId, { carriers: ['ups'] })).rejects.toMatchObject(missing);
      await expect(world.manager.test(owner, connectionId)).rejects.toMatchObject(missing);
      await expect(world.manager.remove(owner, connectionId)).rejects.toMatchObject(missing);
    }
    for (const id of [configured.connectionId, 'con_none']) await expect(world.manager.get(A, id)).rejects.toMatchObject(missing);
    expect(await world.manager.list('tnt_b')).toEqual([]);
  });

  test('calls the vendor’s own address alone', async () => {
    const url = 'http://169.254.169.254/{tracking_number}';
    await expect(world.manager.create(A, { source: 'generic', carriers: ['*'], credentials: { url } })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [expect.objectContaining({ field: 'source', rule: 'enum', message: expect.not.stringContaining('generic') })] },
    });
    for (const [field, value] of [
      ['base_url', 'http://169.254.169.254'],
      ['id', 'short'],
    ] as const) {
      await expect(world.manager.create(A, { ...dhl, [field]: value })).rejects.toMatchObject({
        data: { errors: [{ field, rule: 'unknown' }] },
      });
    }
    const { connectionId } = await world.manager.create(A, dhl);
    await expect(world.manager.change(A, connectionId, { base_url: 'http://169.254.169.254' })).rejects.toMatchObject({ code: '42201' });
  });

  test('is one of a limited number', async () => {
    for (let made = 0; made < MAX_CONNECTIONS; made += 1) await world.manager.create(A, dhl);
    await expect(world.manager.create(A, dhl)).rejects.toMatchObject({ code: '40902', message: expect.stringContaining('at most 50') });
    expect((await world.manager.create('tnt_b', dhl)).tenantId).toBe('tnt_b');
  });
});

describe('a change', () => {
  test('replaces what it names, and leaves two secrets of pushes valid until the former one is removed', async () => {
    const { connectionId } = await world.manager.create(A, dhl);
    expect(await credentialsFor(A, 'dhl')).toHaveLength(2);
    world.clock.advance(1000);
    const changed = await world.manager.change(A, connectionId, { carriers: ['ups'], credentials: { push_token: 'new' } });
    expect(changed).toMatchObject({
      carriers: ['ups'],
      credentialNames: ['key', 'previous_push_token', 'push_token'],
      createdAt: NOW,
      updatedAt: NOW + 1000,
    });
    // Seen at once, without waiting for what is remembered to expire.
    const rotating = { key: 's3cret-key', push_token: 'new', previous_push_token: 's3cret-token' };
    expect(await credentialsFor(A, 'ups')).toEqual([rotating, configured.credentials]);
    expect((await world.find.byId(connectionId))?.credentials).toEqual(rotating);
    await world.manager.change(A, connectionId, { credentials: { previous_push_token: null } });
    expect((await world.find.byId(connectionId))?.credentials).toEqual({ key: 's3cret-key', push_token: 'new' });
  });

  test('of limits replaces all of them; null brings back the standard ones', async () => {
    const limits = { calls_per_day: 5000, requests_per_second: 2 };
    const { connectionId, limits: granted } = await world.manager.create(A, { ...dhl, limits });
    expect(granted).toEqual(limits);
    expect(await world.manager.change(A, connectionId, { carriers: ['ups'] })).toMatchObject({ limits: granted });
    for (const changed of [{ calls_per_day: 100 }, null]) {
      expect((await world.manager.change(A, connectionId, { limits: changed })).limits).toEqual(changed);
      expect((await world.find.byId(connectionId))?.limits).toEqual(changed);
      expect((await world.withSecrets([secretOf('b')]).get(A, connectionId)).limits).toEqual(changed);
    }
  });

  test('that changes nothing writes nothing', async () => {
    const created = await world.manager.create(A, dhl);
    world.clock.advance(1000);
    const same = { carriers: ['dhl'], credentials: dhl.credentials, base_url: null };
    expect(await world.manager.change(A, created.connectionId, same)).toEqual(created);
  });

  test('does not undo another one at the same time', async () => {
    const { connectionId } = await world.manager.create(A, dhl);
    await Promise.all([
      world.manager.change(A, connectionId, { carriers: ['ups'] }),
      world.manager.change(A, connectionId, { credentials: { key: 'other' } }),
    ]);
    expect(await world.find.byId(connectionId)).toMatchObject({
      carriers: ['ups'],
      credentials: { key: 'other', push_token: 's3cret-token' },
    });
  });

  test('brings all credentials when the stored ones cannot be read any more', async () => {
    const { connectionId } = await world.manager.create(A, dhl);
    const later = world.withSecrets([secretOf('b')]);
    expect((await later.get(A, connectionId)).credentialNames).toEqual([]);
    expect(await later.test(A, connectionId)).toEqual({
      result: 'access_denied',
      message: expect.stringContaining('Send all of them again'),
    });
    await expect(later.change(A, connectionId, { carriers: ['ups'] })).rejects.toMatchObject({ code: '42201' });
    expect((await later.change(A, connectionId, { credentials: { key: 'k', push_token: 't' } })).credentialNames).toEqual([
      'key',
      'push_token',
    ]);
    expect(await later.test(A, connectionId)).toMatchObject({ result: 'works' });
  });
});

describe('a connection of the operator', () => {
  const generic = { id: 'own', source: 'generic', carriers: ['*'], credentials: { url: 'http://127.0.0.1/{tracking_number}' } };

  test('may have an id and an address', async () => {
    expect(await world.manager.create(null, { ...dhl, id: 'our-dhl', base_url: 'http://127.0.0.1:1' })).toMatchObject({
      connectionId: 'our-dhl',
      baseUrl: 'http://127.0.0.1:1',
    });
    expect(await world.manager.change(null, 'our-dhl', { base_url: null })).toMatchObject({ baseUrl: null });
    await world.manager.create(null, generic);
    expect((await world.manager.list(null)).map(({ connectionId, isConfigured }) => [connectionId, isConfigured])).toEqual([
      ['configured', true],
      ['our-dhl', false],
      ['own', false],
    ]);
    await expect(world.manager.create(null, generic)).rejects.toMatchObject({
      code: '40902',
      message: expect.stringContaining('own is in use'),
    });
  });

  test('with the id of a configured one is hidden by it and cannot be removed', async () => {
    const before = openConnectionWorld();
    await before.manager.create(null, { ...dhl, id: 'configured' });
    for (const stored of await before.store.list(null)) await world.store.insert(stored, 10);
    before.close();
    expect(await credentialsFor(A, 'dhl')).toEqual([configured.credentials]);
    expect(await world.find.byId('configured')).toBe(configured);
    expect(await world.manager.list(null)).toMatchObject([{ connectionId: 'configured', source: '17track' }]);
    await expect(world.manager.remove(null, 'configured')).rejects.toMatchObject({
      code: '40902',
      message: expect.stringMatching(/take it out of TRACKING_SOURCES, start .* again, and remove it then/),
    });
    expect(await world.store.get('configured')).toBeDefined();
  });

  test('of the configuration is read and tested, and says where it is changed', async () => {
    expect(await world.manager.get(null, 'configured')).toMatchObject({ isConfigured: true, credentialNames: ['key'], createdAt: null });
    expect(await world.manager.test(null, 'configured')).toMatchObject({ result: 'works' });
    expect(world.tested).toEqual([configured]);
    const refused = { code: '40902', message: expect.stringContaining('TRACKING_SOURCES') };
    await expect(world.manager.remove(null, 'configured')).rejects.toMatchObject(refused);
    await expect(world.manager.change(null, 'configured', { carriers: ['ups'] })).rejects.toMatchObject(refused);
    await expect(world.manager.create(null, { ...generic, id: 'configured' })).rejects.toMatchObject(refused);
  });
});
