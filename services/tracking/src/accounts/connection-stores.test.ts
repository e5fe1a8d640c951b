import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { type ConnectionWorld, openConnectionWorld } from '../testing/connection-world.ts';
import { NOW, storedConnectionOf } from '../testing/samples.ts';
import { blockCalls, EMPTY_LEDGER, registrationsOf, takeCall } from './domain/call-ledger.ts';
import type { StoredConnection } from './domain/connection.ts';

const stored = (given: Partial<StoredConnection> = {}) => storedConnectionOf({ connectionId: 'con_a', ...given });

describe('connections', () => {
  let connections: ConnectionWorld['store'];
  let ledgers: ConnectionWorld['ledgers'];
  let close: () => void;
  beforeEach(() => {
    ({ store: connections, ledgers, close } = openConnectionWorld());
  });
  afterEach(() => close());

  test('have an id that nobody else has, and are as many as an owner may have', async () => {
    expect(await connections.insert(stored(), 3)).toBe(true);
    expect(await connections.insert(stored({ tenantId: 'tnt_b' }), 3)).toBe(false);
    const inserts = ['con_b', 'con_c', 'con_d'].map((connectionId) => connections.insert(stored({ connectionId }), 3));
    expect((await Promise.all(inserts)).filter(Boolean)).toHaveLength(2);
    expect(await connections.list('tnt_a')).toHaveLength(3);
  });

  test('are replaced only as they were, and removed only by their owner, with what they have called', async () => {
    await connections.insert(stored(), 50);
    const sealed = stored({ sealedCredentials: 's1.k.BBBB', carriers: ['ups'], updatedAt: NOW + 1 });
    expect(await connections.replace(stored(), sealed)).toBe(true);
    expect(await connections.replace(stored(), stored({ updatedAt: NOW + 2 }))).toBe(false);
    expect(await connections.get('con_a')).toEqual(sealed);
    for (const id of ['con_a', registrationsOf('con_a')]) await ledgers.change(id, (ledger) => blockCalls(ledger, NOW + 1));
    for (const owner of ['tnt_b', null]) expect(await connections.remove(owner, 'con_a')).toBe(false);
    expect(await connections.remove('tnt_a', 'con_a')).toBe(true);
    expect(await connections.remove('tnt_a', 'con_a')).toBe(false);
    for (const id of ['con_a', registrationsOf('con_a')]) expect(await ledgers.read(id)).toEqual(EMPTY_LEDGER);
  });

  test('take no call beyond a limit, however many take at the same time', async () => {
    const limits = { requestsPerSecond: null, callsPerDay: 5 };
    const take = () => ledgers.take('con_a', (ledger) => takeCall(ledger, limits, { now: NOW, purpose: 'query', maxWaitMs: 0 }));
    const verdicts = await Promise.all(Array.from({ length: 12 }, take));
    expect(verdicts.filter(({ isGranted }) => isGranted)).toHaveLength(5);
    expect((await ledgers.read('con_a')).used).toBe(5);
  });
});
