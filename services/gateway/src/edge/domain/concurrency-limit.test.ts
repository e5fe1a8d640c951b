import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const LEAST = 4;
const MOST = 128;

describe('the requests that a service is given at once', () => {
  let limit: ConcurrencyLimit;
  let now: number;

  beforeEach(() => {
    limit = new ConcurrencyLimit({ most: MOST, least: LEAST });
    now = 1000;
  });

  const share = (): void => {
    limit.came('tenant a', now);
    limit.came('tenant b', now);
  };
  /** So many responses within a window. */
  const respond = (count: number, tookMs: number, { kind = 'POST /forecasts', isWanted = true, ago = tookMs } = {}): void => {
    for (let index = 0; index < count; index += 1) {
      now += 110 / count;
      limit.responded({ kind, sentAt: now - ago, tookMs }, isWanted, now);
    }
  };
  const windows = (count: number, tookMs: number, isWanted = true): void => {
    for (let index = 0; index < count; index += 1) respond(20, tookMs, { isWanted });
  };

  test('are without a limit while one holder uses it', () => {
    limit.came('tenant a', now);
    limit.came('tenant a', now);
    respond(100, 50);
    expect(limit.at(now)).toBeUndefined();
  });

  test('are few while it is measured how long one takes, then grow while others wait and none takes longer', () => {
    share();
    expect(limit.at(now)).toBe(LEAST);
    now += 10;
    respond(20, 5);
    expect(limit.at(now)).toBe(LEAST);
    windows(10, 5);
    expect(limit.at(now)).toBeGreaterThan(15);
    expect(limit.at(now)).toBeLessThan(25);
    windows(60, 5);
    expect(limit.at(now)).toBe(MOST);
  });

  test('do not grow while nobody waits', () => {
    share();
    now += 10;
    respond(20, 5, { isWanted: false });
    windows(50, 5, false);
    expect(limit.at(now)).toBe(LEAST);
  });

  test('shrink by as much as requests take longer, by half at most in 100 ms, and never below the least', () => {
    share();
    now += 10;
    respond(20, 10);
    windows(20, 10);
    const before = limit.at(now) as number;
    windows(1, 14, false);
    expect(limit.at(now)).toBeLessThan(before);
    expect(limit.at(now)).toBeGreaterThan(0.85 * before);
    windows(2, 500, false);
    expect(limit.at(now)).toBeLessThanOrEqual(before / 2);
    windows(20, 500);
    expect(limit.at(now)).toBe(LEAST);
  });

  test('are not measured by requests that were sent before the measurement', () => {
    share();
    now += 10;
    respond(50, 500);
    expect(limit.at(now)).toBe(LEAST);
    now += 1000;
    respond(20, 5);
    windows(1, 25);
    // Five times as long as alone.
    expect(limit.at(now)).toBe(LEAST);
  });

  test('are the same behind each measurement as before, and a measurement at most doubles what one takes', () => {
    share();
    now += 10;
    respond(20, 5);
    windows(89, 5);
    const before = limit.at(now);
    expect(before).toBe(MOST);
    windows(2, 5);
    expect(limit.at(now)).toBe(LEAST);
    now += 200;
    respond(20, 50);
    expect(limit.at(now)).toBe(MOST);
    windows(1, 25);
    // Ten milliseconds count as unhurried now: requests take twice as long as they may.
    expect(limit.at(now)).toBe(MOST / 2 + 1 + MOST / 16);
  });

  test('do not shrink because of another kind of request, however quick that one is', () => {
    share();
    now += 30;
    const mixed = (): void => {
      for (let index = 0; index < 20; index += 1) {
        now += 3;
        for (const [kind, tookMs] of [
          ['GET /forecasts/{po_number}', 1],
          ['POST /forecasts', 20],
        ] as const)
          limit.responded({ kind, sentAt: now - tookMs, tookMs }, true, now);
      }
    };
    mixed();
    for (let index = 0; index < 100; index += 1) mixed();
    expect(limit.at(now)).toBeGreaterThan(20);
  });

  test('are without a limit again a minute after the second holder came last', () => {
    share();
    now += 59_999;
    expect(limit.at(now)).toBe(LEAST);
    now += 1;
    expect(limit.at(now)).toBeUndefined();
    limit.came('tenant b', now);
    expect(limit.at(now)).toBeUndefined();
    limit.came('tenant a', now);
    expect(limit.at(now)).toBe(LEAST);
  });
});
