import { describe, expect, test } from '@jest/globals';
import { isoInstant, ManualClock } from './clock.ts';

describe('ManualClock', () => {
  test('stands still until it is moved', () => {
    const clock = new ManualClock(1000);
    expect([clock.now(), clock.now()]).toEqual([1000, 1000]);
    clock.advance(250);
    expect(clock.now()).toBe(1250);
  });
});

describe('isoInstant', () => {
  test('writes UTC with the offset spelled out', () => {
    expect(isoInstant(Date.parse('2026-01-31T08:00:00+08:00'))).toBe('2026-01-31T00:00:00.000+00:00');
  });
});
