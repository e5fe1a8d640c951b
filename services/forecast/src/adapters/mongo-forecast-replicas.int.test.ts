import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { decodeEvent, type EncodedMessage } from '@parcelway/contracts/encode-event';
import { collectionScansOf, startProfile } from '@parcelway/mongo/testing/mongo-profile';
import { broadcastsOf } from '@parcelway/mongo/testing/mongo-targeting';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import { listed } from '../testing/listed.ts';
import { ARRIVAL, collections, REPORT, type Replica, replicaOver, submission, TENANT, takeWaiting } from '../testing/mongo-replica.ts';
import { contentWith } from '../testing/store-under-test.ts';

let opened: TestDatabase;
let replicas: readonly Replica[];
beforeAll(async () => {
  opened = await openTestDatabase(collections);
  replicas = [opened.database, await opened.second(), await opened.second()].map(replicaOver);
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

/** Runs `count` jobs at once, taking turns on the replicas. */
function together<T>(count: number, job: (replica: Replica, index: number) => Promise<T>): Promise<PromiseSettledResult<T>[]> {
  return Promise.allSettled(Array.from({ length: count }, (_, index) => job(replicas[index % replicas.length] as Replica, index)));
}

const fulfilled = <T>(results: readonly PromiseSettledResult<T>[]): T[] =>
  results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
const refusals = (results: readonly PromiseSettledResult<unknown>[]): unknown[] =>
  results.flatMap((result) => (result.status === 'rejected' ? [result.reason.code ?? result.reason] : []));

const published = (): Promise<readonly EncodedMessage[]> => takeWaiting(opened.database);
const typesPublished = async (): Promise<string[]> => (await published()).map(({ value }) => decodeEvent(value).type);

const replica = (): Replica => replicas[0] as Replica;

describe('submissions that come to a process together', () => {
  test('have outcomes of their own', async () => {
    await replica().submit(TENANT, submission('PO-0', 'HELD'));
    const given = [
      submission('PO-0', 'HELD'),
      submission('PO-1'),
      submission('PO-2', 'HELD'),
      submission('PO-1'),
      submission('PO-3', 'FREE'),
    ];
    const results = await Promise.allSettled(given.map((one) => replica().submit(TENANT, one)));
    const outcomes = results.map((one) => (one.status === 'fulfilled' ? one.value.replayed : one.reason.code));
    expect(outcomes).toEqual([true, false, '42202', true, false]);
    const found = await listed(replica().store, {}, { tenantId: TENANT });
    expect(new Set(found.map(({ poNumber }) => poNumber))).toEqual(new Set(['PO-0', 'PO-1', 'PO-3']));
  });
});

describe('several processes', () => {
  test('make one forecast of the same submission, and give all senders its number', async () => {
    const acceptances = await together(60, (one) => one.submit(TENANT, submission('PO', 'AAAA', 'BBBB')));
    expect(refusals(acceptances)).toEqual([]);
    expect(new Set(fulfilled(acceptances).map(({ forecastNo }) => forecastNo)).size).toBe(1);
    expect(fulfilled(acceptances).filter(({ replayed }) => !replayed)).toHaveLength(1);
    expect(await listed(replica().store, {}, { tenantId: TENANT })).toHaveLength(1);
    expect(await typesPublished()).toEqual(['forecast.accepted']);
  });

  test('are not misled by a po_number that reads like what the server says of a violated index', async () => {
    for (const poNumber of ['index: _id_ dup key: { }', 'an index: _id_ of mine']) {
      const { forecastNo } = await replica().submit(TENANT, submission(poNumber));
      expect(await replica().submit(TENANT, submission(poNumber))).toMatchObject({ forecastNo, replayed: true });
    }
  });

  test('let one of several forecasts have a tracking number, and refuse the others', async () => {
    for (let round = 0; round < 10; round += 1) {
      const own = (index: number) => [`OWN-${round}-${index}`, `SHARED-${round}`, `OTHER-${round}-${index}`];
      const results = await together(6, (one, index) => one.submit(TENANT, submission(`PO-${round}-${index}`, ...own(index))));
      expect(fulfilled(results)).toHaveLength(1);
      for (const result of results) {
        if (result.status === 'fulfilled') continue;
        const data = { tracking_numbers: [`SHARED${round}`], fields: ['items[1].tracking_number'] };
        expect(result.reason).toMatchObject({ code: '42202', data });
      }
    }
    expect(await listed(replica().store, {}, { tenantId: TENANT })).toHaveLength(10);
  });

  test('never leave two rivals without any winner when each wants what the other has', async () => {
    for (let round = 0; round < 10; round += 1) {
      const numbers = [`LEFT-${round}`, `RIGHT-${round}`];
      const results = await together(2, (one, index) =>
        one.submit(TENANT, submission(`PO-${round}-${index}`, ...(index === 0 ? numbers : [...numbers].reverse()))),
      );
      expect(fulfilled(results)).toHaveLength(1);
      expect(refusals(results)).toEqual(['42202']);
    }
  });

  test('accept the largest forecasts, many at a time', async () => {
    const numbers = (index: number) => Array.from({ length: 2000 }, (_, item) => `T${index}X${String(item).padStart(4, '0')}`);
    const results = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) => replica().submit(TENANT, submission(`PO-${index}`, ...numbers(index)))),
    );
    expect(refusals(results)).toEqual([]);
  });

  test('apply every event exactly once, however many come at once and however often', async () => {
    const { forecastNo } = await replica().submit(TENANT, submission('PO'));
    const events = 50;
    const results = await together(events + 10, (one, index) =>
      one.apply([
        {
          tenantId: TENANT,
          forecastNo,
          eventId: `event ${index % events}`,
          fact: {
            step: 'warehouse.weighed',
            report: REPORT,
            measurement: {
              lengthCm: 1,
              widthCm: 1,
              heightCm: 1,
              weightKg: index % events,
              weighedAt: '2026-11-21T12:00:00Z',
              weighedAtMs: index,
              reportedBy: REPORT,
            },
            photos: [],
          },
        },
      ]),
    );
    expect(refusals(results)).toEqual([]);
    const found = await replica().store.findByPoNumber(TENANT, 'PO');
    const weights = found?.progress.measurements.map(({ weightKg }) => weightKg).sort((a, b) => a - b);
    expect(weights).toEqual(Array.from({ length: events }, (_, index) => index));
    expect((await typesPublished()).filter((type) => type === 'parcel.weighed')).toHaveLength(events);
  });

  test('cancel once, and give the numbers to whoever comes next', async () => {
    for (let round = 0; round < 10; round += 1) {
      await replica().submit(TENANT, submission('PO', 'AAAA'));
      const cancelled = together(3, (one) => one.cancel(TENANT, 'PO'));
      const again = together(3, (one) => one.submit(TENANT, submission('PO', 'AAAA')));
      expect(refusals(await again)).toEqual([]);
      // A cancellation that comes after the new submission cancels that one.
      expect(refusals(await cancelled)).toEqual([]);
      const live = await replica().store.findByPoNumber(TENANT, 'PO');
      if (live?.status !== 7) await replica().cancel(TENANT, 'PO');
      const free = await replica().submit(TENANT, submission('OTHER', 'AAAA'));
      expect(free.replayed).toBe(false);
      await replica().cancel(TENANT, 'OTHER');
    }
    const all = await listed(replica().store, { poNumber: 'PO' }, { tenantId: TENANT });
    expect(all.every(({ status }) => status === 7)).toBe(true);
    const types = await typesPublished();
    expect(types.filter((type) => type === 'forecast.cancelled')).toHaveLength(types.length / 2);
  });

  test('correct before the arrival, each correction whole and once, or not at all', async () => {
    let corrected = 0;
    for (let round = 0; round < 10; round += 1) {
      const poNumber = `PO-${round}`;
      const { forecastNo } = await replica().submit(TENANT, submission(poNumber, 'AAAA'));
      const correct = (one: Replica, index: number) => {
        const { items } = submission(poNumber, `R${round}N${index}`);
        const body = { due_date: `2030-01-0${index + 1}`, carton_count: index + 1, items };
        return one.correct({ tenantId: TENANT, poNumber, body, ifMatch: undefined, keyId: 'key_1', seed: undefined });
      };
      const arrive = (one: Replica) => one.apply([{ tenantId: TENANT, forecastNo, eventId: 'e1', fact: ARRIVAL }]);
      const [corrections] = await Promise.all([together(6, correct), together(3, arrive)]);
      const made = fulfilled(corrections).length;
      expect(refusals(corrections)).toEqual(Array(6 - made).fill('40902'));
      corrected += made;
      const found = await replica().store.readByPoNumber(TENANT, poNumber);
      expect(found?.record).toMatchObject({ status: 2, contentVersion: 1 + made });
      expect(found?.corrections.map(({ version }) => version)).toEqual(Array.from({ length: made }, (_, index) => index + 2));
      const { carton_count: cartons = 0, due_date: dueDate, items } = found?.content ?? contentWith('');
      if (made > 0) expect([dueDate, items[0]?.tracking_number]).toEqual([`2030-01-0${cartons}`, `R${round}N${cartons - 1}`]);
      else expect(items[0]?.tracking_number).toBe('AAAA');
      // So that the next round may have the numbers.
      await replica().apply([{ tenantId: TENANT, forecastNo, eventId: 'end', fact: { step: 'tracking.ended', trackingNumber: 'T1' } }]);
    }
    const events = (await published()).map(({ value }) => decodeEvent(value)).filter(({ type }) => type === 'forecast.corrected');
    const versions = events.map(({ subject, data }) => `${subject} ${(data as { readonly version: number }).version}`);
    expect([versions.length, new Set(versions).size]).toEqual([corrected, corrected]);
  });

  test('show the last of the cancelled forecasts, whichever process gave it which id', async () => {
    let last = '';
    for (let round = 0; round < 6; round += 1) {
      const one = replicas[(2 * round) % 3] as Replica;
      last = (await one.submit(TENANT, submission('PO'))).forecastNo;
      await one.cancel(TENANT, 'PO');
      expect((await replica().store.findByPoNumber(TENANT, 'PO'))?.forecastNo).toBe(last);
    }
  });
});

