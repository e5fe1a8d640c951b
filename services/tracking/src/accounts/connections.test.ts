import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { MAX_CONNECTIONS } from '@parcelway/contracts/carrier-connection-api';
import { AppError } from '@parcelway/kernel/app-error';
import { type ConnectionWorld, openConnectionWorld, secretOf } from '../testing/connection-world.ts';
import { connectionOf, NOW } from '../testing/samples.ts';
import { connections } from './connection-collections.ts';
import { SEEN_WITHIN_MS } from './connections.ts';
import { blockCalls, EMPTY_LEDGER, takeCall } from './domain/call-ledger.ts';

const A = 'tnt_a';
const configured = connectionOf({ connectionId: 'configured', credentials: { key: 's3cret-configured' } });
const dhl = { source: 'dhl', carriers: ['DHL'], credentials: { key: 's3cret-key', push_token: 's3cret-token' } };
const missing = { code: '40403', message: 'The connection does not exist' };

let world: ConnectionWorld;
beforeEach(() => {
  world = openConnectionWorld([configured]);
});
afterEach(() => world.close());

const created = async (...given: Parameters<ConnectionWorld['connections']['create']>) =>
  (await world.connections.create(...given)).connection;
/** What a tenant's parcels are asked with. */
const credentialsFor = async (tenantId: string, carrier: string) =>
  (await world.connections.serving(tenantId, carrier)).map(({ credentials }) => credentials);

