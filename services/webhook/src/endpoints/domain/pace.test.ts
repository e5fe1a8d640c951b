import { describe, expect, test } from '@jest/globals';
import { FAILURES_TO_PAUSE, isWorthKeeping, type Pace, paceAfter, STEADY, slowdownEnd } from './pace.ts';

const NOW = Date.parse('2026-11-21T08:00:00Z');
const HOUR = 3_600_000;

/** A failure that does not count for the health, unless a test says otherwise. */
const failed = (statusCode: number | null, askedMs: number | null = null, counts = false) => ({ statusCode, askedMs, counts });

describe('the pace of an endpoint', () => {
  const waitsOf = (pace: Pace, failure: ReturnType<typeof failed>, times: number): number[] => {
    let last = pace;
    return Array.from({ length: times }, (_, index) => {
      last = paceAfter(last, failure, NOW + index * HOUR, 1);
      return Math.max(0, last.until - (NOW + index * HOUR));
    });
  };

  test.each([429, 502, 504])('slows down with each response of %i, to a limit', (status) => {
    expect(waitsOf(STEADY, failed(status), 8)).toEqual([250, 500, 1000, 2000, 4000, 8000, 10_000, 10_000]);
  });

  test('keeps to Retry-After, for a minute at most', () => {
    const until = (status: number, askedMs: number) => paceAfter(STEADY, failed(status, askedMs), NOW, 1).until;
    expect([until(429, 5000), until(503, 5000), until(429, HOUR)]).toEqual([NOW + 5000, NOW + 5000, NOW + 60_000]);
  });

  test.each([500, 503, 400, 410, null])('is not touched by %p', (status) => {
    expect(paceAfter(STEADY, failed(status), NOW, 1)).toBe(STEADY);
  });

  test('has pauses that grow from the twentieth failure in a row on, to a minute, and up to a fifth shorter', () => {
    const many = { ...STEADY, failures: FAILURES_TO_PAUSE - 2 };
    expect(waitsOf(many, failed(500, null, true), 9)).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000]);
    expect(paceAfter({ ...many, failures: FAILURES_TO_PAUSE - 1 }, failed(null, null, true), NOW, 0).until).toBe(NOW + 800);
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
