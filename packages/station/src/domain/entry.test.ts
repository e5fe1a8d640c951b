import { describe, expect, test } from '@jest/globals';
import {
  cleanLine,
  commandOf,
  comparable,
  isParcelNumber,
  isWrongWeight,
  resemblesSize,
  resemblesWeight,
  sizeOf,
  weightOf,
} from './entry.ts';

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

  test('is compared as the platform compares numbers', () => {
    expect(comparable('sf 1234-5678 9012')).toBe('SF123456789012');
  });

  test.each([
    ['SF12', true],
    ['S-F', false],
    ['1'.repeat(64), true],
    ['1'.repeat(65), false],
  ])('%j can be a number: %s', (line, can) => expect(isParcelNumber(line)).toBe(can));
});
