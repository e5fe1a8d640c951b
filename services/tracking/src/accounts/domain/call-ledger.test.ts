import { describe, expect, test } from '@jest/globals';
import {
  blockCalls,
  blockOf,
  type CallLedger,
  type CallLimits,
  type CallPurpose,
  type CallVerdict,
  EMPTY_LEDGER,
  notePush,
  takeCall,
} from './call-ledger.ts';

const HOUR = 3_600_000;
const DAY = 86_400_000;
const MIDNIGHT = Date.UTC(2026, 10, 26);
const NOON = MIDNIGHT + 12 * HOUR;

/** Takes calls from one ledger, each at the given time. */
function taker(limits: Partial<CallLimits>, start: CallLedger = EMPTY_LEDGER) {
  let ledger = start;
  return {
    take(now: number, purpose: CallPurpose = 'query', maxWaitMs = 2000): CallVerdict {
      const decision = takeCall(
        ledger,
        { requestsPerSecond: null, callsPerDay: null, ...limits },
        { kind: 'query', now, purpose, maxWaitMs },
      );
      ({ ledger } = decision);
      return decision.verdict;
    },
    /** How many calls of a purpose are granted at a time. @param most without it, calls that never end are an error */
    takeAll(now: number, purpose: CallPurpose, most?: number): number {
      for (let count = 0; count < (most ?? 10_000); count += 1) if (!this.take(now, purpose).isGranted) return count;
      if (most !== undefined) return most;
      throw new Error('There is no end of calls');
    },
    get ledger(): CallLedger {
      return ledger;
    },
  };
}

describe('the rate', () => {
  test('spreads calls over the second, a quarter further apart than it asks, and refuses who would wait too long', () => {
    const { take } = taker({ requestsPerSecond: 2 });
    const granted = [0, 0, 0, 0].map(() => take(NOON, 'query', 1900));
    expect(granted).toEqual([0, 625, 1250, 1875].map((ms) => ({ isGranted: true, at: NOON + ms })));
    expect(take(NOON, 'query', 1900)).toEqual({ isGranted: false, until: NOON + 2500, reason: 'rate' });
    expect(take(NOON + 600, 'query', 1900)).toEqual({ isGranted: true, at: NOON + 2500 });
  });

  test('may be one call in some seconds', () => {
    const { take } = taker({ requestsPerSecond: 0.2 });
    expect(take(NOON)).toEqual({ isGranted: true, at: NOON });
    expect(take(NOON)).toEqual({ isGranted: false, until: NOON + 6250, reason: 'rate' });
    expect(take(NOON + 5000)).toEqual({ isGranted: true, at: NOON + 6250 });
  });

  test('saves nothing up while nobody calls', () => {
    const { take } = taker({ requestsPerSecond: 2 });
    take(NOON);
    expect([take(NOON + HOUR), take(NOON + HOUR)]).toEqual([
      { isGranted: true, at: NOON + HOUR },
      { isGranted: true, at: NOON + HOUR + 625 },
    ]);
  });

  test('is none where the vendor names none, and nothing is written for a call', () => {
    const calls = taker({});
    for (let count = 0; count < 50; count += 1) expect(calls.take(NOON, 'background', 0)).toEqual({ isGranted: true, at: NOON });
    expect(calls.ledger).toBe(EMPTY_LEDGER);
  });
});

describe('the calls of a day', () => {
  test('end at the limit, and begin anew at 00:00 UTC', () => {
    const calls = taker({ callsPerDay: 3 });
    const late = MIDNIGHT + DAY - 1;
    expect(calls.takeAll(late, 'query')).toBe(3);
    expect(calls.take(late)).toEqual({ isGranted: false, until: MIDNIGHT + DAY, reason: 'daily quota' });
    expect(calls.take(MIDNIGHT + DAY)).toEqual({ isGranted: true, at: MIDNIGHT + DAY });
    expect(calls.ledger).toMatchObject({ day: MIDNIGHT / DAY + 1, used: 1 });
  });

  test('are made at an even pace by the background, an hour ahead of it at most', () => {
    const calls = taker({ callsPerDay: 300 });
    // 240 are the background's: 10 an hour.
    expect(calls.takeAll(MIDNIGHT, 'background')).toBe(10);
    expect(calls.take(MIDNIGHT, 'background')).toEqual({ isGranted: false, until: MIDNIGHT + 6 * 60_000, reason: 'daily quota' });
    expect(calls.take(MIDNIGHT + 6 * 60_000, 'background').isGranted).toBe(true);
    expect(calls.takeAll(MIDNIGHT + 5 * HOUR, 'background')).toBe(49);
  });

  test('are kept for queries by a fifth, of which the background takes none', () => {
    const calls = taker({ callsPerDay: 300 });
    const evening = MIDNIGHT + DAY - 1000;
    expect(calls.takeAll(evening, 'background')).toBe(240);
    expect(calls.take(evening, 'background')).toEqual({ isGranted: false, until: MIDNIGHT + DAY, reason: 'daily quota' });
    expect(calls.takeAll(evening, 'query')).toBe(60);
  });

  test('let the background make one, however few they are, and name a time that lies ahead', () => {
    const calls = taker({ callsPerDay: 1 });
    expect(calls.take(MIDNIGHT, 'background').isGranted).toBe(true);
    const few = taker({ callsPerDay: 2 });
    few.take(MIDNIGHT, 'background');
    for (let hour = 0; hour < 24; hour += 1) {
      const now = MIDNIGHT + hour * HOUR;
      const verdict = few.take(now, 'background');
      if (verdict.isGranted) throw new Error('A second call is more than the share of the background');
      expect(verdict.until).toBeGreaterThan(now);
    }
  });

  test('count a call for the day on which it was granted', () => {
    const calls = taker({ callsPerDay: 2, requestsPerSecond: 1 });
    const late = MIDNIGHT + DAY - 500;
    calls.take(late);
    expect(calls.take(late)).toEqual({ isGranted: true, at: late + 1250 });
    expect(calls.take(late)).toMatchObject({ isGranted: false, reason: 'daily quota' });
  });
});

