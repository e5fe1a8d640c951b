import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { type ConnectionWorld, openConnectionWorld, recordingLogger } from '../testing/connection-world.ts';
import type { Connection } from './domain/connection.ts';
import { createFindConnections } from './find-connections.ts';
import { warnOfHiddenConnections } from './hidden-connections.ts';

/** In the store first, and then in the configuration, too. */
const configured: Connection = {
  connectionId: 'both',
  tenantId: null,
  source: 'dhl',
  baseUrl: null,
  limits: null,
  carriers: ['*'],
  credentials: { key: 's3cret-configured' },
};
const other: Connection = { ...configured, connectionId: 'configured' };

let world: ConnectionWorld;
let log: string[];
beforeEach(async () => {
  log = [];
  world = openConnectionWorld([configured, other]);
  const before = openConnectionWorld();
  await before.manager.create(null, { id: 'both', source: '17track', carriers: ['*'], credentials: { key: 's3cret-stored' } });
  await before.manager.create(null, { id: 'stored', source: '17track', carriers: ['*'], credentials: { key: 's3cret-stored' } });
  for (const connection of await before.store.list(null)) await world.store.insert(connection, 10);
  before.close();
});
afterEach(() => world.close());

const ids = (connections: readonly { readonly connectionId: string; readonly source: string }[]): string[] =>
  connections.map(({ connectionId, source }) => `${connectionId} ${source}`);

test('of two connections with one id, the configured one alone is used and listed', async () => {
  const expected = ['both dhl', 'configured dhl', 'stored 17track'];
  expect(ids(await world.find.serving('tnt_a', 'ups'))).toEqual(expected);
  expect(ids(await world.manager.list(null))).toEqual(expected);
  expect(await world.find.byId('both')).toBe(configured);
});

test('the one in the store is not removed unnoticed: the message says how', async () => {
  await expect(world.manager.remove(null, 'both')).rejects.toMatchObject({
    code: '40902',
    message: expect.stringMatching(/take it out of TRACKING_SOURCES, start .* again, and remove it then/),
  });
  await expect(world.manager.remove(null, 'configured')).rejects.toMatchObject({ message: expect.stringContaining('change it there') });
  expect(await world.store.get('both')).toBeDefined();
  const { store, clock } = world;
  const find = createFindConnections({
    configured: [],
    store,
    sealer: createTextSealer(['a'.repeat(40)]),
    clock,
    logger: recordingLogger(log),
  });
  expect(ids(await find.ofOwner(null))).toEqual(['both 17track', 'stored 17track']);
});

test('one warning after a start names them', async () => {
  const warn = (all: readonly Connection[]) =>
    warnOfHiddenConnections({ configured: all, store: world.store, logger: recordingLogger(log) });
  await warn([other]);
  expect(log).toEqual([]);
  await warn([configured, other]);
  expect(log).toEqual([expect.stringMatching(/"connections":\["both"\].*TRACKING_SOURCES are used/)]);
  expect(log[0]).not.toContain('s3cret');
});
