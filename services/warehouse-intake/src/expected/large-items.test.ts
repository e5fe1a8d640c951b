import { describe, expect, test } from '@jest/globals';
import { AppError } from '@parcelway/kernel/app-error';
import { silentLogger } from '@parcelway/kernel/logger';
import { until } from '@parcelway/kernel/testing/until';
import { acceptance, forecastEvent, viewItem } from '../testing/samples.ts';
import { type ContentEvent, decideView, type ViewChange } from './domain/decide-view.ts';
import type { ViewForecast, ViewItem } from './domain/forecast-copy.ts';
import { changeView, type ItemSource, LargeItems, type LargeItemsOptions } from './large-items.ts';

const accepted = (items: ViewItem[] | null = [viewItem()]) => forecastEvent('forecast.accepted', { ...acceptance, items });
const corrected = (version: number, items: ViewItem[] | null = [viewItem()]) =>
  forecastEvent('forecast.corrected', { ...acceptance, version, items });

/** Follows events over one forecast in memory, and writes down the changes that they make of it. */
function open(
  before?: ViewForecast,
  itemsOf: ItemSource['itemsOf'] = async (_tenantId, _forecastNo, version) => ({ version, items: [viewItem()] }),
) {
  const changes: ViewChange[] = [];
  let forecast = before;
  const directory: LargeItemsOptions['directory'] = {
    change: async (decisions) => {
      const change = decisions.get('FC1')?.view?.(forecast);
      if (change !== undefined) changes.push(change);
      forecast = change?.forecast ?? forecast;
      return new Map();
    },
  };
  const logged: string[] = [];
  const log = (_fields: unknown, message: string): void => void logged.push(message);
  const deadLetters: string[] = [];
  let refusals = 0;
  const large = new LargeItems({
    directory,
    items: { itemsOf },
    ssccOf: () => undefined,
    logger: { ...silentLogger, warn: log, error: log },
    deadLetter: async ({ id }, { code }) => {
      if (refusals-- > 0) throw AppError.unavailable('The log is out');
      deadLetters.push(`${id} ${code}`);
    },
    backOff: { firstMs: 1, maxMs: 4 },
  });
  const refuseDeadLetters = (times: number): void => {
    refusals = times;
  };
  const notified = () => changes.flatMap(({ notes }) => notes?.map(({ change }) => change) ?? [null]);
  return {
    follow: async (event: ContentEvent) => {
      await changeView(directory, new Map([['FC1', (found) => decideView([event], found, () => undefined)]]));
      large.add([event]);
    },
    changes,
    notified,
    large,
    logged,
    deadLetters,
    refuseDeadLetters,
  };
}

describe('what systems outside hear of', () => {
  test('are large items when they have been read, behind the rest', async () => {
    const { follow, notified, changes, large } = open();
    await follow(accepted(null));
    await large.settled();
    await follow(corrected(2, null));
    await large.settled();
    expect(notified()).toEqual(['accepted', 'accepted', 'corrected', 'corrected']);
    expect(changes.map(({ items, forecast }) => [items?.length, forecast.itemsVersion])).toEqual([
      [undefined, 0],
      [1, 1],
      [undefined, 1],
      [1, 2],
    ]);
  });
});

describe('large items', () => {
  const unavailable = (): Promise<never> => Promise.reject(AppError.unavailable('The forecast service is out'));

  test('that cannot be read hold up neither other events nor other items, only the position; they are read later', async () => {
    let isOut = true;
    const { follow, changes, large, logged } = open(undefined, async (_tenantId, _forecastNo, version) =>
      isOut && version === 2 ? unavailable() : { version, items: [viewItem()] },
    );
    await follow(corrected(2, null));
    await follow(accepted(null));
    let settled = false;
    const settling = large.settled().then(() => {
      settled = true;
    });
    await until(() => changes.some(({ forecast }) => forecast.itemsVersion === 1), { what: 'the items of the other event' });
    expect([settled, logged.length]).toEqual([false, 1]);
    isOut = false;
    await settling;
    expect(changes.at(-1)).toMatchObject({ items: [viewItem()], forecast: { itemsVersion: 2 } });
  });

  test('whose forecast is gone are skipped and logged', async () => {
    const { follow, large, logged, deadLetters } = open(undefined, () => Promise.reject(new AppError('40401')));
    await follow(accepted(null));
    await large.settled();
    expect(logged).toEqual([expect.stringContaining('cannot be read')]);
    expect(deadLetters).toEqual([]);
  });

  test.each<[string, number, Error, string]>([
    ['that fail again and again, however long the service was out', 5, new Error('A defect'), '50000'],
    ['that are refused', 1, new AppError('40301'), '40301'],
  ])('%s go to the dead letters, as soon as these can be stored', async (_what, tries, failure, code) => {
    let reads = 0;
    const { follow, large, deadLetters, refuseDeadLetters } = open(undefined, async () => {
      reads += 1;
      throw reads <= 6 ? AppError.unavailable('Out') : failure;
    });
    refuseDeadLetters(1);
    const event = accepted(null);
    await follow(event);
    await large.settled();
    expect(deadLetters).toEqual([`${event.id} ${code}`]);
    expect(reads).toBe(6 + tries + 1);
  });

  test('that a stop has cut off are not settled: their events come again', async () => {
    const { follow, large } = open(undefined, unavailable);
    await follow(accepted(null));
    large.stop();
    await expect(large.settled()).rejects.toThrow('abort');
  });
});
