import { describe, expect, test } from '@jest/globals';
import { linesOf, scaleReadingOf } from './scale-line.ts';

describe('a line of a scale', () => {
  test.each([
    ['ST,GS,+  1.234kg', true, 1.234],
    ['ST,NT,+00.123kg', true, 0.123],
    ['ST,GS,+ 1234.5 g', true, 1.2345],
    ['US,GS,+  1.230kg', false, 1.23],
    ['US,NT,   0.5kg', false, 0.5],
    ['S S      2.415 kg', true, 2.415],
    ['S D      2.41 kg', false, 2.41],
    ['st,gs,+1.5KG', true, 1.5],
    ['+  3.20 kg', true, 3.2],
    ['  0.75 kg  ', true, 0.75],
    ['ST,GS,+  2.000lb', true, 0.9072],
    ['ST,GS,+ 10.0oz', true, 0.2835],
    ['N 12.5 kg', true, 12.5],
    ['ST,GS,+150kg', true, 150],
  ])('%j', (line, stable, kg) => expect(scaleReadingOf(line)).toEqual({ stable, kg }));

  test.each([
    '',
    'OL',
    'OL,GS,+  9.999kg',
    'ST,GS,-  0.020kg',
    'ST,GS,+  0.000kg',
    'ST,GS,+  1.234',
    'S I',
    'SF1234567890kg',
    'ST,GS,+ 1.2.3kg',
    '<b>1 kg</b>',
    'QT,GS,+ 5pcs',
  ])('%j is no weight', (line) => expect(scaleReadingOf(line)).toBeUndefined());
});

describe('what comes over the line', () => {
  test('is parted into lines, whatever ends them and wherever it is cut', () => {
    const lines: string[] = [];
    let rest = '';
    for (const chunk of ['ST,GS,+ 1', '.2', '34kg\r', '\nUS,GS,+ 1.2kg\n\n', 'S']) {
      const read = linesOf(rest, chunk);
      lines.push(...read.lines);
      rest = read.rest;
    }
    expect({ lines, rest }).toEqual({ lines: ['ST,GS,+ 1.234kg', 'US,GS,+ 1.2kg'], rest: 'S' });
  });

  test('is dropped when no line ends', () => {
    expect(linesOf('x'.repeat(200), 'y'.repeat(200))).toEqual({ lines: [], rest: '' });
  });
});
