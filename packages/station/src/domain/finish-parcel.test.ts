import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const photo: Action = { type: 'photo', photo: { id: 'a', url: 'blob:a' } };
const opened = (status: 1 | 7 = 1): Work => new Work().open('SF123456', candidateOf(forecastWith({ status })));

test('what was weighed and how many photos there are is said when a parcel is done', () => {
  const work = opened().do('2.25', '30x20x10', '', { type: 'kept' });
  expect(work.bench.notice).toMatchObject({ key: 'saved', done: { weightKg: 2.25, photos: 0 } });
  expect(opened().do(photo, 'E', { type: 'kept' }).bench.notice?.done).toEqual({ photos: 1 });
});

describe('a parcel that its merchant has cancelled', () => {
  test('is not weighed by an Enter, and takes a report', () => {
    expect(opened(7).do({ type: 'reading', reading: { stable: true, kg: 2 } }, '').said).toBe('cancelledParcel');
    expect(opened(7).do('X').bench.flow).toMatchObject({ question: { ask: 'reason' } });
  });

  test('is weighed when somebody types a weight: the platform keeps it', () => {
    expect(opened(7).do('2', '3x2x1', '').reports().at(-1)).toMatchObject({ type: 'weighing', weight_kg: 2 });
  });
});
