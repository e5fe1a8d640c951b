import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { node } from '../../testing/samples.ts';
import { instantOf, localTime, nodeInstant, offsetOf } from './node.ts';

describe('instantOf', () => {
  test.each([
    ['2026-11-21 16:00:00', '(GMT+08:00)', '2026-11-21T08:00:00Z'],
    ['2026-11-21 00:30:00', '(GMT-05:30)', '2026-11-21T06:00:00Z'],
    ['2024-02-29 23:59:59', '(GMT+00:00)', '2024-02-29T23:59:59Z'],
    ['2027-01-01 10:00:00', '(GMT+14:00)', '2026-12-31T20:00:00Z'],
    ['2027-01-01 10:00:00', '(GMT-12:00)', '2027-01-01T22:00:00Z'],
  ])('reads %s %s', (createTime, times, instant) => {
    expect(instantOf(createTime, times)).toBe(Date.parse(instant));
  });

  test.each([
    ['2026-02-30 10:00:00', '(GMT+08:00)'],
    ['2026-11-21 24:00:00', '(GMT+08:00)'],
    ['2026-11-21T10:00:00', '(GMT+08:00)'],
    ['2026-11-21 10:00:00', 'GMT+08:00'],
    ['2026-11-21 10:00:00', '(GMT+14:01)'],
    ['2026-11-21 10:00:00', '(GMT-12:30)'],
    ['2026-11-21 10:00:00', '(GMT+08:60)'],
    ['2026-11-21 10:00:00', 'x(GMT+08:00)'],
    ['2026-11-21 10:00:00', '(GMT+08:00)x'],
    ['x2026-11-21 10:00:00', '(GMT+08:00)'],
    ['2026-11-21 10:00:00x', '(GMT+08:00)'],
  ])('refuses %p %p', (createTime, times) => {
    expect(instantOf(createTime, times)).toBeUndefined();
  });

  test('reads what localTime writes, in every zone', () => {
    const zone = fc.integer({ min: -48, max: 56 }).map((quarters) => quarters * 15);
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 4_000_000_000 }), zone, (seconds, minutes) => {
        const size = Math.abs(minutes);
        const two = (number: number): string => String(number).padStart(2, '0');
        const times = `(GMT${minutes < 0 ? '-' : '+'}${two(Math.floor(size / 60))}:${two(size % 60)})`;
        const offset = offsetOf(times);
        expect(offset).toBe(minutes * 60_000);
        expect(instantOf(localTime(seconds * 1000, offset as number), times)).toBe(seconds * 1000);
      }),
    );
  });
});

test('a node of a time that does not exist is a defect, and names it', () => {
  const impossible = node(0, 'In Transit', { createTime: '2026-02-30 10:00:00' });
  expect(() => nodeInstant(impossible)).toThrow('A node has the time 2026-02-30 10:00:00 (GMT+08:00), which does not exist');
});
