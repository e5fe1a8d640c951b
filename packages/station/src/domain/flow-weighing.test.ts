import { describe, expect, test } from '@jest/globals';
import type { WarehouseForecastDetail } from '@parcelway/contracts/warehouse-view-api';
import { candidateOf, detailWith, forecastWith, found, Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const byTracking = candidateOf(forecastWith());

describe('weighing', () => {
  test('knows the size of the last parcel', () => {
    const work = new Work().open('SF123456', byTracking).do('1', '30x20x10', '', { type: 'kept' });
    work.open('SF777777', candidateOf(forecastWith({ forecast_no: 'FC002' }))).do('2', '=', '');
    expect(work.reports().at(-1)).toMatchObject({ forecast_no: 'FC002', length_cm: 30, width_cm: 20, height_cm: 10 });
  });

  test('of 200 kg is taken with its unit', () => {
    const { flow } = new Work().open('SF123456', byTracking).do('200 kg').bench;
    expect(flow).toMatchObject({ weightKg: 200 });
  });

  test('asks to look at a side of over four metres', () => {
    expect(new Work().open('SF123456', byTracking).do('1', '401x20x10').said).toBe('bigSide');
  });

  test('keeps what was entered when the device has no room', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', '30x20x10', '', { type: 'not-kept' });
    expect(work.bench.flow).toMatchObject({ at: 'parcel', weightKg: 1.25 });
    expect(work.said).toBe('notKept');
    const full = new Work().open('SF123456', byTracking).full().do('1.25', '30x20x10', '');
    expect([full.at, full.said]).toEqual(['parcel', 'queueFull']);
  });

  test('keeps lines that are typed while a parcel is looked up or stored', () => {
    const work = new Work().do('SF123456', '1.25', '30x20x10', '', found('SF123456', byTracking));
    work.do({ type: 'opened', scan: 'SF123456', candidate: byTracking });
    expect(work.reports()).toMatchObject([{ type: 'arrival' }, { type: 'weighing', weight_kg: 1.25 }]);
    work.do('SF777777', { type: 'kept' });
    expect(work.effects.at(-1)).toEqual({ do: 'lookup', scan: 'SF777777' });
  });

  test.each([
    ['200', 'heavy'],
    ['', 'typeWeight'],
    ['SF 123-456', 'sameParcel'],
  ])('the line %j for a weight gets %s', (line, said) => {
    expect(new Work().open('SF123456', byTracking).do(line).said).toBe(said);
  });

  test.each(['1.25o', '-1', '0.0'])('of %j is no weight, and leaves the parcel where it is', (line) => {
    const work = new Work().open('SF123456', byTracking).do(line);
    expect([work.said, work.at, work.effects.length]).toEqual([
      'noWeight',
      'parcel',
      new Work().open('SF123456', byTracking).effects.length,
    ]);
    expect(work.do('1.25', line).said).toBe('badSize');
    expect([work.do('30x20x10', line).said, work.bench.flow]).toMatchObject(['noWeight', { weightKg: 1.25 }]);
  });

  test.each(['30x20', '0x1x1', '30x20x1o', '30x20x10000'])('with the size %j shows how a size is typed', (line) => {
    const work = new Work().open('SF123456', byTracking).do(line);
    expect([work.bench.notice, work.at]).toMatchObject([{ key: 'badSize', value: '1000' }, 'parcel']);
    expect([work.do('1.25', line).said, work.do('30x20x10').said]).toEqual(['badSize', undefined]);
    expect([work.do(line).said, work.bench.flow]).toMatchObject(['badSize', { size: { heightCm: 10 } }]);
  });

  test('is taken after a word that can be no number', () => {
    const work = new Work().open('SF123456', byTracking).do('abc', found('abc'));
    expect([work.said, work.do('1,5').bench.flow]).toMatchObject(['noWeight', { weightKg: 1.5 }]);
  });
});

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

test('a parcel that its merchant has cancelled is not weighed by an Enter alone, and takes a report or a typed weight', () => {
  const cancelled = (): Work => new Work().open('SF123456', candidateOf(forecastWith({ status: 7 })));
  expect(cancelled().do({ type: 'reading', reading: { stable: true, kg: 2 } }, '').said).toBe('cancelledParcel');
  expect(cancelled().do('X').bench.flow).toMatchObject({ question: { ask: 'reason' } });
  // The platform keeps it.
  expect(cancelled().do('2', '3x2x1', '').reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 2 });
});
