import { beforeEach, describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import { type LogFields, silentLogger } from '@parcelway/kernel/logger';
import { createTextSealer } from '@parcelway/kernel/sealed-text';
import { connectionOf, storedConnectionOf } from '../testing/samples.ts';
import { type Connection, placeOf, type StoredConnection } from './domain/connection.ts';
import { createFindConnections, SEEN_WITHIN_MS } from './find-connections.ts';

const sealer = createTextSealer(['a-secret-of-the-installation-in-tests']);
const foreign = createTextSealer(['another-secret-of-an-installation-in-tests']);

function stored(connectionId: string, tenantId: string | null = 'tnt_a', { seal } = sealer): StoredConnection {
  const sealedCredentials = seal(`{"key":"key of ${connectionId}"}`, placeOf(connectionId));
  return storedConnectionOf({ connectionId, tenantId, sealedCredentials });
}

const configured = connectionOf({ connectionId: 'configured', source: 'ups', carriers: ['ups'], credentials: { client_id: 'c' } });

let clock: ManualClock;
let rows: StoredConnection[];
let reads: string[];
let failure: Error | undefined;
let logged: LogFields[];
beforeEach(() => {
  clock = new ManualClock(0);
  [rows, reads, failure, logged] = [[stored('own'), stored('operators', null), stored('other', 'tnt_b')], [], undefined, []];
});

function setUp() {
  const read = <T>(what: string, result: T): Promise<T> => {
    reads.push(what);
    return failure === undefined ? Promise.resolve(result) : Promise.reject(failure);
  };
  return createFindConnections({
    configured: [configured],
    store: {
      list: (tenantId) =>
        read(
          `of ${tenantId}`,
          rows.filter((row) => row.tenantId === tenantId),
        ),
      get: (id) =>
        read(
          id,
          rows.find(({ connectionId }) => connectionId === id),
        ),
    },
    sealer,
    clock,
    logger: { ...silentLogger, error: (fields) => void logged.push(fields) },
  });
}

const idsOf = (connections: readonly Connection[]): string[] => connections.map(({ connectionId }) => connectionId);

describe('looking up connections', () => {
  test('finds those of the tenant, of the configuration, and of the operator', async () => {
    const find = setUp();
    expect(idsOf(await find.serving('tnt_a', 'UPS'))).toEqual(['own', 'configured', 'operators']);
    expect(idsOf(await find.serving('tnt_c', 'dhl'))).toEqual(['operators']);
    expect(idsOf(await find.ofOwner(null))).toEqual(['configured', 'operators']);
    expect(await find.ofOwner('tnt_b')).toMatchObject([{ connectionId: 'other', credentials: { key: 'key of other' } }]);
  });

  test('finds one by its id: that of the configuration without a look into the store', async () => {
    const find = setUp();
    expect(await find.byId('configured')).toBe(configured);
    expect(reads).toEqual([]);
    expect(await find.byId('own')).toMatchObject({ tenantId: 'tnt_a', credentials: { key: 'key of own' } });
    expect(await find.byId('nobody')).toBeUndefined();
  });

  test('is shared and remembered for a short time, also where nothing was found', async () => {
    const find = setUp();
    const look = () => Promise.all([find.serving('tnt_a', 'ups'), find.serving('tnt_a', 'dhl'), find.byId('nobody')]);
    await Promise.all([look(), look()]);
    clock.advance(SEEN_WITHIN_MS - 1);
    await look();
    expect(reads).toEqual(['of tnt_a', 'of null', 'nobody']);
    clock.advance(1);
    await look();
    expect(reads).toHaveLength(6);
  });

  test('sees a change of this process at once', async () => {
    const find = setUp();
    await Promise.all([find.ofOwner('tnt_a'), find.byId('new'), find.ofOwner('tnt_b')]);
    rows.push(stored('new'));
    expect(idsOf(await find.ofOwner('tnt_a'))).toEqual(['own']);
    find.forget('tnt_a', 'new');
    expect(idsOf(await find.ofOwner('tnt_a'))).toEqual(['own', 'new']);
    expect(await find.byId('new')).toMatchObject({ connectionId: 'new' });
    expect(reads.filter((what) => what === 'of tnt_b')).toHaveLength(1);
  });

  test('remembers no failure', async () => {
    const find = setUp();
    failure = AppError.unavailable('the store is out');
    const both = await Promise.allSettled([find.serving('tnt_a', 'ups'), find.byId('own')]);
    for (const outcome of both) expect(outcome).toMatchObject({ status: 'rejected', reason: { code: '50301' } });
    failure = undefined;
    expect(idsOf(await find.serving('tnt_a', 'ups'))).toEqual(['own', 'configured', 'operators']);
    expect(await find.byId('own')).toBeDefined();
  });

  test('leaves out one whose seal is of another secret or place, and says so in the log', async () => {
    const moved = { ...stored('from'), connectionId: 'to' };
    rows = [stored('foreign', 'tnt_a', foreign), moved, { ...stored('broken'), sealedCredentials: '' }, stored('own')];
    const find = setUp();
    expect(idsOf(await find.ofOwner('tnt_a'))).toEqual(['own']);
    expect(await find.byId('foreign')).toBeUndefined();
    expect(logged.map(({ connection_id }) => connection_id)).toEqual(['foreign', 'to', 'broken', 'foreign']);
    expect(String(logged[0]?.['err'])).not.toContain('key of');
  });
});
