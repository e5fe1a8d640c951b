import { describe, expect, test } from '@jest/globals';
import { acceptedForecast, intakeEvent, NOW } from '../../testing/samples.ts';
import type { IntakeEvent } from './event.ts';
import { type BatchEvent, type ListedForecast, matchBatch } from './match-batch.ts';

const dispatch = { type: 'dispatch', carrierCode: 'dhl', trackingNumber: 'JD014600003' } as const;
const listed = (forecastNo: string, given: Partial<ListedForecast> = {}): ListedForecast => {
  const { trackingNumbers: _declared, ...forecast } = acceptedForecast({ forecastNo });
  return { ...forecast, numbers: ['N1', 'N2'], claimed: [], assigned: [], aliases: [], finishedAt: null, ...given };
};
const scan = (given: Partial<IntakeEvent> = {}): IntakeEvent => intakeEvent({ expressNo: 'N1', ...given });

/** Where each event goes, the order of the publications, and which of them claim a number. */
function outcome(events: readonly (IntakeEvent | BatchEvent)[], forecasts: readonly ListedForecast[]) {
  const batch = events.map((event) => ('event' in event ? event : { event }));
  const { matches, publications, claiming } = matchBatch(batch, forecasts, NOW);
  return {
    to: matches.map((match) => ('forecast' in match ? match.forecast.forecastNo : match.reason)),
    order: publications,
    claiming: [...claiming],
  };
}

describe('matchBatch', () => {
  test('lets the first event under a number claim it, once', () => {
    expect(outcome([scan(), scan(), scan({ expressNo: 'n-2' })], [listed('FC1')])).toEqual({
      to: ['FC1', 'FC1', 'FC1'],
      order: [0, 1, 2],
      claiming: [0, 2],
    });
    expect(outcome([scan()], [listed('FC1', { claimed: ['N1'] })])).toMatchObject({ claiming: [] });
  });

  test('lets nobody claim a number that the forecast does not declare', () => {
    const named = intakeEvent({ forecastNo: 'FC1', expressNo: 'OTHER1' });
    expect(outcome([named, scan()], [listed('FC1'), listed('FC2')])).toEqual({ to: ['FC1', 'ambiguous'], order: [0], claiming: [] });
  });

  test('publishes what waited for a number to be named before the event that names it, in the order of occurrence', () => {
    const late = scan({ occurredAt: '2026-11-21T09:30:00+08:00' });
    const early = scan({ occurredAt: '2026-11-21T09:10:00+08:00' });
    const other = scan({ expressNo: 'N2' });
    const naming = scan({ forecastNo: 'FC2', occurredAt: '2026-11-21T09:20:00+08:00' });
    expect(outcome([late, early, other, naming, scan()], [listed('FC1'), listed('FC2')])).toEqual({
      to: ['FC2', 'FC2', 'ambiguous', 'FC2', 'FC2'],
      order: [1, 0, 3, 4],
      claiming: [3],
    });
  });

  test('releases a recent event only by what comes behind it', () => {
    const claimed = [listed('FC1', { claimed: ['N1'] }), listed('FC2')];
    const naming: BatchEvent = { event: scan({ forecastNo: 'FC2' }), publishedTo: 'FC2' };
    const recent: BatchEvent = { event: scan(), waiting: 'ambiguous', isRecent: true };
    expect(outcome([naming, recent], claimed).to).toEqual(['FC2', 'ambiguous']);
    expect(outcome([{ ...recent, waiting: 'no_forecast' }, naming], [listed('FC1'), listed('FC2')]).to).toEqual(['FC2', 'FC2']);
    expect(outcome([naming, { ...recent, isRecent: false }], claimed).to).toEqual(['FC2', 'FC2']);
  });

  test('does not release what waits when the number is only inferred', () => {
    const leaving = intakeEvent({ forecastNo: 'FC1', expressNo: null, detail: dispatch });
    expect(outcome([scan(), leaving, scan()], [listed('FC1'), listed('FC2')])).toEqual({
      to: ['ambiguous', 'FC1', 'FC2'],
      order: [1, 2],
      claiming: [2],
    });
  });

  test('gives the number to the next forecast behind the event that ends the stay, not before', () => {
    const forecasts = [listed('FC1', { claimed: ['N1'] }), listed('FC2')];
    expect(outcome([scan(), scan({ detail: dispatch }), scan()], forecasts)).toEqual({
      to: ['FC1', 'FC1', 'FC2'],
      order: [0, 1, 2],
      claiming: [2],
    });
  });

  test('counts what was published before, and does not match it again', () => {
    const naming = { event: scan({ forecastNo: 'FC2' }), publishedTo: 'FC2' };
    expect(outcome([naming, scan()], [listed('FC1'), listed('FC2')])).toMatchObject({ to: ['FC2', 'FC2'] });
    const leaving = { event: scan({ detail: dispatch }), publishedTo: 'FC1' };
    expect(outcome([leaving, scan()], [listed('FC1'), listed('FC2')])).toMatchObject({ to: ['FC1', 'FC2'] });
    const forgotten = { event: scan(), publishedTo: 'FC9' };
    expect(outcome([forgotten, scan({ forecastNo: 'FC1' }), scan()], [listed('FC1')])).toMatchObject({ order: [1, 2] });
  });

  test('gives a stranger no report on a parcel that has just left', () => {
    const forecasts = [listed('FC1'), listed('FC2', { tenantId: 'tnt_b' })];
    const naming = scan({ forecastNo: 'FC1', expressNo: null, detail: dispatch });
    expect(outcome([naming, scan()], forecasts)).toMatchObject({ to: ['FC1', 'ambiguous'] });
  });

  test('records again whose parcel a number is on as long as others declare it, and lets that decide for what is ambiguous', () => {
    const forecasts = [listed('FC1', { claimed: ['N1'] }), listed('FC2', { claimed: ['N1'] })];
    const naming = scan({ forecastNo: 'FC1' });
    expect(outcome([scan(), naming, scan()], forecasts)).toEqual({ to: ['FC1', 'FC1', 'ambiguous'], order: [0, 1], claiming: [1] });
    expect(outcome([naming], forecasts.slice(0, 1))).toMatchObject({ claiming: [] });
    const resolved = { event: scan(), resolvedTo: 'FC2' };
    expect(outcome([resolved], forecasts)).toMatchObject({ to: ['FC2'] });
    const leaving = { event: scan({ detail: dispatch }), resolvedTo: 'FC1' };
    expect(outcome([leaving], [listed('FC1', { forecastType: 1 })])).toEqual({ to: ['takes_no_dispatch'], order: [], claiming: [] });
  });

  test('gives no dispatch to a type 1 forecast, nor ends its stay by one', () => {
    const events = [scan({ detail: dispatch }), scan({ forecastNo: 'FC1', detail: dispatch }), scan()];
    expect(outcome(events, [listed('FC1', { forecastType: 1 })])).toEqual({
      to: ['takes_no_dispatch', 'takes_no_dispatch', 'FC1'],
      order: [2],
      claiming: [2],
    });
  });

  test('keeps warehouses apart', () => {
    const elsewhere = listed('FC1', { warehouseCode: 'WH2' });
    expect(outcome([scan(), scan({ forecastNo: 'FC1' }), scan({ warehouseCode: 'WH2' })], [elsewhere])).toEqual({
      to: ['no_forecast', 'warehouse_mismatch', 'FC1'],
      order: [2],
      claiming: [2],
    });
  });
});