describe('a connection of a tenant', () => {
  test('has an id that nobody guesses, and is asked before the operator’s', async () => {
    expect(await credentialsFor(A, 'dhl')).toEqual([configured.credentials]);
    const created = await world.connections.create(A, dhl);
    expect(created).toEqual({
      connection: {
        connectionId: expect.stringMatching(/^con_[A-Za-z0-9_-]{24}$/),
        tenantId: A,
        source: 'dhl',
        baseUrl: null,
        carriers: ['dhl'],
        limits: null,
        credentials: dhl.credentials,
      },
      createdAt: NOW,
      updatedAt: NOW,
    });
    expect(await world.connections.get(A, created.connection.connectionId)).toEqual(created);
    expect(await world.connections.list(A)).toEqual([created]);
    expect(await credentialsFor(A, 'dhl')).toEqual([dhl.credentials, configured.credentials]);
    expect(await credentialsFor('tnt_b', 'dhl')).toEqual([configured.credentials]);
  });

  test('is stored sealed, and is logged without its credentials', async () => {
    const { connectionId } = await created(A, dhl);
    await world.connections.change(A, connectionId, { credentials: { push_token: 's3cret-new' } });
    await expect(world.connections.create(A, { ...dhl, credentials: { key: 's3cret-key', other: 's3cret' } })).rejects.toMatchObject({
      code: '42201',
      message: expect.not.stringContaining('s3cret'),
    });
    await world.withSecrets(secretOf('b')).get(A, connectionId);
    await world.connections.remove(A, connectionId);
    expect(world.log.length).toBeGreaterThanOrEqual(4);
    expect(world.log.join('\n')).not.toContain('s3cret');
    expect(world.log.join('\n')).not.toContain(connectionId);
    expect(world.log.join('\n')).toContain(`"${connectionId.slice(0, 10)}…"`);
    const { connectionId: other } = await created(A, dhl);
    expect(JSON.stringify(await world.store.get(connections, [other]))).not.toContain('s3cret');
  });

  test.each([
    ['dhl', { key: 's3cret' }],
    ['ups', { client_id: 'a', client_secret: 's3cret' }],
  ])('of %s, which does not sign its pushes, has a token that proves them', async (source, credentials) => {
    const refused = { code: '42201', data: { errors: [expect.objectContaining({ field: 'credentials.push_token', rule: 'required' })] } };
    for (const owner of [A, null]) {
      await expect(world.connections.create(owner, { source, carriers: ['*'], credentials })).rejects.toMatchObject(refused);
    }
    const { connectionId } = await created(A, { source, carriers: ['*'], credentials: { ...credentials, push_token: 't' } });
    await expect(world.connections.change(A, connectionId, { credentials: { push_token: null } })).rejects.toMatchObject(refused);
  });

  test('is nobody else’s', async () => {
    const { connectionId } = await created(A, dhl);
    for (const owner of ['tnt_b', null]) {
      await expect(world.connections.get(owner, connectionId)).rejects.toMatchObject(missing);
      await expect(world.connections.change(owner, connectionId, { carriers: ['ups'] })).rejects.toMatchObject(missing);
      await expect(world.connections.remove(owner, connectionId)).rejects.toMatchObject(missing);
    }
    for (const id of [configured.connectionId, 'con_none']) await expect(world.connections.get(A, id)).rejects.toMatchObject(missing);
    expect(await world.connections.list('tnt_b')).toEqual([]);
  });

  test('calls the vendor’s own address alone', async () => {
    const url = 'http://169.254.169.254/{tracking_number}';
    await expect(world.connections.create(A, { source: 'generic', carriers: ['*'], credentials: { url } })).rejects.toMatchObject({
      code: '42201',
      data: { errors: [expect.objectContaining({ field: 'source', rule: 'enum', message: expect.not.stringContaining('generic') })] },
    });
    for (const [field, value] of [
      ['base_url', 'http://169.254.169.254'],
      ['id', 'short'],
    ] as const) {
      await expect(world.connections.create(A, { ...dhl, [field]: value })).rejects.toMatchObject({
        data: { errors: [{ field, rule: 'unknown' }] },
      });
    }
    const { connectionId } = await created(A, dhl);
    await expect(world.connections.change(A, connectionId, { base_url: 'http://169.254.169.254' })).rejects.toMatchObject({
      code: '42201',
    });
  });

  test('is created once when its request is repeated, and never for another tenant', async () => {
    const [first, again] = [await created(A, dhl, 'seed'), await created(A, dhl, 'seed')];
    expect(again).toEqual(first);
    expect(await world.connections.list(A)).toHaveLength(1);
    await expect(created('tnt_b', dhl, 'seed')).rejects.toMatchObject({ code: '40902' });
  });

  test('is one of a limited number', async () => {
    for (let made = 0; made < MAX_CONNECTIONS; made += 1) await world.connections.create(A, dhl);
    await expect(world.connections.create(A, dhl)).rejects.toMatchObject({ code: '40902', message: expect.stringContaining('at most 50') });
    expect((await created('tnt_b', dhl)).tenantId).toBe('tnt_b');
    for (const { connection } of (await world.connections.list(A)).slice(0, 2)) await world.connections.remove(A, connection.connectionId);
    const atOnce = await Promise.allSettled([1, 2, 3].map(() => world.connections.create(A, dhl)));
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(2);
  });
});

