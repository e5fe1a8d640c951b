import { describe, expect, test } from '@jest/globals';
import { copySheets, labelFormats, labelPages, labelSize } from './label-format.ts';

describe('a label', () => {
  test.each([
    ['100x150', 100, 150],
    ['60x40', 60, 40],
    ['a4', 105, 74.25],
  ] as const)('on %s is %d by %d mm', (page, width, height) => {
    expect(labelSize(labelFormats[page])).toEqual({ width, height });
  });

  test.each(labelPages)('on %s has room for its codes', (page) => {
    const format = labelFormats[page];
    const { width, height } = labelSize(format);
    expect(format.margin * 2 + format.bars + format.matrix).toBeLessThan(height);
    expect(format.margin * 2 + format.matrix).toBeLessThan(width);
  });
});

describe('copies', () => {
  test.each([
    ['100x150', [2, 3], 1, 6],
    ['a4', [2, 3], 2, 1],
    ['a4', [2, 5], 2, 2],
    ['60x40', [], 1, 1],
  ] as const)('on %s of %j and %d labels of the carton take %d sheets', (page, quantities, carton, sheets) => {
    expect(copySheets(labelFormats[page], quantities, carton)).toBe(sheets);
  });
});
