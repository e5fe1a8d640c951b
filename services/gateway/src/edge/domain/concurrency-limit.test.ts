import { describe, expect, test } from '@jest/globals';
import { ConcurrencyLimit } from './concurrency-limit.ts';

const MOST = 256;
const LEAST = 4;

/** A service with one processor: a request takes `workMs` of it and waits `waitMs` for something else, beside as many others as there are. */
class Service {
  readonly limit = new ConcurrencyLimit({ most: MOST, least: LEAST });
  now = 1000;
  workMs = 1;
  waitMs = 4;

  /** Requests of two holders come. */
  share(): void {
    this.limit.came('tenant a', this.now);
    this.limit.came('tenant b', this.now);
  }

  /** For a time, there are always `wanted` requests that want to go. @returns the limits at the end of each 100 ms */
  load(wanted: number, milliseconds: number): readonly number[] {
    const limits: number[] = [];
    const end = this.now + milliseconds;
    for (let shown = this.now + 100; this.now < end; shown += 100) {
      while (this.now < shown) {
        const underWay = Math.min(wanted, this.limit.limitAt(this.now));
        const tookMs = Math.max(underWay * this.workMs, this.workMs + this.waitMs);
        this.now += tookMs / underWay;
        this.limit.responded(tookMs, underWay, this.now);
      }
      limits.push(this.limit.limitAt(this.now));
    }
    return limits;
  }
}

/** Those at the end. */
const lastOf = (values: readonly number[], count: number): readonly number[] => values.slice(-count);

describe('the requests that a service is given at once', () => {
  test('are all while one holder uses it', () => {
    const service = new Service();
    service.limit.came('tenant a', service.now);
    service.limit.came('tenant a', service.now);
    service.load(100, 2000);
    expect(service.limit.limitAt(service.now)).toBe(MOST);
  });

  test('are few while several share it and it is busy: as many as it works on without delay', () => {
    const service = new Service();
    service.share();
    const limits = lastOf(service.load(100, 8000), 50);
    // Five keep its processor busy: one works, four wait.
    expect(Math.min(...limits)).toBeGreaterThanOrEqual(5);
    expect(Math.max(...limits)).toBeLessThanOrEqual(9);
  });

  test('are more where requests wait for a store that is far away', () => {
    const service = new Service();
    service.waitMs = 49;
    service.share();
    expect(Math.min(...lastOf(service.load(200, 9000), 10))).toBeGreaterThanOrEqual(40);
  });

  test('grow no further than is made use of', () => {
    const service = new Service();
    service.share();
    expect(Math.max(...service.load(2, 8000))).toBe(LEAST);
  });

  test('shrink at once when a burst makes requests slow, and never below the least', () => {
    const service = new Service();
    service.waitMs = 49;
    service.share();
    const before = service.load(200, 9000).at(-1) as number;
    service.workMs = 20;
    const after = service.load(200, 1000).at(-1) as number;
    expect(after).toBeLessThan(before / 4);
    expect(Math.min(...service.load(200, 5000))).toBe(LEAST);
  });

  test('grow again once it is measured that each request takes longer than before', () => {
    const service = new Service();
    service.share();
    service.load(100, 5000);
    service.waitMs = 99;
    const limits = service.load(100, 25_000);
    expect(Math.max(...limits)).toBeGreaterThan(40);
  });

  test('are all again a minute after the second holder came last', () => {
    const service = new Service();
    service.share();
    service.load(100, 59_000);
    expect(service.limit.limitAt(service.now)).toBeLessThan(20);
    service.now += 1100;
    service.limit.came('tenant b', service.now);
    expect(service.limit.limitAt(service.now)).toBe(MOST);
    service.limit.came('tenant a', service.now);
    expect(service.limit.limitAt(service.now)).toBe(LEAST);
  });
});