describe('the store', () => {
  test('reads by its indexes alone, and on the shard of the tenant, but for scans of any tenant', async () => {
    await startProfile(opened.database);
    const { store } = replica();
    for (let n = 0; n < 40; n += 1) {
      const { forecastNo } = await replica().submit(TENANT, submission(`PO-${n}`, `N${n}AA`));
      const scanned = { ...REPORT, expressNo: `N${n}AA` };
      await replica().apply([{ tenantId: TENANT, forecastNo, eventId: `e${n}`, fact: { step: 'warehouse.arrived', report: scanned } }]);
      if (n % 4 === 0)
        await replica().apply([{ tenantId: TENANT, forecastNo, eventId: 'c', fact: { step: 'warehouse.put-away', report: REPORT } }]);
    }
    for (const filters of [
      {},
      { status: 2 },
      { poNumber: 'PO-1' },
      { poPrefix: 'PO-3' },
      { trackingNumber: 'N3AA' },
      { updatedFrom: 1 },
    ] as const)
      for (const limit of [2, 100]) expect((await listed(store, filters, { tenantId: TENANT, limit })).length).toBeGreaterThan(0);
    const numbers = ['N1AA', 'N2AA', 'NONE'];
    expect(await store.findHeldNumbers(TENANT, numbers, undefined)).toEqual(['N1AA', 'N2AA']);
    expect(await store.findScannedElsewhere('other', 'WH1', numbers, 0)).toEqual(['N1AA', 'N2AA']);
    expect((await store.findByPoNumbers(TENANT, ['PO-1', 'PO-2', 'NONE'])).size).toBe(2);
    expect([await store.countOf(TENANT, 2, 100), await store.lastChange(TENANT)]).toEqual([40, expect.any(Number)]);
    expect(await collectionScansOf(opened.database)).toEqual([]);
    const profile = opened.database.connection.db?.collection('system.profile');
    expect(await profile?.find({ hasSortStage: true }).toArray()).toEqual([]);
    expect(await broadcastsOf(opened.database, collections)).toEqual(['find forecasts by scanned, warehouseCode']);
  });
});
