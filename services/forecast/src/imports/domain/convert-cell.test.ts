import { describe, expect, test } from '@jest/globals';
import { type Cell, charactersOf, convertCell } from './convert-cell.ts';
import { protectedText, unprotectedText } from './failed-rows.ts';
import type { FieldKind } from './import-fields.ts';

const converted = (cell: Cell | undefined, kind: FieldKind) => {
  const { value, error } = convertCell(cell, { kind });
  return error === undefined ? value : error.rule;
};

describe('a cell', () => {
  test.each<[FieldKind, Cell | undefined, string | number | undefined]>([
    ['text', ' Lamp ', 'Lamp'],
    ['text', 1e20, '100000000000000000000'],
    ['text', true, 'TRUE'],
    ['text', '  ', undefined],
    ['text', null, undefined],
    ['text', undefined, undefined],
    ['text', { error: '#REF!' }, 'cell_error'],
    ['text', '#REF!', 'cell_error'],
    ['text', '#REF! of 2025', '#REF! of 2025'],
    ['number-text', ' #N/A ', 'cell_error'],
    ['integer', '#DIV/0!', 'cell_error'],
    ['number-text', '0012', '0012'],
    ['number-text', 9405219000, '9405219000'],
    ['number-text', 1234567890123456, 'lost_digits'],
    ['number-text', 1.25e23, 'lost_digits'],
    ['number-text', '4.00638E+12', 'lost_digits'],
    ['number-text', '4,00638E+12', 'lost_digits'],
    ['number-text', '1E5', '1E5'],
    ['number-text', 999_999_999_999_999, '999999999999999'],
    ['number-text', -1e15, 'lost_digits'],
    ['number-text', 'A-1E+10', 'A-1E+10'],
    ['number-text', 1.5, '1.5'],
    ['forecast-type', 2, 2],
    ['forecast-type', ' Stock Replenishment', 1],
    ['forecast-type', '直邮贴单', 2],
    ['forecast-type', '备货', 1],
    ['forecast-type', 'express', 'type'],
    ['forecast-type', ' 1 ', 1],
    ['integer', '12', 12],
    ['integer', '12.0', 12],
    ['integer', 12, 12],
    ['integer', 12.5, 'type'],
    ['integer', '1,200', 'type'],
    ['integer', '12 pcs', 'type'],
    ['integer', '1E+3', 'lost_digits'],
    ['integer', true, 'type'],
    ['integer', '-3', -3],
    ['integer', '12.5', 'type'],
    ['integer', '$12', 'type'],
    ['integer', '1234567890123456', 'type'],
    ['number', '12.50', 12.5],
    ['number', '.5', 0.5],
    ['number', '0.0333333333333333', 0.0333333333333333],
    ['number', '0x10', 'type'],
    ['number', '12,5', 'type'],
    ['number', '-2.5 ', -2.5],
    ['number', '2.5 kg', 'type'],
    ['day', '2026-01-31', '2026-01-31'],
    ['day', '2026/1/3', '2026-01-03'],
    ['day', '2026-01-31T00:00:00', '2026-01-31'],
    ['day', 46053, '2026-01-31'],
    ['day', '46053', '2026-01-31'],
    ['day', ' 2026.01.31 00:00 ', '2026-01-31'],
    ['day', '2026-01-31T12:00:00', 'format'],
    ['day', '2026-01-31 or later', 'format'],
    ['day', 36_525, 'format'],
    ['day', 36_526, '2000-01-01'],
    ['day', 73_415.5, '2100-12-31'],
    ['day', 73_416, 'format'],
    ['day', 20260131, 'format'],
    ['day', 1, 'format'],
    ['day', '31.01.2026', 'format'],
    ['day', false, 'format'],
  ])('as %s: %j gives %j', (kind, cell, expected) => {
    expect(converted(cell, kind)).toBe(expected);
  });
});

test('a row has as many characters as its line of a CSV file', () => {
  expect(charactersOf(['ab', null, 12, true, { error: '#N/A' }])).toBe('ab,,12,true,#N/A\n'.length);
});

test.each(['=1+1', '+49 123', '-5', '@A1', '\tx', '\rx', '＝1', '＋1', '－1', '＠1'])('%j is protected, and read as it was', (text) => {
  expect(protectedText(text)).toBe(`'${text}`);
  expect(unprotectedText(`'${text}`)).toBe(text);
});

test.each([
  ['lamp;=HYPERLINK("http://x";"y");z', `lamp;'=HYPERLINK("http://x";"y");z`],
  ['a\t=1', "a\t'=1"],
  ['a,+1,-2', "a,'+1,'-2"],
  ['a\n=1\r\n@2\r＝3', "a\n'=1\r\n'@2\r'＝3"],
  ['a;"=1"', `a;'"=1"`],
  ["'=1", "''=1"],
  ["a;'=1", "a;''=1"],
  [";=1;'-1", ";'=1;''-1"],
  ['\t=1', "'\t'=1"],
])('%j is protected as %j, and read as it was', (text, written) => {
  expect(protectedText(text)).toBe(written);
  expect(unprotectedText(written)).toBe(text);
});

test.each(['', 'P1', 'a; -b', 'size 5, 6; 7', 'a-b;c=d,e@f', 'line\nline', `a;"'=1"`, "'s-Gravenhage", "'", 'a=b', '台灯'])(
  '%j stays as it is',
  (text) => {
    expect([protectedText(text), unprotectedText(text)]).toEqual([text, text]);
  },
);
