import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import type { ForecastStatus } from '@parcelway/contracts/forecast-status';
import { type OpenStores, openStores } from '../testing/open-stores.ts';
import { accept, acceptedForecast, changeForecast, intakeEvent, viewForecast } from '../testing/samples.ts';
import { FIRST_ROUND } from './domain/view-round.ts';
import { lookUp, pageOfForecasts } from './read-view.ts';
import type { SeenForecast, View, ViewQuery } from './view-store.ts';

const seen: readonly SeenForecast[] = [3, 2, 1].map((stamp) => ({ forecast: viewForecast({ forecastNo: `FC${stamp}` }), stamp }));

test('a page continues where the one before it ended; the next round shows changes since the first began', async () => {
  const asked: ViewQuery[] = [];
  const view: Pick<View, 'settled' | 'list'> = {
    settled: async () => 90,
    async list(_warehouseCode, query) {
      asked.push(query);
      return seen.filter(({ stamp }) => stamp < (query.behind?.stamp ?? 9) && stamp > query.above).slice(0, query.limit);
    },
  };
  const read = (round: typeof FIRST_ROUND) => pageOfForecasts(view, 'WH1', { round, limit: 2, tenantId: 'tnt_a' });
  const first = await read(FIRST_ROUND);
  expect([first.forecasts, first.hasMore]).toEqual([seen.slice(0, 2), true]);
  const second = await read(first.round);
  expect([second.forecasts, second.hasMore]).toEqual([seen.slice(2), false]);
  expect((await read(second.round)).forecasts).toEqual([]);
  expect(asked.map(({ statuses, moved, above, tenantId }) => [statuses, moved, above, tenantId])).toEqual([
    [[1, 2, 3, 4], false, -1, 'tnt_a'],
    [[1, 2, 3, 4], false, -1, 'tnt_a'],
    [[1, 2, 3, 4, 5, 6, 7], true, 90, 'tnt_a'],
  ]);
});

test('a scan finds the forecast that its number was claimed for, and those that declare it', async () => {
  const found = await lookUp(
    {
      view: {
        get: async (_warehouseCode, numbers) => seen.filter(({ forecast }) => numbers.includes(forecast.forecastNo)),
        find: async (_warehouseCode, keys) => new Map(keys.filter((key) => key === 'n:LOST1').map((key) => [key, seen.slice(1, 2)])),
      },
      directory: {
        claimedFor: async (_warehouseCode, { number }) => (number === 'LOST1' ? ['FC1'] : []),
        seenUnder: async () => new Set(),
      },
      counts: { suspectsAmong: async () => new Set() },
    },
    'WH1',
    'lost-1',
  );
  expect(found.candidates.map(({ seen: { forecast }, matchedBy }) => [forecast.forecastNo, matchedBy])).toEqual([
    ['FC1', 'claimed_number'],
    ['FC2', 'tracking_number'],
  ]);
});

describe('a scan that somebody may have guessed', () => {
  let stores: OpenStores;
  beforeEach(() => {
    stores = openStores();
  });
  afterEach(() => stores.close());

  const guesses = Array.from({ length: 5001 }, (_, index) => `GUESS${index}`);
  /** A forecast, as reports are matched with it and as warehouses are shown it. */
  async function accepted(forecastNo: string, trackingNumbers: readonly string[], status: ForecastStatus = 1): Promise<void> {
    const poNumber = `PO-${forecastNo}`;
    await accept(stores.intake, acceptedForecast({ forecastNo, trackingNumbers, poNumber }));
    const forecast = viewForecast({ forecastNo, poNumber, status });
    const content = forecast.content && { ...forecast.content, trackingNumbers };
    await changeForecast(stores.directory, forecastNo, () => ({ forecast: { ...forecast, content }, items: [] }));
  }
  const doubts = async (scan: string) =>
    (await lookUp(stores, 'WH1', scan)).candidates.map(({ matchedBy, isDoubtful }) => [matchedBy, isDoubtful]);

  test('for a suspect tenant is doubtful by declared numbers, until the number itself was scanned', async () => {
    await accepted('FC1', guesses);
    await accepted('FC2', ['MORE1']);
    expect([await doubts('GUESS7'), await doubts('PO-FC1'), await doubts('FC1')]).toEqual([
      [['tracking_number', true]],
      [['po_number', true]],
      [['forecast_no', false]],
    ]);
    await stores.intake.record([intakeEvent({ forecastNo: 'FC1', expressNo: 'GUESS7' })]);
    expect([await doubts('GUESS7'), await doubts('GUESS8')]).toEqual([[['tracking_number', false]], [['tracking_number', true]]]);
  });

  test('is doubtful when the parcel has left and the number is one of several that nobody scanned', async () => {
    await accepted('FC1', ['REAL1', 'GUESS1'], 5);
    await accepted('FC2', ['REAL2'], 5);
    await stores.intake.record([intakeEvent({ forecastNo: 'FC1', expressNo: 'REAL1' })]);
    expect([await doubts('REAL1'), await doubts('REAL2'), await doubts('GUESS1')]).toEqual([
      [['tracking_number', false]],
      [['tracking_number', false]],
      [['tracking_number', true]],
    ]);
  });
});
