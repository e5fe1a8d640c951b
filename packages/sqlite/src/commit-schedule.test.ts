import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { CommitLoad, commitDueAt } from './commit-schedule.ts';

/** A loop that works for this part of its time. */
const loop = (use: number) => ({ at: () => use });

/** The load after two seconds of so many transactions a second, each of whose commits took so long, in a process without a moment to spare. */
function loaded(perSecond: number, commitMs: number, use = 1): CommitLoad {
  const load = new CommitLoad(loop(use));
  for (let count = 0; count < 2 * perSecond; count += 1) {
    load.arrived((count * 1000) / perSecond);
    load.committed(commitMs);
  }
  return load;
}

const loadOf = (perSecond: number, commitMs: number): number => loaded(perSecond, commitMs).at(2000);

describe('the due time of a commit', () => {
  const PATIENT = { patienceMs: 20 };
  const now = 10_000;

  /** A process with so much to commit, whose loop works for a part of its time. */
  const processOf = (amount: number, use = 1): CommitLoad => {
    const load = new CommitLoad(loop(use));
    // A transaction counts as half a millisecond at least, within a quarter of a second.
    for (let count = 0; count < amount * 500; count += 1) load.arrived(now);
    return load;
  };
  const dueAt = (amount: number, use = 1): number => commitDueAt(PATIENT, now, now - 1, processOf(amount, use));

  test('commits at once while the process is not busy', () => {
    for (const amount of [0, 0.3, 0.6]) expect(dueAt(amount)).toBeLessThanOrEqual(now);
  });

  test('waits longer the busier the process is, and at most as long as its patience after the commit before', () => {
    expect(dueAt(0.75)).toBeGreaterThan(now);
    expect(dueAt(0.8)).toBeGreaterThan(dueAt(0.75));
    for (const amount of [0.91, 2, 100]) expect(dueAt(amount)).toBe(now - 1 + 20);
    const unit = { min: 0, noNaN: true };
    fc.assert(
      fc.property(
        fc.double({ ...unit, max: 50 }),
        fc.double({ ...unit, max: now }),
        fc.double({ ...unit, max: 1 }),
        (amount, committedAt, use) => {
          expect(commitDueAt(PATIENT, now, committedAt, processOf(amount, use))).toBeLessThanOrEqual(Math.max(now, committedAt + 20));
        },
      ),
      { numRuns: 50 },
    );
  });

  test('commits at once while the loop has time to spare, however many transactions there are', () => {
    for (const use of [0, 0.5, 0.9]) expect(dueAt(5, use)).toBe(now);
    expect(dueAt(5, 0.94)).toBeGreaterThan(now);
    expect(dueAt(5, 0.96)).toBeGreaterThan(dueAt(5, 0.94));
    expect(dueAt(5, 0.98)).toBe(now - 1 + 20);
  });

  test('does not wait when the commit before is long ago', () => {
    expect(commitDueAt(PATIENT, now, now - 20, processOf(5))).toBeLessThanOrEqual(now);
    expect(commitDueAt(PATIENT, now, Number.NEGATIVE_INFINITY, processOf(5))).toBeLessThanOrEqual(now);
  });

  test('commits at once what has no patience, however busy the process is', () => {
    expect(commitDueAt({}, now, now - 1, processOf(5))).toBeLessThanOrEqual(now);
  });

  test('gives what is deferred its time, less of it in a calm process', () => {
    for (const amount of [0.41, 5]) expect(commitDueAt({ deferMs: 25 }, now, now - 1, processOf(amount))).toBe(now + 25);
    for (const amount of [0, 0.39]) expect(commitDueAt({ deferMs: 25 }, now, now - 1, processOf(amount))).toBe(now + 10);
  });
});

describe('commit load', () => {
  test('is the share of the time that commits would take if every transaction had its own', () => {
    expect(loadOf(400, 1)).toBeCloseTo(0.4, 1);
    expect(loadOf(100, 5)).toBeCloseTo(0.5, 1);
    expect(loadOf(2000, 1)).toBeCloseTo(2, 0);
  });

  test('counts processor time where the disk is quick', () => {
    expect(loadOf(400, 0.01)).toBeCloseTo(0.2, 1);
    expect(loadOf(2000, 0.01)).toBeCloseTo(1, 1);
  });

  test('is low at 200 webhooks a second and high at 1000, of two commits each, on a disk that syncs within a millisecond', () => {
    const wait = (perSecond: number, commitMs: number) => commitDueAt({ patienceMs: 20 }, 2000, 2000, loaded(2 * perSecond, commitMs));
    for (const commitMs of [0.1, 0.5, 1]) {
      expect(wait(200, commitMs)).toBe(2000);
      expect(wait(1000, commitMs)).toBe(2020);
    }
  });

  test('is forgotten within some seconds, and nothing at first', () => {
    const load = new CommitLoad();
    expect(load.at(0)).toBe(0);
    for (let count = 0; count < 10_000; count += 1) load.arrived(0);
    expect(load.at(0)).toBeGreaterThan(10);
    expect(load.at(3000)).toBeLessThan(0.001);
  });

  test('one slow commit does not make a process busy', () => {
    const load = new CommitLoad();
    load.committed(20);
    for (let count = 0; count < 400; count += 1) {
      load.arrived((count * 1000) / 400);
      load.committed(0.5);
    }
    expect(load.at(1000)).toBeLessThan(0.6);
  });
});
