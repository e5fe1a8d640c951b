import { beforeEach, describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const LEAST = 4;
const MOST = 128;

describe('the requests that a service is given at once', () => {
  let limit: ConcurrencyLimit;
  let now: number;
  let loopUse: number;

  beforeEach(() => {
    limit = new ConcurrencyLimit({ most: MOST, measured: LEAST, least: LEAST, loopUse: () => loopUse });
    now = 1000;
    loopUse = 0;
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
    now += 260;
    respond(20, 5);
    expect(limit.at(now)).toBe(LEAST);
    windows(10, 5);
    expect(limit.at(now)).toBeGreaterThan(15);
    expect(limit.at(now)).toBeLessThan(30);
    windows(60, 5);
    expect(limit.at(now)).toBe(MOST);
  });

  test('do not grow while nobody waits', () => {
    share();
    now += 260;
    respond(20, 5, { isWanted: false });
    windows(50, 5, false);
    expect(limit.at(now)).toBe(LEAST);
  });

  test('shrink by as much as requests take longer, by half at most in 100 ms, and never below the least', () => {
    share();
    now += 260;
    respond(20, 10);
    windows(20, 10);
    const before = limit.at(now) as number;
    windows(2, 16, false);
    expect(limit.at(now)).toBeLessThan(before);
    expect(limit.at(now)).toBeGreaterThan(0.7 * before);
    windows(2, 500, false);
    expect(limit.at(now)).toBeLessThanOrEqual(before / 2);
    windows(20, 500);
    expect(limit.at(now)).toBe(LEAST);
  });

  test('shrink while the event loop works for too large a part of its time', () => {
    share();
    now += 260;
    respond(20, 10);
    windows(20, 10);
    const before = limit.at(now) as number;
    loopUse = 0.75;
    windows(1, 10);
    expect(limit.at(now)).toBeGreaterThan(before);
    loopUse = 1;
    windows(20, 10);
    expect(limit.at(now)).toBe(LEAST);
  });

  describe('below one', () => {
    beforeEach(() => {
      limit = new ConcurrencyLimit({ most: MOST, measured: 1, least: 0.1, loopUse: () => loopUse });
      share();
      now += 260;
      respond(20, 10);
      windows(20, 100);
    });

    test('are reached for holders that wait, and grow again when requests are quick', () => {
      expect(limit.at(now)).toBe(0.1);
      windows(3, 10);
      expect(limit.at(now)).toBeGreaterThan(0.12);
      expect(limit.at(now)).toBeLessThan(0.25);
    });

    test('end when nobody waits, whatever requests take', () => {
      windows(15, 100, false);
      expect(limit.at(now)).toBe(1);
    });

    test('end when hardly any request comes, of any kind', () => {
      for (let second = 0; second < 20; second += 1) {
        now += 1000;
        if (second % 10 === 0) share();
        limit.responded({ kind: 'GET /other', sentAt: now - 5, tookMs: 5 }, false, now);
      }
      expect(limit.at(now)).toBe(1);
    });

    test('are at most a half while it is measured', () => {
      while ((limit.at(now) as number) <= 0.5) windows(1, 10);
      expect(limit.at(now)).toBeLessThan(1);
      now += 10_000;
      share();
      limit.responded({ kind: 'POST /forecasts', sentAt: now - 10, tookMs: 10 }, true, now);
      expect(limit.at(now)).toBe(0.5);
    });
  });

  test('do not shrink because of a single request that hangs', () => {
    share();
    now += 260;
    respond(20, 10);
    windows(5, 10);
    const before = limit.at(now) as number;
    limit.responded({ kind: 'POST /forecasts', sentAt: now - 5000, tookMs: 5000 }, true, now);
    respond(20, 10);
    expect(limit.at(now)).toBeGreaterThan(before);
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

  /** A measurement, and the windows until the next one. @returns the limit between them */
  const measureAndFollow = (measuredMs: number, tookMs: number): number | undefined => {
    share();
    now += 260;
    respond(12, measuredMs, { ago: 0 });
    windows(80, tookMs);
    const found = limit.at(now);
    now += 10_000 - 80 * 110;
    windows(1, tookMs);
    return found;
  };

  test('are the same behind each measurement as before, and the two least of the last measurements count', () => {
    share();
    for (let measurement = 0; measurement < 3; measurement += 1) expect(measureAndFollow(5, 5)).toBe(MOST);
    // The service takes ten times as long, and the five milliseconds of before count on.
    for (let measurement = 0; measurement < 5; measurement += 1) expect(measureAndFollow(50, 50)).toBe(LEAST);
    // No measurement of five milliseconds is left.
    expect(measureAndFollow(50, 50)).toBe(MOST);
  });

  test('follow what requests take today when holders share again after a while', () => {
    share();
    for (let measurement = 0; measurement < 4; measurement += 1) measureAndFollow(5, 5);
    now += 12 * 3_600_000;
    expect(measureAndFollow(50, 50)).toBe(MOST);
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
