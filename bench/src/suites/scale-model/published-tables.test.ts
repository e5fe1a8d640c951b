import { expect, test } from '@jest/globals';
import { numberIn, publishedNumber, tableBelow } from './published-tables.ts';

const page = '# Page\n\n### One\n\nText.\n\n| A | B, ms |\n| - | ----: |\n| x | 1,234 |\n| y |       |\n\n### Two\n\nNo table.\n';

test('the table below a heading is read, and a number of it', () => {
  const table = tableBelow(page, 'One');
  expect(table).toEqual({
    columns: ['A', 'B, ms'],
    lines: [
      ['x', '1,234'],
      ['y', ''],
    ],
  });
  expect(publishedNumber(table, ['x'], 'B, ms')).toBe(1234);
});

test.each([
  ['a heading', () => tableBelow(page, 'Three'), 'no heading "Three"'],
  ['a table', () => tableBelow(page, 'Two'), 'no table below "Two"'],
  ['a column', () => publishedNumber(tableBelow(page, 'One'), ['x'], 'C'), 'lacks the column C'],
  ['a line', () => publishedNumber(tableBelow(page, 'One'), ['z'], 'B, ms'), 'lacks the line z'],
  ['a number', () => publishedNumber(tableBelow(page, 'One'), ['y'], 'B, ms'), 'y: B, ms is ""'],
])('what lacks is named: %s', (_what, read, message) => {
  expect(read).toThrow(message);
});

test.each(['', '1.2.3', 'never', '-1', '1e3'])('"%s" is no published number', (cell) => {
  expect(() => numberIn(cell, 'It')).toThrow('It is');
});