describe('a change', () => {
  test('replaces what it names, and leaves two secrets of pushes valid until the former one is removed', async () => {
    const { connectionId } = await created(A, dhl);
    expect(await credentialsFor(A, 'dhl')).toHaveLength(2);
    world.clock.advance(1000);
    const changed = await world.connections.change(A, connectionId, { carriers: ['ups'], credentials: { push_token: 'new' } });
    const rotating = { key: 's3cret-key', push_token: 'new', previous_push_token: 's3cret-token' };
    const times = { createdAt: NOW, updatedAt: NOW + 1000 };
    expect(changed).toMatchObject({ connection: { carriers: ['ups'], credentials: rotating }, ...times });
    // Seen at once, without waiting for what is remembered to expire.
    expect(await credentialsFor(A, 'ups')).toEqual([rotating, configured.credentials]);
    expect((await world.connections.byId(connectionId))?.credentials).toEqual(rotating);
    await world.connections.change(A, connectionId, { credentials: { previous_push_token: null } });
    expect((await world.connections.byId(connectionId))?.credentials).toEqual({ key: 's3cret-key', push_token: 'new' });
  });

  test('of limits replaces all of them; null brings back the standard ones', async () => {
    const limits = { calls_per_day: 5000, requests_per_second: 2 };
    const { connectionId, limits: granted } = await created(A, { ...dhl, limits });
    expect(granted).toEqual(limits);
    const changed = async (patch: Parameters<ConnectionWorld['connections']['change']>[2]) =>
      (await world.connections.change(A, connectionId, patch)).connection.limits;
    expect(await changed({ carriers: ['ups'] })).toEqual(granted);
    for (const given of [{ calls_per_day: 100 }, null]) {
      expect(await changed({ limits: given })).toEqual(given);
      expect((await world.connections.byId(connectionId))?.limits).toEqual(given);
      expect((await world.withSecrets(secretOf('b')).get(A, connectionId)).connection.limits).toEqual(given);
    }
  });

  test('that changes nothing writes nothing', async () => {
    const before = await world.connections.create(A, { ...dhl, limits: { calls_per_day: 5 } });
    world.clock.advance(1000);
    const same = { carriers: ['dhl'], credentials: dhl.credentials, base_url: null };
    expect(await world.connections.change(A, before.connection.connectionId, same)).toEqual(before);
  });

  test('does not undo another one at the same time', async () => {
    const { connectionId } = await created(A, dhl);
    await Promise.all([
      world.connections.change(A, connectionId, { carriers: ['ups'] }),
      world.connections.change(A, connectionId, { credentials: { key: 'other' } }),
    ]);
    expect(await world.connections.byId(connectionId)).toMatchObject({
      carriers: ['ups'],
      credentials: { key: 'other', push_token: 's3cret-token' },
    });
  });

  test('brings all credentials when the stored ones cannot be read any more', async () => {
    const { connectionId } = await created(A, dhl);
    const later = world.withSecrets(secretOf('b'));
    expect((await later.get(A, connectionId)).connection.credentials).toEqual({});
    await expect(later.change(A, connectionId, { carriers: ['ups'] })).rejects.toMatchObject({ code: '42201' });
    const credentials = { key: 'k', push_token: 't' };
    expect((await later.change(A, connectionId, { credentials })).connection.credentials).toEqual(credentials);
  });
});

describe('a connection of the operator', () => {
  const generic = { id: 'own', source: 'generic', carriers: ['*'], credentials: { url: 'http://127.0.0.1/{tracking_number}' } };

  test('may have an id and an address', async () => {
    const moved = { connectionId: 'our-dhl', baseUrl: 'http://127.0.0.1:1' };
    expect(await created(null, { ...dhl, id: 'our-dhl', base_url: 'http://127.0.0.1:1' })).toMatchObject(moved);
    expect(await world.connections.change(null, 'our-dhl', { base_url: null })).toMatchObject({ connection: { baseUrl: null } });
    await world.connections.create(null, generic);
    const listed = await world.connections.list(null);
    const ids = listed.map(({ connection, createdAt }) => [connection.connectionId, createdAt]);
    expect(ids).toEqual([
      ['configured', null],
      ['our-dhl', NOW],
      ['own', NOW],
    ]);
    const inUse = { code: '40902', message: expect.stringContaining('own is in use') };
    await expect(world.connections.create(null, generic)).rejects.toMatchObject(inUse);
  });

  test('with the id of a configured one is hidden by it and cannot be removed', async () => {
    const before = openConnectionWorld();
    await before.connections.create(null, { ...dhl, id: 'configured' });
    const stored = await before.store.get(connections, ['configured']);
    if (stored) await world.store.apply([{ in: connections, insert: stored.value }]);
    before.close();
    expect(await credentialsFor(A, 'dhl')).toEqual([configured.credentials]);
    expect(await world.connections.byId('configured')).toBe(configured);
    expect(await world.connections.list(null)).toMatchObject([{ connection: { connectionId: 'configured', source: '17track' } }]);
    await expect(world.connections.remove(null, 'configured')).rejects.toMatchObject({
      code: '40902',
      message: expect.stringMatching(/take it out of TRACKING_SOURCES, start .* again, and remove it then/),
    });
    expect(await world.store.get(connections, ['configured'])).toBeDefined();
  });

  test('of the configuration is read, and says where it is changed', async () => {
    expect(await world.connections.get(null, 'configured')).toEqual({ connection: configured, createdAt: null, updatedAt: null });
    const refused = { code: '40902', message: expect.stringContaining('TRACKING_SOURCES') };
    await expect(world.connections.remove(null, 'configured')).rejects.toMatchObject(refused);
    await expect(world.connections.change(null, 'configured', { carriers: ['ups'] })).rejects.toMatchObject(refused);
    await expect(world.connections.create(null, { ...generic, id: 'configured' })).rejects.toMatchObject(refused);
  });
});

