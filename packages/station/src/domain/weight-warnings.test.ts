import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { candidateOf, detailWith, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';

const byTracking = candidateOf(forecastWith());

test('a parcel that has its weight says so, unless its forecast has several parcels', () => {
  const measurements = [
    { weight_kg: 1.5, length_cm: 30, width_cm: 20, height_cm: 10 },
  ] as unknown as WarehouseForecastDetail['measurements'];
  const again = (changes = {}) => {
    const candidate = candidateOf(forecastWith({ status: 3, ...changes }));
    return new Work().open('SF123456', candidate, detailWith({ ...candidate.forecast, measurements })).bench.notice;
  };
  expect(again()).toEqual({ tone: 'wait', key: 'weighedBefore', value: '1.5 kg' });
  expect([again({ carton_count: 2 }), again({ tracking_numbers: ['SF123456', 'SF123457'] })]).toEqual([undefined, undefined]);
});

describe('a scan', () => {
  test('of another parcel says that the one on the bench was not weighed', () => {
    const other = candidateOf(forecastWith({ forecast_no: 'FC002', po_number: 'PO-2' }));
    const work = new Work().open('SF123456', byTracking).open('SF777777', other);
    expect(work.bench.notice).toEqual({ tone: 'wait', key: 'notWeighed', value: 'PO-1', detail: 'PO-2' });
    expect(work.do('1.5').bench.notice).toBeUndefined();
    // What is typed before the platform responds does not hide it.
    const ahead = new Work().open('SF123456', byTracking).do('SF777777', '1.5', found('SF777777', other));
    ahead.do({ type: 'opened', scan: 'SF777777', candidate: other });
    expect([ahead.said, ahead.bench.flow]).toMatchObject(['notWeighed', { weightKg: 1.5 }]);
    const several = new Work().open('SF123456', byTracking).do('SF777777', found('SF777777', other, other));
    expect([several.at, several.bench.notice]).toMatchObject(['choose', { key: 'notWeighed', value: 'PO-1', detail: '' }]);
  });

  test.each([
    ['a number of the same parcel', forecastWith(), forecastWith()],
    ['the next parcel after one that has its weight', forecastWith({ status: 3 }), forecastWith({ forecast_no: 'FC002' })],
  ])('of %s says nothing of a weight that is missing', (_what, first, second) => {
    const work = new Work().open('SF123456', candidateOf(first)).open('SF777777', candidateOf(second));
    expect(work.said).not.toBe('notWeighed');
  });
});
