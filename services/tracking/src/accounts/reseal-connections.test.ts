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

test('one that is changed meanwhile keeps the change', async () => {
  const { connectionId } = (await world.connections.create('tnt_a', dhl)).connection;
  const { store } = world;
  const apply = store.apply.bind(store);
  jest.spyOn(store, 'apply').mockImplementationOnce(async (writes) => {
    await world.connections.change('tnt_a', connectionId, { credentials: { key: 'newer' } });
    return apply(writes);
  });
  await reseal();
  expect((await world.withSecrets(secretOf('b')).get('tnt_a', connectionId)).connection.credentials).toMatchObject({ key: 'newer' });
  expect(log.join('')).not.toContain('s3cret');
});

test('what no secret opens stays as it is, and one warning names it and what to do', async () => {
  for (let made = 0; made < 25; made += 1) await world.connections.create('tnt_a', dhl);
  const [first, ...others] = await stored();
  await reseal(createTextSealer([secretOf('b')]));
  expect(await stored()).toEqual([first, ...others]);
  expect(log).toHaveLength(1);
  const [fields, , message] = JSON.parse(log[0] ?? '[]') as [Record<string, unknown>, string, string];
  expect(fields['unreadable']).toBe(25);
  expect(fields['connections']).toHaveLength(20);
  expect(fields['connections']).toContain(`${first?.connectionId.slice(0, 10)}…`);
  expect(message).toContain('CREDENTIALS_SECRET_PREVIOUS');
  expect(log[0]).not.toContain(first?.connectionId);
});
