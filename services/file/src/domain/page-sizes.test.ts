import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { millimetres, unusualSizes } from './page-sizes.ts';

const size = (width: number, height: number) => ({ width, height });

describe('the size of a page', () => {
  test.each([
    ['100 × 150 mm', 100, 150],
    ['4 × 6 in', 102, 152],
    ['4 × 6 in, turned', 152, 102],
    ['4 × 8 in', 102, 203],
    ['A4', 210, 297],
    ['A5', 148, 210],
    ['A6', 105, 148],
    ['Letter', 216, 279],
    ['Legal', 216, 356],
    ['50 × 30 mm', 50, 30],
    ['a long piece of a roll', 110, 900],
    ['the smallest label', 20, 20],
  ])('%s is usual', (_what, width, height) => expect(unusualSizes([size(width, height)])).toEqual({}));

  test.each([
    ['A3', 297, 420],
    ['larger than A4 and Letter on both sides', 301, 221],
    ['too narrow', 19, 150],
    ['too low', 150, 19],
    ['longer than any label', 100, 1001],
  ])('%s is unusual', (_what, width, height) => {
    expect(unusualSizes([size(width, height)])).toEqual({ unusual: { page: 1, width, height } });
  });

  test('is named of the first page that is unusual, and of the first that differs', () => {
    expect(unusualSizes([size(100, 150), size(103, 154), size(150, 100), size(210, 297), size(297, 420), size(10, 10)])).toEqual({
      differing: { page: 4, ...size(210, 297) },
      unusual: { page: 5, ...size(297, 420) },
    });
  });

  test('does not depend on how the page is turned', () => {
    const side = fc.integer({ min: 0, max: 2000 });
    fc.assert(
      fc.property(side, side, (a, b) => {
        const [upright, turned] = [unusualSizes([size(a, b)]), unusualSizes([size(b, a)])];
        expect(upright.unusual === undefined).toBe(turned.unusual === undefined);
        expect(unusualSizes([size(a, b), size(b, a)]).differing).toBeUndefined();
      }),
    );
  });

  test('of no page is nothing', () => expect(unusualSizes([])).toEqual({}));
});

test.each([
  [72, 25],
  [288, 102],
  [841.89, 297],
  [0, 0],
])('%d points are %d mm', (points, expected) => expect(millimetres(points)).toBe(expected));
