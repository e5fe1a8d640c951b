import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { candidateOf, detailWith, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';

const byTracking = candidateOf(forecastWith());

describe('a weight', () => {
  test.each(['1,500', '1.234', '12,000', '1,500 g'])('of %j is ambiguous, and taken with its unit', (line) => {
    const work = new Work().open('SF123456', byTracking).do(line);
    expect(work.bench.notice).toMatchObject({ key: 'ambiguousWeight', value: line });
    const withUnit = `${work.bench.notice?.detail} kg`;
    expect(work.bench.flow).not.toHaveProperty('weightKg');
    expect(work.do(withUnit).bench.flow).toMatchObject({ weightKg: Number.parseFloat(withUnit) });
  });

  test.each([
    ['0.800', 0.8],
    ['0,005', 0.005],
    ['1.50', 1.5],
  ])('of %j is taken at once', (line, weightKg) => {
    expect(new Work().open('SF123456', byTracking).do(line).bench.flow).toMatchObject({ weightKg });
  });

  test('again says that the parcel has a weight, unless its forecast has several parcels', () => {
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
});

describe('a scan', () => {
  test('that was a wrong parcel has reported its arrival, which Escape says', () => {
    const leave = (forecast = forecastWith()) => new Work().open('SF123456', candidateOf(forecast)).do({ type: 'escape' }).said;
    expect([leave(), leave(forecastWith({ status: 2 }))]).toEqual(['putAsideArrived', 'putAside']);
  });

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

  test.each(['14,14', '1.5', '1,500', '1.2kg', '800 g', '30x20x10', '30 20 10', '30x20', '999', '1234', '-1'])(
    'that is the weight or size %j is no number of a parcel',
    (line) => {
      const other = candidateOf(forecastWith({ forecast_no: 'FC002' }));
      const barcode = candidateOf(forecastWith(), 'barcode');
      for (const [work, at, said] of [
        [new Work(), 'scan', 'measureBeforeScan'],
        [new Work().do('4006381333931', found('4006381333931', barcode)), 'choose', 'measureBeforeYes'],
        [new Work().do('SF123456', found('SF123456', byTracking, other)), 'choose', 'measureBeforeChoice'],
        [new Work().do('SF999999', found('SF999999')), 'unknown', 'measureBeforeYes'],
      ] as const) {
        const before = work.effects.length;
        expect([work.do(line).at, work.bench.notice, work.effects.length]).toMatchObject([at, { key: said, value: line }, before]);
      }
    },
  );

  test.each(['12345', '123 456 789 012', '1234 5678 9012', 'PO-1', '4501AB', '2024/0117'])('of %j is looked up', (scan) => {
    expect(new Work().do(scan).effects).toEqual([{ do: 'lookup', scan }]);
  });
});