test('what a connection has called goes with it', async () => {
  const { connectionId } = await created(A, dhl);
  await world.ledgers.change(connectionId, (ledger) => blockCalls(ledger, NOW + 1));
  await world.connections.remove(A, connectionId);
  expect(await world.ledgers.read(connectionId)).toEqual(EMPTY_LEDGER);
});

test('no call is made beyond a limit, however many are taken at the same time', async () => {
  const limits = { requestsPerSecond: null, callsPerDay: 5 };
  const take = () =>
    world.ledgers.take('con_a', (ledger) => takeCall(ledger, limits, { kind: 'query', now: NOW, purpose: 'query', maxWaitMs: 0 }));
  const verdicts = await Promise.all(Array.from({ length: 12 }, take));
  expect(verdicts.filter(({ isGranted }) => isGranted)).toHaveLength(5);
  expect((await world.ledgers.read('con_a')).used).toBe(5);
});

describe('looking up connections', () => {
  let reads: jest.SpiedFunction<ConnectionWorld['store']['find' | 'get']>[];
  beforeEach(() => {
    reads = [jest.spyOn(world.store, 'find'), jest.spyOn(world.store, 'get')] as typeof reads;
  });
  const readTimes = (): number => reads.reduce((sum, { mock }) => sum + mock.calls.length, 0);

  test('is shared and remembered for a short time, also where nothing was found', async () => {
    const { connections: all } = world;
    const look = () => Promise.all([all.serving(A, 'ups'), all.serving(A, 'dhl'), all.byId('nobody'), all.byId('configured')]);
    await Promise.all([look(), look()]);
    world.clock.advance(SEEN_WITHIN_MS - 1);
    await look();
    expect(readTimes()).toBe(3);
    world.clock.advance(1);
    await look();
    expect(readTimes()).toBe(6);
  });

  test('remembers no failure', async () => {
    for (const read of reads) read.mockRejectedValueOnce(AppError.unavailable('The store is out'));
    const both = await Promise.allSettled([world.connections.ofOwner(A), world.connections.byId('own')]);
    for (const outcome of both) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '50301' } });
    expect([await world.connections.ofOwner(A), await world.connections.byId('own')]).toEqual([[], undefined]);
  });

  test('leaves out one whose seal is of another secret or place, and says so in the log', async () => {
    const { connectionId: own } = await created(A, dhl);
    const { connectionId: foreign } = (await world.withSecrets(secretOf('b')).create(A, dhl)).connection;
    const { value } = (await world.store.get(connections, [own])) ?? {};
    if (value) await world.store.apply([{ in: connections, insert: { ...value, connectionId: 'moved', slot: 9 } }]);
    expect((await world.connections.ofOwner(A)).map(({ connectionId }) => connectionId)).toEqual([own]);
    expect([await world.connections.byId(foreign), await world.connections.byId('moved')]).toEqual([undefined, undefined]);
    expect(world.log.filter((line) => line.includes('cannot be opened'))).toHaveLength(4);
  });
});
