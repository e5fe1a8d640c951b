import { afterAll, beforeAll, describe, expect, jest, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import type { MongoDatabase } from '@parcelway/mongo/mongo-database';
import { openTestDatabase, type TestDatabase } from '@parcelway/mongo/testing/mongo-test-database';
import fc from 'fast-check';
import { changeForecast } from '../testing/change-forecast.ts';
import { diesAfter, interleave, mongoCollections, openMongo, pausingAfter, unsteady } from '../testing/mongo-intake.ts';
import { NOW, viewForecast } from '../testing/samples.ts';
import { ViewPoller } from '../testing/view-poller.ts';
import type { ViewForecast } from './domain/forecast-copy.ts';
import type { SeenForecast, ViewStore } from './ports.ts';

/* Replicas that change the view at the same time, and systems of warehouses that poll meanwhile. */

// Each write is confirmed by the disk, on a machine that may have other things to do.
jest.setTimeout(300_000);

let opened: TestDatabase;
let others: MongoDatabase[];
beforeAll(async () => {
  opened = await openTestDatabase(mongoCollections);
  others = [await opened.second(), await opened.second()];
});
afterAll(() => opened.close());

const openView = (database: MongoDatabase): ViewStore => openMongo(database, new ManualClock(NOW)).view;
const at = (warehouseCode: string, version: number, forecastNo = 'FC1', itemsVersion = 0): ViewForecast => {
  const forecast = viewForecast({ forecastNo, warehouseCode, itemsVersion });
  return { ...forecast, content: forecast.content && { ...forecast.content, version } };
};

/** Stores that a version of a forecast is for a warehouse, as the follow code does: what is older changes nothing. */
const correct = (view: ViewStore, to: ViewForecast): Promise<void> =>
  changeForecast(view, to.forecastNo, (before) =>
    (before?.content?.version ?? 0) >= (to.content?.version ?? 0)
      ? undefined
      : { forecast: { ...to, itemsVersion: before?.itemsVersion ?? 0 } },
  );
/** Stores an event that adds to what is known. */
const add = (view: ViewStore, forecastNo: string): Promise<void> =>
  changeForecast(view, forecastNo, (before) => before && { forecast: { ...before, itemsVersion: before.itemsVersion + 1 } });

/** Forecasts of a warehouse, and how many events each has received. */
const listed = async (view: ViewStore, warehouse: string): Promise<Record<string, number>> =>
  counts(await view.list(warehouse, { statuses: [1], above: -1, limit: 100 }));
const counts = (seen: Iterable<SeenForecast>): Record<string, number> =>
  Object.fromEntries(
    [...seen].map(({ forecast }) => [forecast.forecastNo, forecast.itemsVersion] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
  );
const moved = async (view: ViewStore, warehouse: string): Promise<string[]> =>
  (await view.list(warehouse, { statuses: [], moved: true, above: -1, limit: 100 })).map(({ forecast }) => forecast.forecastNo);

const WAREHOUSES = ['WH1', 'WH2'];
const FORECASTS = ['FC1', 'FC2', 'FC3', 'FC4'];

test('who polls while replicas apply events of the same and of other forecasts misses no change', async () => {
  // Of each forecast its events in their order; each is taken by a replica, or by both at once.
  const event = fc.record({ move: fc.boolean(), by: fc.constantFrom([0], [1], [0, 1]) });
  const histories = fc.tuple(...FORECASTS.map(() => fc.array(event, { minLength: 2, maxLength: 8 })));
  await fc.assert(
    fc.asyncProperty(histories, fc.integer({ min: 1, max: 3 }), async (perForecast, limit) => {
      await opened.clear();
      const replicas = others.map((database) => openView(unsteady(database, 15)));
      const view = openView(opened.database);
      const pollers = WAREHOUSES.map((warehouse) => new ViewPoller(view, warehouse, limit));
      let isOver = false;
      const polling = Promise.all(
        pollers.map(async (poller) => {
          while (!isOver) await poller.page();
        }),
      );
      try {
        await Promise.all(
          perForecast.map(async (events, index) => {
            const forecastNo = FORECASTS[index] as string;
            let version = 1;
            await correct(replicas[0] as ViewStore, at('WH1', version, forecastNo));
            for (const { move, by } of events) {
              if (move) version += 1;
              const to = at(WAREHOUSES[(version - 1) % 2] as string, version, forecastNo);
              await Promise.all(
                by.map((replica) => (move ? correct(replicas[replica] as ViewStore, to) : add(replicas[replica] as ViewStore, forecastNo))),
              );
            }
          }),
        );
      } finally {
        isOver = true;
        await polling;
      }
      for (const [index, poller] of pollers.entries()) {
        await poller.toEnd();
        await poller.toEnd();
        expect(counts(poller.known.values())).toEqual(await listed(view, WAREHOUSES[index] as string));
      }
      const all = await Promise.all(WAREHOUSES.map((warehouse) => listed(view, warehouse)));
      const wanted = perForecast.map((events, index) => [
        FORECASTS[index],
        events.filter(({ move }) => !move).flatMap(({ by }) => by).length,
      ]);
      expect({ ...all[0], ...all[1] }).toEqual(Object.fromEntries(wanted));
    }),
    { numRuns: 12 },
  );
});

describe('a change that becomes visible long after its place in the order', () => {
  /** Has a poller go on until it has passed a stamp. */
  async function passes(poller: ViewPoller, stamp: number): Promise<void> {
    const end = Date.now() + 30_000;
    while ((poller.above ?? 0) <= stamp) {
      if (Date.now() > end) throw new Error('The poller does not get past the stamp');
      await poller.toEnd();
    }
  }
  const stampNow = async (view: ViewStore): Promise<number> => (await view.settled()) + 3_100_000;

  test('is shown once it is there', async () => {
    await opened.clear();
    const view = openView(opened.database);
    await correct(view, at('WH1', 1));
    const poller = new ViewPoller(view, 'WH1', 10);
    await poller.toEnd();
    // It has asked for the time and read the forecast; next is the write.
    const slow = pausingAfter(others[0] as MongoDatabase, 2);
    const running = add(openView(slow.database), 'FC1');
    await slow.paused;
    await passes(poller, await stampNow(view));
    expect(counts(poller.known.values())).toEqual({ FC1: 0 });
    slow.goOn();
    await running;
    await poller.toEnd();
    expect(counts(poller.known.values())).toEqual({ FC1: 1 });
  });

  test('is shown once its event has come again, when the process died', async () => {
    await opened.clear();
    const view = openView(opened.database);
    await correct(view, at('WH1', 1));
    const poller = new ViewPoller(view, 'WH1', 10);
    await poller.toEnd();
    const slow = pausingAfter(others[0] as MongoDatabase, 2);
    const dying = diesAfter(slow.database, 2, (database) => correct(openView(database), at('WH1', 2)));
    await slow.paused;
    await passes(poller, await stampNow(view));
    slow.goOn();
    expect(await dying).toBe(true);
    await poller.toEnd();
    expect(poller.known.get('FC1')?.forecast.content?.version).toBe(1);
    await correct(view, at('WH1', 2));
    await poller.toEnd();
    expect(poller.known.get('FC1')?.forecast.content?.version).toBe(2);
  });
});

describe('a move', () => {
  /** Tries it with the process stopped, or dead, before each of its operations. @returns how often */
  async function beforeEach(run: (operations: number) => Promise<boolean>): Promise<number> {
    for (let operations = 0; operations < 30; operations += 1) {
      await opened.clear();
      if (!(await run(operations))) return operations;
    }
    throw new Error('The move does not end');
  }
  const state = async (view: ViewStore) => [
    ...(await Promise.all(WAREHOUSES.map((warehouse) => listed(view, warehouse)))).map((of) => Object.keys(of)),
    ...(await Promise.all(WAREHOUSES.map((warehouse) => moved(view, warehouse)))),
  ];

  test('by a process that is late undoes nothing that another has done since', async () => {
    const tries = await beforeEach(async (operations) => {
      const view = openView(opened.database);
      await correct(view, at('WH1', 1));
      const late = await interleave(
        others[0] as MongoDatabase,
        (database) => correct(openView(database), at('WH2', 2)),
        operations,
        async () => {
          await correct(view, at('WH2', 2));
          await correct(view, at('WH1', 3));
        },
      );
      // A process that was done before the other began leaves the same.
      expect(await state(view)).toEqual([['FC1'], [], [], ['FC1']]);
      return late;
    });
    expect(tries).toBeGreaterThan(3);
  });

  test('by a process that dies is complete once its event has come again', async () => {
    const tries = await beforeEach(async (operations) => {
      const view = openView(opened.database);
      await correct(view, at('WH1', 1));
      const died = await diesAfter(others[0] as MongoDatabase, operations, (database) => correct(openView(database), at('WH2', 2)));
      await correct(view, at('WH2', 2));
      expect(await state(view)).toEqual([[], ['FC1'], ['FC1'], []]);
      return died;
    });
    expect(tries).toBeGreaterThan(3);
  });
});
