import { expect, test } from '@jest/globals';
import { initialProgress } from './forecast.ts';

test('an accepted forecast has been submitted, and nothing else has happened to it', () => {
  expect(initialProgress(5)).toEqual({
    history: [{ status: 1, at: 5, reason: 'submitted' }],
    measurements: [],
    weighingPhotos: [],
    attachedPhotos: [],
    dispatch: null,
  });
});