describe('a vendor that refused a call', () => {
  test.each([{}, { callsPerDay: 5 }])('is left alone until the time that it names, also by queries (%j)', (limits) => {
    const calls = taker(limits, blockCalls(EMPTY_LEDGER, NOON + 7000));
    for (const purpose of ['query', 'background'] as const)
      expect(calls.take(NOON + 6999, purpose)).toEqual({ isGranted: false, until: NOON + 7000, reason: 'blocked' });
    expect(calls.ledger.used).toBe(0);
    expect(calls.take(NOON + 7000)).toEqual({ isGranted: true, at: NOON + 7000 });
  });

  test('is left alone for the longest of the times that it named', () => {
    const ledger = blockCalls(blockCalls(EMPTY_LEDGER, NOON + 7000), NOON + 3000);
    expect(ledger.blockedUntil).toBe(NOON + 7000);
    expect(blockCalls(ledger, NOON + 3000)).toBe(ledger);
    expect(blockCalls(ledger, NOON + 9000).blockedUntil).toBe(NOON + 9000);
  });

  test('blocks registrations alone when their quota is used up', () => {
    const ledger = blockCalls(EMPTY_LEDGER, NOON + 7000, 'registrationsBlockedUntil');
    const untils = (['register', 'query', 'other'] as const).map((kind) => blockOf(ledger, kind, NOON));
    expect(untils).toEqual([{ isGranted: false, until: NOON + 7000, reason: 'blocked' }, undefined, undefined]);
    expect(blockOf(blockCalls(ledger, NOON + 9000), 'register', NOON)).toMatchObject({ until: NOON + 9000 });
    expect(blockOf(ledger, 'register', NOON + 7000)).toBeUndefined();
  });
});

test('a push is noted once a minute, and leaves the calls as they are', () => {
  const first = notePush({ ...EMPTY_LEDGER, used: 5 }, NOON);
  expect(first).toEqual({ ...EMPTY_LEDGER, used: 5, lastPushAt: NOON });
  expect(notePush(first, NOON + 59_999)).toBe(first);
  expect(notePush(first, NOON + 60_000).lastPushAt).toBe(NOON + 60_000);
});

describe('limits that change', () => {
  test('to a lower number of calls end the day at once, and to a higher one go on with what was used', () => {
    const before = taker({ callsPerDay: 300 });
    expect(before.takeAll(NOON, 'query')).toBe(300);
    const lower = taker({ callsPerDay: 5 }, before.ledger);
    for (const purpose of ['query', 'background'] as const)
      expect(lower.take(NOON, purpose)).toEqual({ isGranted: false, until: MIDNIGHT + DAY, reason: 'daily quota' });
    expect(lower.takeAll(MIDNIGHT + DAY, 'query')).toBe(5);
    expect(taker({ callsPerDay: 1000 }, before.ledger).takeAll(NOON, 'query')).toBe(700);
  });

  test('to none leave every call free; calls that were made without limits are not counted', () => {
    const limited = taker({ callsPerDay: 3, requestsPerSecond: 1 });
    limited.take(NOON);
    expect(taker({}, limited.ledger).takeAll(NOON, 'query', 100)).toBe(100);
    const free = taker({});
    free.take(NOON);
    expect(taker({ callsPerDay: 3 }, free.ledger).takeAll(NOON, 'query')).toBe(3);
  });

  test('to a higher rate do not wait for the turn that a very low one had set', () => {
    const slow = taker({ requestsPerSecond: 0.0001 });
    slow.take(NOON);
    expect(slow.take(NOON + HOUR)).toEqual({ isGranted: false, until: NOON + 12_500_000, reason: 'rate' });
    const fast = taker({ requestsPerSecond: 2 }, slow.ledger);
    expect([fast.take(NOON + 1000), fast.take(NOON + 1000)]).toEqual([0, 625].map((ms) => ({ isGranted: true, at: NOON + 1000 + ms })));
  });

  test('to the lowest rate let one call through in a day', () => {
    const calls = taker({ requestsPerSecond: Number.MIN_VALUE });
    calls.take(NOON);
    expect(calls.take(NOON)).toEqual({ isGranted: false, until: NOON + DAY, reason: 'rate' });
    expect(calls.take(NOON + DAY).isGranted).toBe(true);
  });
});
