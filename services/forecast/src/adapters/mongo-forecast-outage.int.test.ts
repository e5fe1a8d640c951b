import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { decodeEvent } from '@parcelway/contracts/encode-event';
import { TcpLink } from '@parcelway/harness/tcp-link';
import { silentLogger } from '@parcelway/kernel/logger';
import { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { ARRIVAL, collections, type Replica, replicaOver, submission, TENANT, takeWaiting } from '../testing/mongo-replica.ts';

let opened: TestDatabase;
let other: Replica;
beforeAll(async () => {
  opened = await openTestDatabase(collections);
  other = replicaOver(opened.database);
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

const typesPublished = async (): Promise<string[]> => (await takeWaiting(opened.database)).map(({ value }) => decodeEvent(value).type);

describe('a process that MongoDB', () => {
  let link: TcpLink;
  let database: MongoDatabase;
  let cut: Replica;
  beforeEach(async () => {
    const { hostname: host, port } = new URL(process.env['MONGODB_URL'] as string);
    link = await TcpLink.open(() => ({ host, port: Number(port) }));
    const url = `mongodb://127.0.0.1:${link.port}/?directConnection=true`;
    database = new MongoDatabase({ url, name: opened.database.connection.name, logger: silentLogger });
    await database.connect();
    cut = replicaOver(database);
    // Whatever it needs to begin with: a block of ids, and connections for a read and a write at once.
    await cut.submit(TENANT, submission('PO-0', 'ZERO'));
  });
  afterEach(async () => {
    await database.close();
    await link.close();
  });

  test('that does not respond after an insert fails the call; the next attempt on any replica finds what was written', async () => {
    link.loseResponses();
    await expect(cut.submit(TENANT, submission('PO-1', 'AAAA'))).rejects.toMatchObject({ code: '50301' });
    expect(await other.submit(TENANT, submission('PO-1', 'AAAA'))).toMatchObject({ replayed: true });
    expect(await typesPublished()).toEqual(['forecast.accepted', 'forecast.accepted']);
  });

  test('that does not respond after a change fails the call; the redelivered event finds it applied', async () => {
    const { forecastNo } = await other.submit(TENANT, submission('PO-1'));
    const arrival = { tenantId: TENANT, forecastNo, eventId: 'e1', fact: ARRIVAL } as const;
    const wanted = [{ key: forecastNo, tenantId: TENANT, forecastNo, eventIds: ['e1'], withContent: false }];
    const lost = cut.writer.change(wanted, ([known]) => {
      link.loseResponses();
      const applied = [{ eventId: 'e1', type: 'warehouse.arrived' }];
      const releases = { poNumber: false, claims: false };
      if (known === undefined) throw new Error('There is no such forecast');
      const { progress } = known.record;
      return { writes: [{ known, updatedAt: 1, state: { status: 2, progress }, releases, applied, messages: [] }] };
    });
    await expect(lost).rejects.toMatchObject({ code: '50301' });
    expect(await other.store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ status: 2, updatedAt: 1 });
    await other.apply([arrival]);
    expect(await other.store.findByPoNumber(TENANT, 'PO-1')).toMatchObject({ status: 2, updatedAt: 1 });
  });

  test('cannot be reached by refuses everything with 50301', async () => {
    await link.close();
    const { store, submit, cancel, apply } = cut;
    const calls = [
      store.check(),
      store.findByPoNumber(TENANT, 'PO'),
      store.readContent(TENANT, 'F1'),
      store.list(TENANT, { walk: { by: 'all' }, limit: 1 }),
      submit(TENANT, submission('PO')),
      cancel(TENANT, 'PO'),
      apply([{ tenantId: TENANT, forecastNo: 'F1', eventId: 'e1', fact: ARRIVAL }]),
    ];
    expect((await Promise.allSettled(calls)).map((result) => result.status === 'rejected' && result.reason.code)).toEqual(
      calls.map(() => '50301'),
    );
  });
});
