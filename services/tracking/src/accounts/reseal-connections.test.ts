import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { type ConnectionWorld, openConnectionWorld, recordingLogger, secretOf } from '../testing/connection-world.ts';
import { connections } from './connection-collections.ts';
import { createResealing } from './reseal-connections.ts';

const dhl = { source: 'dhl', carriers: ['dhl'], credentials: { key: 's3cret-key', push_token: 's3cret-token' } };
const rotated = createTextSealer([secretOf('b'), secretOf('a')]);

let world: ConnectionWorld;
let log: string[];
beforeEach(() => {
  world = openConnectionWorld();
  log = [];
});
afterEach(() => world.close());

const reseal = (sealer = rotated): Promise<void> => createResealing({ store: world.store, sealer, logger: recordingLogger(log) }).start();
const stored = async () => (await world.store.find(connections.by.all, { eq: [], limit: 200 })).items.map(({ value }) => value);

test('after a rotation, the current secret alone opens the connections of all owners', async () => {
  for (let made = 0; made < 120; made += 1) await world.connections.create(`tnt_${made % 7}`, dhl);
  await world.connections.create(null, dhl);
  const [before] = await stored();
  await reseal();
  const alone = world.withSecrets(secretOf('b'));
  for (const owner of [null, 'tnt_0', 'tnt_6']) {
    expect((await alone.list(owner)).every(({ connection }) => connection.credentials['key'] === 's3cret-key')).toBe(true);
  }
  const [after] = await stored();
  expect([after?.updatedAt, after?.sealedCredentials === before?.sealedCredentials]).toEqual([before?.updatedAt, false]);
  expect(log.filter((line) => line.includes('"resealed":121'))).toHaveLength(1);
  log = [];
  await reseal();
  expect(log).toEqual([]);
});

test('one that was changed meanwhile, and one that no secret opens, stay as they are', async () => {
  const { connectionId } = (await world.connections.create('tnt_a', dhl)).connection;
  const lost = world.withSecrets(secretOf('z'));
  const unreadable = (await lost.create('tnt_b', dhl)).connection.connectionId;
  const before = await world.store.get(connections, [unreadable]);
  const { store } = world;
  const apply = store.apply.bind(store);
  jest.spyOn(store, 'apply').mockImplementationOnce(async (writes) => {
    await world.connections.change('tnt_a', connectionId, { credentials: { key: 'newer' } });
    return apply(writes);
  });
  await reseal();
  expect((await world.connections.byId(connectionId))?.credentials).toMatchObject({ key: 'newer' });
  expect(await store.get(connections, [unreadable])).toEqual(before);
  expect(log.at(-1)).toContain('{"resealed":0,"changed":1}');
  expect(log.join('')).not.toContain('s3cret');
});

test('without the former secret, one warning names what no secret opens and what to do, and nothing counts as sealed again', async () => {
  for (let made = 0; made < 25; made += 1) await world.connections.create('tnt_a', dhl);
  const [first] = await stored();
  await reseal(createTextSealer([secretOf('b')]));
  expect(log).toHaveLength(1);
  const [fields, , message] = JSON.parse(log[0] ?? '[]') as [Record<string, unknown>, string, string];
  expect(fields).toMatchObject({ unreadable: 25, reasons: [expect.stringMatching(/^The secret with the id .* is not set/)] });
  expect(fields['connections']).toHaveLength(20);
  expect(fields['connections']).toContain(`${first?.connectionId.slice(0, 10)}…`);
  expect(message).toContain('CREDENTIALS_SECRET_PREVIOUS');
  expect(log[0]).not.toContain(first?.connectionId);
});

test('of two processes that start at the same time, one seals a connection, and none finds it changed', async () => {
  for (let made = 0; made < 20; made += 1) await world.connections.create('tnt_a', dhl);
  await Promise.all([reseal(), reseal()]);
  expect((await stored()).every(({ sealedCredentials }) => rotated.isCurrent(sealedCredentials))).toBe(true);
  expect(log.length).toBeGreaterThan(0);
  for (const line of log) expect(line).toContain('"changed":0}');
});
