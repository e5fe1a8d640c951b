import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { found, Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const photo = (id: string): Action => ({ type: 'photo', photo: { id, url: `blob:${id}` } });
const byTracking = candidateOf(forecastWith());

describe('weighing', () => {
  test('of a number that is scanned into the weight is refused as long as something is entered', () => {
    const work = new Work().open('SF123456', byTracking).do('420941097365');
    expect(work.effects.at(-1)).toEqual({ do: 'lookup', scan: '420941097365' });
    const entered = new Work().open('SF123456', byTracking).do('1.25', '420941097365');
    expect([entered.at, entered.said]).toEqual(['parcel', 'refusedAtSize']);
  });

  test('takes nothing but Enter or Escape after a scan that was refused: it may belong to the other parcel', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', '30x20x10', 'SF777777');
    expect(work.bench.notice).toMatchObject({ key: 'scanRefused', value: 'PO-1', detail: 'SF777777' });
    for (const line of ['9.9', '50x40x30', '=', 'D', 'SF777777', 'SF123456']) {
      expect([work.do(line).said, work.bench.flow]).toMatchObject(['scanRefused', { weightKg: 1.25, size: { lengthCm: 30 } }]);
    }
    work.do('');
    expect(work.reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 1.25, length_cm: 30 });
  });

  test('goes on after a refused scan with what is typed, not with what lies on the scale', () => {
    const refused = (...lines: string[]) => new Work().open('SF123456', byTracking).do(photo('a'), ...lines, 'SF777777');
    const scale: Action = { type: 'reading', reading: { stable: true, kg: 9 } };
    const work = refused().do(scale, '');
    expect([work.said, work.bench.flow]).toMatchObject(['typeWeight', { at: 'parcel' }]);
    expect(work.bench.flow).not.toHaveProperty('weightKg');
    expect(work.do('1.25').bench.flow).toMatchObject({ weightKg: 1.25 });
    expect([refused('1.25').do('').said, refused('1.25').do({ type: 'escape' }).said]).toEqual(['typeSize', 'escapeAgain']);
    expect(refused('1.25').do({ type: 'escape' }, '2').bench.flow).toMatchObject({ at: 'parcel', photos: [{ id: 'a' }] });
    expect(refused('1.25').do({ type: 'escape' }, { type: 'escape' }).at).toBe('scan');
  });

  test('gives way to another parcel only for a number that is known', () => {
    const open = (line: string) => new Work().open('SF123456', byTracking).do(line, '9.9');
    const other = candidateOf(forecastWith({ forecast_no: 'FC002' }));
    expect(open('250000').do(found('250000', other)).effects.at(-1)).toMatchObject({ do: 'open', candidate: other });
    const mistyped = open('250000').do(found('250000'));
    expect([mistyped.said, mistyped.bench.flow]).toMatchObject(['noWeight', { at: 'parcel', subject: { scan: 'SF123456' } }]);
    expect(mistyped.bench.flow).not.toHaveProperty('weightKg');
    // A number that nobody announced: what was typed after it is of its parcel.
    const unknown = open('SF999999').do(found('SF999999'));
    expect(unknown.bench.notice).toMatchObject({ key: 'notKnown', value: 'PO-1', detail: 'SF999999' });
    expect(unknown.do('9.9').said).toBe('refusedAtWeight');
    expect(unknown.do('', '1.25').bench.flow).toMatchObject({ subject: { scan: 'SF123456' }, weightKg: 1.25 });
    expect(open('SF999999').do(found('SF999999'), { type: 'escape' }).at).toBe('scan');
    expect(open('SF999999').do({ type: 'lookup-failed', scan: 'SF999999' }).said).toBe('refusedAtWeight');
  });
});
