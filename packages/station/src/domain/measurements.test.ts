import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const byTracking = candidateOf(forecastWith());
const back: Action = { type: 'escape' };
const correct = (what: 'weight' | 'size'): Action => ({ type: 'correct', what });
const opened = (): Work => new Work().open('SF123456', byTracking);

describe('a weight', () => {
  test.each(['1,500', '1.234', '12,000', '1,500 g'])('of %j is ambiguous, and taken with its unit', (line) => {
    const work = opened().do(line);
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
    expect(opened().do(line).bench.flow).toMatchObject({ weightKg });
  });
});

describe('a click on weight or size', () => {
  test('asks for it again, and then for what comes next', () => {
    const work = opened().do('1.25', correct('weight'), '2.5', '30x20x10');
    expect(work.bench.flow).toMatchObject({ weightKg: 2.5, size: { lengthCm: 30 } });
    expect(work.do(correct('size'), '').said).toBe('typeSize');
    expect(work.do('2').said).toBe('typeSize');
    expect(work.do('40x20x10', '').reports().at(-1)).toMatchObject({ weight_kg: 2.5, length_cm: 40 });
  });

  test('is taken back by Escape, and by a click on what is asked for anyway', () => {
    for (const undo of [back, correct('size')]) {
      const { flow } = opened().do('1.25', correct('weight'), undo).bench;
      expect(flow).toMatchObject({ at: 'parcel', weightKg: 1.25 });
      expect(flow).not.toHaveProperty('correcting');
    }
  });

  test('does nothing while something else is asked, or after a scan that was refused', () => {
    expect(opened().do('H', correct('weight')).bench.flow).toMatchObject({ question: { ask: 'hold-reason' } });
    expect(opened().do('1.25', 'SF777777', correct('weight')).do('2').said).toBe('refusedAtSize');
  });
});

describe('before a parcel is open', () => {
  test.each(['14,14', '1.5', '1,500', '1.2kg', '800 g', '30x20x10', '30 20 10', '30x20', '999', '1234', '-1'])(
    'the weight or size %j is no number of a parcel',
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

  test.each(['12345', '123 456 789 012', '1234 5678 9012', 'PO-1', '4501AB', '2024/0117'])('%j is looked up', (scan) => {
    expect(new Work().do(scan).effects).toEqual([{ do: 'lookup', scan }]);
  });
});
