import { describe, expect, test } from '@jest/globals';
import { candidateOf, forecastWith } from '../testing/parcels.ts';
import { Work } from '../testing/work.ts';
import type { Action } from './flow.ts';

const photo = (id: string): Action => ({ type: 'photo', photo: { id, url: `blob:${id}` } });
const byTracking = candidateOf(forecastWith());

describe('Escape', () => {
  test('asks before it discards what was entered', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', photo('a'), { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
    work.do({ type: 'escape' });
    expect([work.at, work.effects.at(-1)]).toEqual(['scan', { do: 'drop-photos', photos: [{ id: 'a', url: 'blob:a' }] }]);
  });

  test('is forgotten when the work goes on', () => {
    const work = new Work().open('SF123456', byTracking).do('1.25', { type: 'escape' }, '30x20x10', { type: 'escape' });
    expect([work.at, work.said]).toEqual(['parcel', 'escapeAgain']);
  });

  test('leaves a question, not the parcel', () => {
    const { flow } = new Work().open('SF123456', byTracking).do('X', { type: 'escape' }).bench;
    expect(flow).toMatchObject({ at: 'parcel' });
    expect(flow).not.toHaveProperty('question');
  });
});
