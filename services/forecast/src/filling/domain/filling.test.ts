import { expect, test } from '@jest/globals';
import { placeInText, stepOf, textOfPlace } from './filling.ts';

test('the text of a place leads back to it, and no text is the beginning', () => {
  for (const place of [
    { pass: 1, hasFilled: false, after: null },
    { pass: 2, hasFilled: true, after: 'tnt_a F1' },
    { pass: 1, hasFilled: false, after: '17' },
  ]) {
    expect(placeInText(textOfPlace(place))).toEqual(place);
  }
  expect(placeInText('')).toEqual({ pass: 1, hasFilled: false, after: null });
});

test('a step takes as many forecasts as have 2000 items together, and one at least', () => {
  const forecasts = (...counts: readonly number[]) => counts.map((itemCount) => ({ itemCount }));
  const taken = (...counts: readonly number[]) => stepOf(forecasts(...counts)).length;
  expect([taken(), taken(1, 2), taken(1000, 1000, 1), taken(2000, 1), taken(1999, 2), taken(2001, 1)]).toEqual([0, 2, 2, 1, 1, 1]);
});
