import { describe, expect, test } from '@jest/globals';
import { paceAfter, STEADY } from './pace.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;

describe('the pace of an endpoint', () => {
  test.each([429, 502, 504])('slows down with each answer of %i, to a limit, and is steady after a success', (status) => {
    let pace = STEADY;
    const waits: number[] = [];
    for (let answer = 0; answer < 8; answer += 1) {
      pace = paceAfter(pace, false, status, null, NOW + answer * HOUR);
      waits.push(pace.until - (NOW + answer * HOUR));
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
    expect(paceAfter(pace, true, 200, null, NOW)).toEqual(STEADY);
  });

  test('keeps to Retry-After, for a minute at most', () => {
    expect(paceAfter(STEADY, false, 429, 5000, NOW).until).toBe(NOW + 5000);
    expect(paceAfter(STEADY, false, 503, 5000, NOW).until).toBe(NOW + 5000);
    expect(paceAfter(STEADY, false, 429, HOUR, NOW).until).toBe(NOW + 60_000);
  });

  test.each([500, 503, 400, 410, null])('is not touched by %p', (status) => {
    expect(paceAfter(STEADY, false, status, null, NOW)).toBe(STEADY);
  });
});
