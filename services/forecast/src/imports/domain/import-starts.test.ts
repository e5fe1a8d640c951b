import { expect, test } from '@jest/globals';
import { ImportStarts, MAX_STARTS } from './import-starts.ts';

test('an import may start so often without getting further, in as many processes', () => {
  let place = '';
  const begin = (): boolean => {
    const starts = new ImportStarts(place);
    const isAllowed = starts.begin('imp_1');
    place = starts.toString();
    return isAllowed;
  };
  for (let start = 0; start < MAX_STARTS; start += 1) expect(begin()).toBe(true);
  expect(begin()).toBe(false);
});

test('what got further is forgotten, and the others are kept', () => {
  const starts = new ImportStarts('imp_a1 3;imp_b2 5');
  expect([starts.forget('imp_a1'), starts.forget('imp_a1'), starts.begin('imp_b2')]).toEqual([true, false, false]);
  expect(starts.toString()).toBe('imp_b2 6');
});

test('another place counts as nothing', () => {
  expect(`${new ImportStarts('tnt_a')}`).toBe('');
});
