import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { parseDuration } from './duration.ts';

describe('parseDuration', () => {
  test.each([
    ['0s', 0],
    ['500ms', 500],
    ['5s', 5000],
    ['1.5s', 1500],
    ['30m', 1_800_000],
    ['2h', 7_200_000],
    ['90d', 7_776_000_000],
    [' 5s ', 5000],
  ])('reads %p as %p milliseconds', (text, ms) => {
    expect(parseDuration(text)).toBe(ms);
  });

  test.each(['', '5', 's', '-5s', '5 s', '5S', '5w', '5s6m', '1e3s', '.5s', '5.s', 'Infinitys'])('refuses %p', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });

  test('is linear in the number, for every unit', () => {
    const unit = fc.constantFrom('ms', 's', 'm', 'h', 'd');
    fc.assert(
      fc.property(fc.nat(1000), unit, (count, name) => {
        expect(parseDuration(`${count}${name}`)).toBe(count * (parseDuration(`1${name}`) as number));
      }),
    );
  });
});
