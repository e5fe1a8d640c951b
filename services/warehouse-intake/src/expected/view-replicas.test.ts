import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { ManualClock } from '@parcelway/kernel/clock';
import type { Store } from '@parcelway/store/store';
import { storesOf } from '../adapters/intake-stores.ts';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { diesAfter, interleave } from '../testing/processes.ts';
import { acceptedForecast, changeForecast, NOW, viewForecast } from '../testing/samples.ts';
import { acceptedEntry } from './domain/directory.ts';
import type { ViewForecast } from './domain/forecast-copy.ts';
import { FIRST_ROUND, type ViewRound } from './domain/view-round.ts';
import { expected } from './expected-collection.ts';
import { pageOfForecasts } from './read-view.ts';

/* Replicas that change the view at the same time, and systems of warehouses that poll meanwhile. */

/** More operations than a change has. */
const MANY = 30;
/** Longer than a poll waits for a change that has its place already. */
const LATE_MS = 4000;

let driver: OpenStores;
/** The clock of the server and of all processes. */
let now = NOW;
beforeEach(() => {
  driver = openStores();
  now = NOW;
  jest.spyOn(performance, 'now').mockImplementation(() => now);
});
afterEach(async () => {
  jest.restoreAllMocks();
  await driver.close();
});

const replicaOn = (store: Store): Replica => storesOf({ store, serverTime: async () => now }, new ManualClock(NOW), false);

type Replica = Pick<OpenStores, 'directory' | 'view'>;

/** Stores that a version of a forecast is for a warehouse, as the follow code does: what is older changes nothing. */
const correct = ({ directory }: Replica, warehouseCode: string, version: number): Promise<void> =>
  changeForecast(directory, 'FC1', (before) => {
    if ((before?.content?.version ?? 0) >= version) return undefined;
    const forecast = viewForecast({ warehouseCode, itemsVersion: before?.itemsVersion ?? 0 });
    return { forecast: { ...forecast, content: forecast.content && { ...forecast.content, version } } };
  });
/** Stores an event that adds to what is known. */
const add = ({ directory }: Replica): Promise<void> =>
  changeForecast(directory, 'FC1', (before) => before && { forecast: { ...before, itemsVersion: before.itemsVersion + 1 } });

/** A system of a warehouse that follows the list as the documentation says. @returns what reads on, and says what it was shown last */
function poller({ view }: Replica, warehouseCode = 'WH1'): () => Promise<ViewForecast | undefined> {
  let round: ViewRound = FIRST_ROUND;
  let known: ViewForecast | undefined;
  return async () => {
    // A change settles within some seconds: two rounds with time between them show all.
    for (const _round of [1, 2]) {
      for (let hasMore = true; hasMore; ) {
        const page = await pageOfForecasts(view, warehouseCode, { round, limit: 1 });
        for (const { forecast } of page.forecasts) known = forecast.isMoved ? undefined : forecast;
        ({ round, hasMore } = page);
      }
      now += LATE_MS;
    }
    return known;
  };
}

test('who polls while two replicas change a forecast misses no change, wherever one of them stops', async () => {
  for (let operations = 0, paused = true; paused; operations += 1) {
    expect(operations).toBeLessThan(MANY);
    for (const isPolled of [true, false]) {
      const own = openStores();
      const replica = replicaOn(own.store);
      await correct(replica, 'WH1', 1);
      const poll = poller(replica);
      await poll();
      paused = await interleave(
        own.store,
        // The event of one that was overtaken while it stopped for long comes again.
        (pausing) => add(replicaOn(pausing)).catch(() => add(replica)),
        operations,
        async () => {
          await add(replica);
          if (isPolled) await poll();
        },
      );
      expect({ operations, isPolled, seen: (await poll())?.itemsVersion }).toEqual({ operations, isPolled, seen: 2 });
      await own.close();
    }
  }
});

test('a change whose process died after a poll had passed its place is shown once its event has come again', async () => {
  /** How often the change was stored although no poll showed it. */
  let hidden = 0;
  for (let operations = 0, died = true; died; operations += 1) {
    const own = openStores();
    const replica = replicaOn(own.store);
    await correct(replica, 'WH1', 1);
    const poll = poller(replica);
    await poll();
    const dies = async (store: Store) => {
      died = await diesAfter(store, operations, (dying) => correct(replicaOn(dying), 'WH1', 2));
    };
    await interleave(own.store, dies, operations, poll);
    const known = await own.store.get(expected, ['FC1', ''], { with: ['shown'] });
    const isStored = JSON.stringify(known?.value).includes('"version":2');
    if (isStored && (await poll())?.content?.version === 1) hidden += 1;
    await correct(replica, 'WH1', 2);
    expect((await poll())?.content?.version).toBe(2);
    await own.close();
  }
  expect(hidden).toBeGreaterThan(0);
});

describe('a move', () => {
  const state = async ({ view }: Replica) => {
    const shown = (warehouse: string, moved: boolean) =>
      view.list(warehouse, { statuses: moved ? [] : [1], moved, above: -1, limit: 9 }).then(({ length }) => length);
    return [await shown('WH1', false), await shown('WH2', false), await shown('WH1', true), await shown('WH2', true)];
  };

  test('by a process that is late undoes nothing that another has done since', async () => {
    for (let operations = 0, paused = true; paused; operations += 1) {
      expect(operations).toBeLessThan(MANY);
      const { store, close } = openStores();
      const replica = replicaOn(store);
      await correct(replica, 'WH1', 1);
      paused = await interleave(
        store,
        (pausing) => correct(replicaOn(pausing), 'WH2', 2),
        operations,
        async () => {
          await correct(replica, 'WH2', 2);
          await correct(replica, 'WH1', 3);
        },
      );
      expect({ operations, is: await state(replica) }).toEqual({ operations, is: [1, 0, 0, 1] });
      await close();
    }
  });

  test('by a process that dies is complete once its event has come again', async () => {
    for (let operations = 0, died = true; died; operations += 1) {
      expect(operations).toBeLessThan(MANY);
      const { store, close } = openStores();
      const replica = replicaOn(store);
      await correct(replica, 'WH1', 1);
      died = await diesAfter(store, operations, (dying) => correct(replicaOn(dying), 'WH2', 2));
      await correct(replica, 'WH2', 2);
      expect({ operations, is: await state(replica) }).toEqual({ operations, is: [0, 1, 1, 0] });
      await close();
    }
  });
});

test('a change that is written but not confirmed counts the numbers of its forecast', async () => {
  let asked = 0;
  const serverTime = async () => {
    asked += 1;
    if (asked > 1) throw AppError.unavailable('The database is out');
    return now;
  };
  // Every look at the clock is later than a write may take.
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += LATE_MS;
    return now;
  });
  const { directory } = storesOf({ store: driver.store, serverTime }, new ManualClock(NOW), false);
  const entry = () => acceptedEntry(undefined, acceptedForecast({ trackingNumbers: ['N1'], poNumber: 'PO-1' }));
  const changed = directory.change(new Map([['FC1', { entry, view: () => ({ forecast: viewForecast() }) }]]));
  await expect(changed).rejects.toMatchObject({ code: '50301' });
  expect(await driver.counts.declaredNumbers(9)).toMatchObject([{ tenantId: 'tnt_a', unseen: 1 }]);
});
