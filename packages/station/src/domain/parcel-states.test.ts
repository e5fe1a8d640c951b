import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const photo: Action = { type: 'photo', photo: { id: 'a', url: 'blob:a' } };
const back: Action = { type: 'escape' };
const correct = (what: 'weight' | 'size'): Action => ({ type: 'correct', what });
const opened = (status: 1 | 7 = 1): Work => new Work().open('SF123456', candidateOf(forecastWith({ status })));

test('what was weighed and how many photos there are is said when a parcel is done', () => {
  const work = opened().do('2.25', '30x20x10', '', { type: 'kept' });
  expect(work.bench.notice).toMatchObject({ key: 'saved', done: { weightKg: 2.25, photos: 0 } });
  expect(opened().do(photo, 'E', { type: 'kept' }).bench.notice?.done).toEqual({ photos: 1 });
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

describe('an exception', () => {
  test('takes photos while it is described', () => {
    for (const lines of [['X'], ['X', '1']]) {
      const work = opened().do(...lines, 'C');
      expect([work.effects.at(-1), work.bench.flow]).toMatchObject([{ do: 'photo', from: 'camera' }, { question: {} }]);
    }
    const work = opened().do('X', '1', photo, 'Crushed');
    expect(work.effects.at(-1)).toMatchObject({ draft: { type: 'exception', text: 'Crushed' }, photos: [{ id: 'a' }] });
  });

  test('stays on the card once it is reported, the latest first', () => {
    const { flow } = opened().do('X', '1', 'Crushed', 'X', '2', '').bench;
    expect(flow).toMatchObject({ subject: { excepted: [{ reason: 'wrong_content' }, { reason: 'damaged', text: 'Crushed' }] } });
  });
});

describe('a parcel that its merchant has cancelled', () => {
  test('is not dispatched, and not weighed by an Enter', () => {
    expect(opened(7).do('D').said).toBe('cancelledParcel');
    expect(opened(7).do({ type: 'reading', reading: { stable: true, kg: 2 } }, '').said).toBe('cancelledParcel');
    expect(opened(7).do('X').bench.flow).toMatchObject({ question: { ask: 'reason' } });
  });

  test('is weighed when somebody types a weight: the platform keeps it', () => {
    expect(opened(7).do('2', '3x2x1', '').reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 2 });
  });
});
