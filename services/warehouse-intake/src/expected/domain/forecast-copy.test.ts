import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { acceptance, forecastEvent, NOW } from '../../testing/samples.ts';
import { afterEvent, isFoundOtherwise, isKept, type ViewEvent, type ViewForecast } from './forecast-copy.ts';

const accepted = forecastEvent('forecast.accepted', { ...acceptance, version: 1, due_date: '2026-12-01', item_count: 3 });

const corrected = (version: number, warehouse_code = 'WH1') =>
  forecastEvent('forecast.corrected', { ...acceptance, warehouse_code, version, due_date: `2026-12-0${version}`, item_count: version });

const dispatch = (carrier_code: string, time: number, dispatched_at = '2026-11-23T00:00:00+08:00') =>
  forecastEvent('forecast.dispatched', { status: 5, carrier_code, tracking_number: 'T1', dispatched_at }, { time });

const arrived = forecastEvent('parcel.arrived', { status: 2, warehouse_code: 'WH1', occurred_at: '2026-11-22T09:00:00+08:00' });

const weighed = forecastEvent('parcel.weighed', { status: 3, warehouse_code: 'WH1', occurred_at: '2026-11-22T09:00:00+08:00' });

const cancellation = forecastEvent('forecast.cancelled', { cancelled_at: '2026-11-22T00:00:00.000+00:00' });

const holdAt = '2026-11-22T09:00:00+08:00';

const hold = forecastEvent('parcel.held', {
  hold_reports: 1,
  on_hold: true,
  holds: [{ reason: 'wet', held_at: holdAt, released_at: null }],
});

const released = { hold_reports: 2, on_hold: false, holds: [{ reason: 'wet', held_at: holdAt, released_at: holdAt }] };
// By a clock that is behind that of the hold.
const release = forecastEvent('parcel.released', released, { time: NOW - 1000 });

const afterAll = (before: ViewForecast | undefined, ...events: readonly ViewEvent[]): ViewForecast =>
  events.reduce((found: ViewForecast | undefined, event) => afterEvent(found, event, () => undefined), before) as ViewForecast;
const after = (...events: readonly ViewEvent[]): ViewForecast => afterAll(undefined, ...events);

describe('the view of a forecast', () => {
  test('shows what was accepted', () => {
    expect(after(accepted)).toEqual({
      forecastNo: 'FC1',
      tenantId: 'tnt_a',
      poNumber: 'PO-1',
      warehouseCode: 'WH1',
      status: 1,
      content: {
        forecastType: 2,
        version: 1,
        acceptedAt: '2026-11-21T00:00:00.000+00:00',
        dueDate: '2026-12-01',
        shippingLabel: null,
        shippingNote: null,
        cartonCount: null,
        itemCount: 3,
        trackingNumbers: ['N1'],
      },
      itemsVersion: 0,
      dispatch: null,
      holding: null,
    });
  });

  test('shows the newest version and dispatch, whatever the order of the events and however often they come', () => {
    const events = [
      ...[accepted, corrected(2), corrected(3, 'WH2'), dispatch('dhl', NOW), dispatch('ups', NOW + 1)],
      ...[arrived, weighed, hold, release],
    ];
    const expected = after(...events);
    expect(expected).toMatchObject({
      warehouseCode: 'WH2',
      status: 5,
      content: { version: 3 },
      dispatch: { carrierCode: 'ups' },
      holding: { onHold: false, holds: [{ released_at: holdAt }] },
    });
    const all = [...events, ...events].map((_, index) => index);
    fc.assert(
      fc.property(fc.shuffledSubarray(all, { minLength: all.length }), (order) => {
        expect(after(...order.map((index) => events[index % events.length] as ViewEvent))).toEqual(expected);
      }),
    );
  });

  test('shows the dispatch that was later in the warehouse, whatever the clocks of those who reported it', () => {
    const earlier = dispatch('ups', NOW + 9, '2026-11-22T23:59:59+08:00');
    expect(after(accepted, dispatch('dhl', NOW), earlier).dispatch?.carrierCode).toBe('dhl');
  });

  test('is the same object when an event comes again', () => {
    for (const event of [cancellation, dispatch('dhl', NOW), arrived, hold]) {
      const once = after(accepted, event);
      expect(afterAll(once, event)).toBe(once);
    }
  });

  test('stays cancelled', () => {
    expect(after(cancellation, accepted, corrected(2)).status).toBe(7);
    expect(after(accepted, cancellation, arrived).status).toBe(7);
  });

  test('has no warehouse until the acceptance is known, and is not kept for ever', () => {
    expect(after(arrived)).toMatchObject({ warehouseCode: null, status: 2, poNumber: 'PO-1' });
    expect(
      [after(arrived), after(accepted), after(accepted, arrived), after(accepted, cancellation), after(accepted, dispatch('dhl', NOW))].map(
        isKept,
      ),
    ).toEqual([false, true, true, false, false]);
  });

  test('is found otherwise when its numbers, its warehouse or its place among the live ones change', () => {
    const forecast = after(accepted);
    expect(isFoundOtherwise(undefined, forecast)).toBe(true);
    for (const event of [arrived, corrected(2)]) expect(isFoundOtherwise(forecast, afterAll(forecast, event))).toBe(false);
    for (const event of [cancellation, dispatch('dhl', NOW), corrected(2, 'WH2')])
      expect(isFoundOtherwise(forecast, afterAll(forecast, event))).toBe(true);
    const renumbered = { ...forecast, content: { ...forecast.content, trackingNumbers: ['N2'] } } as ViewForecast;
    expect(isFoundOtherwise(forecast, renumbered)).toBe(true);
    const coded = afterEvent(undefined, accepted, () => '040063810000000017');
    expect(isFoundOtherwise(forecast, coded)).toBe(true);
  });
});
