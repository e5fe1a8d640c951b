import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';

const byTracking = candidateOf(forecastWith());

describe('weighing', () => {
  test('takes four lines: scan, weight, size, Enter', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', '30x20x10', '');
    expect(work.reports()).toEqual([
      { type: 'arrival', forecast_no: 'FC001', express_no: 'SF123456' },
      {
        type: 'weighing',
        forecast_no: 'FC001',
        express_no: 'SF123456',
        weight_kg: 1.25,
        length_cm: 30,
        width_cm: 20,
        height_cm: 10,
      },
    ]);
    expect(work.at).toBe('saving');
    work.do({ type: 'kept' });
    expect([work.at, work.said]).toEqual(['scan', 'saved']);
  });

  test('takes the weight of the scale when it rests', () => {
    const work = new Work().open('SF123456', byTracking);
    work.do({ type: 'reading', reading: { stable: false, kg: 1.1 } }, '');
    expect(work.said).toBe('scaleMoving');
    work.do({ type: 'reading', reading: { stable: true, kg: 1.234 } }, '', '30 20 10', '');
    expect(work.reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 1.234 });
  });

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
    const full = new Work().open('SF123456', byTracking).do({ type: 'full', full: true }, '1.25', '30x20x10', '');
    expect([full.at, full.said]).toEqual(['parcel', 'queueFull']);
  });

  test('keeps lines that are typed while a parcel is looked up or stored', () => {
    const work = new Work().do('SF123456', '1.25', '30x20x10', '', found('SF123456', byTracking));
    work.do({ type: 'opened', scan: 'SF123456', candidate: byTracking });
    expect(work.reports()).toMatchObject([{ type: 'arrival' }, { type: 'weighing', weight_kg: 1.25 }]);
    work.do('SF777777', { type: 'kept' });
    expect(work.effects.at(-1)).toEqual({ do: 'lookup', scan: 'SF777777' });
  });
});
