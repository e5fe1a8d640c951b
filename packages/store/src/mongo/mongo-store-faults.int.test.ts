import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import type { Store, Stored } from '../store.ts';
import { errands, shelves } from '../testing/shelf.ts';
import { createMongoStore, type MongoStore } from './mongo-store.ts';
import { mongoCollection } from './mongo-store-schema.ts';

const TENANT = 'tenant-a';

let opened: TestDatabase;
beforeAll(async () => {
  opened = await openTestDatabase([shelves, errands].map(mongoCollection));
});
afterEach(() => opened.clear());
afterAll(() => opened.close());

/** A database whose operations take place, while some of their responses are lost. @param isLost asked after each operation */
function losing(database: MongoDatabase, isLost: () => boolean): MongoDatabase {
  const wrapped: Pick<MongoDatabase, 'connection' | 'model' | 'run' | 'check'> = {
    connection: database.connection,
    model: (collection) => database.model(collection),
    check: () => database.check(),
    async run(work) {
      const result = await database.run(work);
      if (isLost()) throw AppError.unavailable('The response was lost');
      return result;
    },
  };
  return wrapped as MongoDatabase;
}

/** Each third operation or so, the same in each run. */
function sometimes(seed: number): () => boolean {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state % 10 < 3;
  };
}

/** Repeats work until the database responds. */
async function untilDone<T>(work: () => Promise<T>): Promise<T> {
  for (let tries = 0; ; tries += 1) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof AppError) || tries === 100) throw error;
    }
  }
}

test('what a claim took whose response was lost comes with the next claim, once', async () => {
  const direct = createMongoStore(opened.database);
  await direct.apply(Array.from({ length: 6 }, (_, no) => ({ in: errands, insert: { errandNo: no, group: 'g', due: no, work: 'w' } })));
  for (const [round, lostOperation] of [1, 2, 3].entries()) {
    let operations = 0;
    const store = createMongoStore(
      losing(opened.database, () => {
        operations += 1;
        return operations === lostOperation;
      }),
    );
    const now = 100 + round * 100;
    const claim = () => store.claimDue(errands.by.due, { group: 'g', now, until: now + 100, limit: 6 });
    await expect(claim()).rejects.toMatchObject({ code: '50301' });
    expect((await claim()).map(({ value }) => value.errandNo).sort()).toEqual([0, 1, 2, 3, 4, 5]);
    expect(await claim()).toEqual([]);
  }
});

test('writes together keep their sum, whatever responses are lost', async () => {
  const stores = [1, 2, 3].map((seed) => createMongoStore(losing(opened.database, sometimes(seed))));
  const direct = createMongoStore(opened.database);
  const nos = ['0', '1', '2', '3'];
  await direct.apply(nos.map((shelfNo) => ({ in: shelves, insert: { tenantId: TENANT, shelfNo, createdAt: 1, status: 10 } })));
  const move = (store: Store, from: string, to: string) =>
    store.change(
      [{ in: shelves, keys: [from, to].map((no) => [TENANT, no]) }],
      (known) => {
        const [source, target] = [from, to].map((no) => known.get(shelves, [TENANT, no]) as Stored<{ status: number }>) as [
          Stored<{ status: number }>,
          Stored<{ status: number }>,
        ];
        const writes = [
          { in: shelves, patch: source, set: { status: source.value.status - 1 } },
          { in: shelves, patch: target, set: { status: target.value.status + 1 } },
        ];
        return { writes: writes as never, result: undefined };
      },
      { together: true },
    );
  await Promise.all(
    stores.map(async (store, seed) => {
      for (let step = 0; step < 15; step += 1)
        await untilDone(() => move(store, nos[(step + seed) % 4] as string, nos[(step + 1) % 4] as string)).catch(() => undefined);
    }),
  );
  const { items } = await direct.find(shelves.by.newest, { eq: [TENANT], limit: 9 });
  expect(items.reduce((sum, { value }) => sum + (value.status ?? 0), 0)).toBe(40);
}, 60_000);

test('each change has its message, whatever responses are lost', async () => {
  const stores = [1, 2, 3].map((seed) => createMongoStore(losing(opened.database, sometimes(seed))));
  const direct: MongoStore = createMongoStore(opened.database);
  await direct.apply([{ in: shelves, insert: { tenantId: TENANT, shelfNo: '1', createdAt: 1, status: 0 } }]);
  const rise = (store: Store) =>
    store.change([{ in: shelves, keys: [[TENANT, '1']] }], (known) => {
      const stored = known.get(shelves, [TENANT, '1']) as Stored<NonNullable<(typeof shelves)['document']>>;
      const status = (stored.value.status ?? 0) + 1;
      return {
        writes: [{ in: shelves, patch: stored, set: { status }, messages: [{ topic: 't', key: 'k', value: String(status) }] }],
        result: status,
      };
    });
  await Promise.all(
    stores.map(async (store) => {
      for (let step = 0; step < 10; step += 1) await untilDone(() => rise(store));
    }),
  );
  const status = (await direct.get(shelves, [TENANT, '1']))?.value.status ?? 0;
  expect(status).toBeGreaterThanOrEqual(30);
  const messages = await direct.outbox(shelves).lease(1000);
  expect(messages.map(({ value }) => value)).toEqual(Array.from({ length: status }, (_, at) => String(at + 1)));
}, 60_000);
