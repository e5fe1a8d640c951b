import { describe, expect, test } from '@jest/globals';
import { cleanLine, commandOf, isWrongWeight, resemblesSize, resemblesWeight, sizeOf, type TypedKeys, weightOf, withKey } from './entry.ts';
import { editableFields, fixedReport } from './report.ts';
import { linesOf, scaleReadingOf } from './weighing.ts';

describe('a weight', () => {
  test.each([
    ['1.25', 1.25, false],
    ['1,25', 1.25, false],
    ['2', 2, false],
    ['1234', 1234, false],
    ['0.005', 0.005, false],
    ['800 g', 0.8, true],
    ['800g', 0.8, true],
    ['1.5 KG', 1.5, true],
    ['2lb', 0.9072, true],
    ['12000 g', 12, true],
    ['1.5公斤', 1.5, true],
  ])('%j', (line, kg, withUnit) => expect(weightOf(line)).toEqual({ kg, withUnit }));

  test.each(['', '0', '0.000', '-1', 'abc', '1.2.3', '12345', '420941097365', 'SF123', '1 2', '1e3', 'kg', 'Infinity'])(
    '%j is none',
    (line) => expect(weightOf(line)).toBeUndefined(),
  );
});

describe('a weight gone wrong', () => {
  test.each(['1.25o', '-1', '+1', '0', '0.0', '1.2.3', '1.25 kgs', '12o', '.5', '0 kg', '1,25l'])('%j is no number of a parcel', (line) =>
    expect(isWrongWeight(line)).toBe(true),
  );
  test.each(['250000', '0000', '4501AB'])('%j may be one', (line) =>
    expect([isWrongWeight(line), resemblesWeight(line)]).toEqual([false, true]),
  );
  test.each(['SF123456', '420941097365', 'PO-1', '1Z999AA10123456784', '#2', '12-34'])('%j does not look like it', (line) =>
    expect(resemblesWeight(line)).toBe(false),
  );
});

describe('a size', () => {
  test.each([
    ['30x20x10', [30, 20, 10]],
    ['30 20 10', [30, 20, 10]],
    ['30*20*10 cm', [30, 20, 10]],
    ['32,5 x 24 x 11,2', [32.5, 24, 11.2]],
    ['30,20,10', [30, 20, 10]],
    ['30×20×10', [30, 20, 10]],
    ['30;20;10', [30, 20, 10]],
    ['30/20/10', [30, 20, 10]],
    ['300X200X105mm', [30, 20, 10.5]],
    ['30x20x10厘米', [30, 20, 10]],
  ])('%j', (line, [lengthCm, widthCm, heightCm]) => expect(sizeOf(line)).toEqual({ lengthCm, widthCm, heightCm }));

  test.each([
    '',
    '30x20',
    '30x20x10x5',
    '0x20x10',
    '30x-20x10',
    'axbxc',
    '3020',
    '30x20x',
    'SF 1234 5678 9012',
    '1234 5678 9012',
    '1e2x3x4',
  ])('%j is none', (line) => expect(sizeOf(line)).toBeUndefined());
});

describe('a size gone wrong', () => {
  test.each(['30x20', '0x1x1', '30x20x1o', '30x20x10000', '30x20x10x5', '30x', '30 x -20 x 10', '30x20x10 m', '30 20', '30/20/1o'])(
    '%j looks like it',
    (line) => expect(resemblesSize(line)).toBe(true),
  );
  test.each(['1.25', 'X00123', '1Z999AA10123456784', '1234 5678 9012', '2024/0117', '420941097365', '9x12345678', 'SF 12 34'])(
    '%j does not',
    (line) => expect(resemblesSize(line)).toBe(false),
  );
});

describe('a line', () => {
  test('loses what a scanner sends besides the number', () => {
    expect(cleanLine('\u001d]C1SF1234\r')).toBe(']C1SF1234');
    expect(cleanLine(`  ${'9'.repeat(2000)}  `)).toHaveLength(1024);
  });

  test.each([
    ['l', 'label'],
    ['X', 'exception'],
  ] as const)('%j asks for %s', (line, command) => expect(commandOf(line)).toBe(command));

  test.each(['', '1', 'LL', 'SF12', '<', 'toString'])('%j asks for nothing', (line) => expect(commandOf(line)).toBeUndefined());
});

const press = (...keys: string[]): TypedKeys =>
  keys.reduce<TypedKeys>(({ typed }, key) => withKey(typed, key), { typed: '', taken: false });

test('a number and Enter are a scan, with its spaces and capitals', () => {
  expect(press(...'SF 123', 'Shift', ...'-X', 'Enter')).toEqual({ typed: '', scan: 'SF 123-X', taken: true });
});

test.each([['Enter'], ['R', 'Enter'], [' '], ['Tab'], ['S', 'F', '1', '2', 'Tab', 'Enter'], ['S', 'F', '1', '2', 'Escape', 'Enter']])(
  'the keys %j are left to the button that has the focus',
  (...keys) => {
    expect(press(...keys)).toEqual({ typed: '', taken: false });
  },
);

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

const weighing = { type: 'weighing', express_no: 'SF1234', weight_kg: 1, length_cm: 30, width_cm: 20, height_cm: 10 } as const;

test('a report shows the fields that can be changed', () => {
  expect(editableFields(weighing)).toEqual([
    ['express_no', 'SF1234'],
    ['weight_kg', '1'],
    ['length_cm', '30'],
    ['width_cm', '20'],
    ['height_cm', '10'],
  ]);
});

test('numbers stay numbers, an empty field is left out, others stay', () => {
  expect(fixedReport({ ...weighing, forecast_no: 'FC1' }, { weight_kg: '1,5', express_no: ' ' })).toEqual({
    type: 'weighing',
    forecast_no: 'FC1',
    weight_kg: 1.5,
    length_cm: 30,
    width_cm: 20,
    height_cm: 10,
  });
});
