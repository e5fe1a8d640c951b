import { describe, expect, test } from '@jest/globals';
import { isWorthKeeping, paceAfter, STEADY, slowdownEnd } from './pace.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;

describe('the pace of an endpoint', () => {
  test.each([429, 502, 504])('slows down with each response of %i, to a limit', (status) => {
    let pace = STEADY;
    const waits: number[] = [];
    for (let response = 0; response < 8; response += 1) {
      pace = paceAfter(pace, status, null, NOW + response * HOUR);
      waits.push(pace.until - (NOW + response * HOUR));
    }
    expect(waits).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  test('keeps to Retry-After, for a minute at most', () => {
    expect(paceAfter(STEADY, 429, 5000, NOW).until).toBe(NOW + 5000);
    expect(paceAfter(STEADY, 503, 5000, NOW).until).toBe(NOW + 5000);
    expect(paceAfter(STEADY, 429, HOUR, NOW).until).toBe(NOW + 60_000);
  });

  test.each([500, 503, 400, 410, null])('is not touched by %p', (status) => {
    expect(paceAfter(STEADY, status, null, NOW)).toBe(STEADY);
  });
});

describe('a pause', () => {
  test('is worth writing down when it lasts a second, and again when it has grown by one', () => {
    expect(isWorthKeeping(NOW + 999, null, NOW)).toBe(false);
    expect(isWorthKeeping(NOW + 1000, null, NOW)).toBe(true);
    expect(isWorthKeeping(NOW + 1000, NOW - 1, NOW)).toBe(true);
    expect(isWorthKeeping(NOW + 3999, NOW + 3000, NOW)).toBe(false);
    expect(isWorthKeeping(NOW + 4000, NOW + 3000, NOW)).toBe(true);
    expect(isWorthKeeping(STEADY.until, NOW + 3000, NOW)).toBe(false);
  });

  test('is written down over one that a clock far ahead has left', () => {
    expect(isWorthKeeping(NOW + 4000, NOW + HOUR, NOW)).toBe(true);
  });

  test('that was written down counts until it is over, and not at all when a clock far ahead wrote it', () => {
    expect(slowdownEnd(null, NOW)).toBe(0);
    expect(slowdownEnd(NOW, NOW)).toBe(0);
    expect(slowdownEnd(NOW + 1, NOW)).toBe(NOW + 1);
    expect(slowdownEnd(NOW + 120_000, NOW)).toBe(NOW + 120_000);
    expect(slowdownEnd(NOW + 120_001, NOW)).toBe(0);
  });
});
