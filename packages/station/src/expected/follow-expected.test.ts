import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastList } from '@parcelway/contracts/warehouse-view-api';
import { ApiFailure } from '@parcelway/page/api/failure';
import { listedWith } from '../testing/work.ts';
import { ExpectedParcels, followExpected, type ListQuery, MAX_EXPECTED } from './expected-parcels.ts';

const SINCE = '2026-11-23T04:00:00.000Z';
const NOW = Date.parse(SINCE) + 60_000;
const PAGE = 100;

/** The list of a platform: rounds as its documentation describes them, over a log of changes. */
class Platform {
  readonly calls: ListQuery[] = [];
  readonly #changes: Array<{ readonly number: number; readonly status: number; readonly at: number }> = [];

  change(number: number, status = 1, at = NOW): void {
    this.#changes.push({ number, status, at });
  }

  /** A cursor is `<above>` between two rounds, and `<above>:<next>:<shown>` within one, by place in the log. */
  list({ cursor, updated_from }: ListQuery): WarehouseForecastList {
    const [above = '-', next = String(this.#changes.length), shown = '0'] = cursor?.split(':') ?? [];
    const since = updated_from === undefined ? 0 : Date.parse(updated_from);
    const latest = new Map(this.#changes.map((change, place) => [change.number, { ...change, place }]));
    const rows = [...latest.values()]
      .filter(({ place, at, status }) => at >= since && (above === '-' ? status <= 4 : place >= Number(above)))
      .sort((a, b) => b.place - a.place);
    const page = rows.slice(Number(shown), Number(shown) + PAGE);
    const has_more = rows.length > Number(shown) + PAGE;
    const forecasts = page.map(({ number, status, at }) =>
      listedWith({ forecast_no: `FC-${number}`, status: status as 1, update_time: new Date(at).toISOString() }),
    );
    return { forecasts, has_more, next_cursor: has_more ? `${above}:${next}:${Number(shown) + PAGE}` : next };
  }
}

async function followed(
  platform: Platform,
  until: (call: number) => boolean | ApiFailure,
): Promise<{ parcels: ExpectedParcels; log: unknown[] }> {
  const gone = new AbortController();
  const parcels = new ExpectedParcels();
  const log: unknown[] = [];
  await followExpected(
    {
      parcels,
      platformTime: () => NOW,
      onChange: () => undefined,
      list: async (query) => {
        platform.calls.push(query);
        log.push(query);
        const said = until(platform.calls.length);
        if (said instanceof ApiFailure) throw said;
        if (said) gone.abort();
        return platform.list(query);
      },
      sleep: async () => {
        log.push('sleep');
      },
    },
    gone.signal,
  );
  return { parcels, log };
}

test('loads what is expected, then asks for what has changed', async () => {
  const platform = new Platform();
  for (let number = 0; number < 150; number += 1) platform.change(number, 1, 0);
  const { parcels, log } = await followed(platform, (call) => {
    if (call === 4) platform.change(7, 7);
    return call === 5;
  });
  expect(log).toEqual([
    { updated_from: SINCE },
    {},
    { cursor: '-:150:100' },
    { updated_from: SINCE, cursor: '150' },
    'sleep',
    { updated_from: SINCE, cursor: '151' },
    'sleep',
  ]);
  expect([parcels.size, parcels.lookUp('FC-7')]).toEqual([149, []]);
});

test('stops loading at the limit, and then applies changes at once', async () => {
  const platform = new Platform();
  for (let number = 0; number < 2 * MAX_EXPECTED; number += 1) platform.change(number, 1, 0);
  const latest = 2 * MAX_EXPECTED - 1;
  const { parcels, log } = await followed(platform, (call) => {
    // The first has been cancelled, and one has come, while the pages are read.
    if (call === 10) platform.change(latest, 7);
    if (call === 11) platform.change(-1);
    return call === 2 + MAX_EXPECTED / PAGE;
  });
  expect(log.at(-2)).toMatchObject({ updated_from: SINCE });
  expect(log.indexOf('sleep')).toBe(log.length - 1);
  expect([parcels.lookUp(`FC-${latest}`).length, parcels.lookUp('FC--1').length]).toEqual([0, 1]);
});

test('keeps its place while the network is out, and starts again with a cursor that is no longer taken', async () => {
  const { log } = await followed(new Platform(), (call) => {
    if (call === 2 || call === 4) return new ApiFailure('offline');
    return call === 6 ? new ApiFailure('42201') : call === 7;
  });
  const poll = { updated_from: SINCE, cursor: '0' };
  expect(log).toEqual([{ updated_from: SINCE }, {}, 'sleep', {}, poll, 'sleep', poll, 'sleep', poll, 'sleep', { updated_from: SINCE }]);
});

const numbered = (number: number, changes = {}) =>
  listedWith({ forecast_no: `FC-${number}`, po_number: `PO-${number}`, tracking_numbers: [`SF${number}0000`], ...changes });

describe('parcels that are known here', () => {
  test.each([
    ['fc-1', 'forecast_no'],
    ['sf 1-0000', 'tracking_number'],
    ['PO1', 'po_number'],
    ['{"forecast_no":"FC-1","po_number":"PO-1"}', 'label'],
  ])('%j is found by %s', (scan, matched_by) => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1), numbered(2)]);
    expect(parcels.lookUp(scan)).toMatchObject([{ matched_by, forecast: { forecast_no: 'FC-1' } }]);
  });

  test('several are several, and none is none', () => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1, { tracking_numbers: ['SAME'] }), numbered(2, { tracking_numbers: ['SAME'] })]);
    expect(parcels.lookUp('same')).toHaveLength(2);
    expect(parcels.lookUp('other')).toEqual([]);
  });

  test('go when they have moved to another warehouse, and come back with them', () => {
    const parcels = new ExpectedParcels();
    parcels.apply([numbered(1)]);
    parcels.apply([numbered(1, { moved: true })]);
    expect(parcels.lookUp('FC-1')).toEqual([]);
    parcels.apply([numbered(1)]);
    expect(parcels.lookUp('FC-1')).toHaveLength(1);
  });

  test('are bounded: those that changed last stay', () => {
    const parcels = new ExpectedParcels();
    const at = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString();
    const all = Array.from({ length: MAX_EXPECTED + 10 }, (_, number) => numbered(number, { update_time: at(number) }));
    parcels.apply(all.reverse());
    expect(parcels.size).toBe(MAX_EXPECTED);
    expect([parcels.lookUp('FC-9').length, parcels.lookUp('FC-10').length]).toEqual([0, 1]);
  });
});
