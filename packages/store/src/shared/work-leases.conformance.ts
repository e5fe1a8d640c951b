import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { MAX_CLOCK_LEAD_MS, type WorkLease } from '@parcelway/kernel/work-lease';

/** Leases under test over one empty database. */
export interface WorkLeaseDriver {
  /** That of a work, as a process opens it. */
  open(name: string): WorkLease;
  close(): Promise<void>;
}

const NOW = 1_000_000;
const LATER = NOW + 10_000;

/** What every lease of regular work must do. @param openDriver a driver with an empty database */
export function describeWorkLease(name: string, openDriver: () => Promise<WorkLeaseDriver>): void {
  describe(`leases of regular work: ${name}`, () => {
    let driver: WorkLeaseDriver;
    beforeEach(async () => {
      driver = await openDriver();
    });
    afterEach(() => driver.close());

    test('give the work out once, from its beginning, until it is given back', async () => {
      const lease = driver.open('one');
      expect(await lease.take(NOW, NOW + 60, LATER)).toBe('');
      expect(await lease.take(NOW + 1, NOW + 61, LATER)).toBeUndefined();
      await lease.giveBack('tnt_b', NOW + 20);
      expect(await lease.take(NOW + 19, NOW + 80, LATER)).toBeUndefined();
      expect(await lease.take(NOW + 20, NOW + 80, LATER)).toBe('tnt_b');
    });

    test('keep how far the work has come, and that it is taken', async () => {
      const lease = driver.open('one');
      await lease.take(NOW, NOW + 60, LATER);
      expect(await lease.keep('tnt_a', NOW + 90)).toBe(true);
      expect(await lease.keep('tnt_b', NOW + 100)).toBe(true);
      expect(await lease.take(NOW + 99, NOW + 200, LATER)).toBeUndefined();
      // Its process has ended without a word.
      expect(await driver.open('one').take(NOW + 100, NOW + 200, LATER)).toBe('tnt_b');
    });

    test('give out what nobody has before it is due, when that is too late', async () => {
      const lease = driver.open('one');
      await lease.take(NOW, NOW + 60, LATER);
      expect(await lease.take(NOW + 1, NOW + 61, NOW + 2)).toBeUndefined();
      await lease.giveBack('tnt_a', NOW + 1000);
      expect(await lease.take(NOW + 1, NOW + 61, NOW + 1001)).toBeUndefined();
      expect(await lease.take(NOW + 1, NOW + 61, NOW + 2)).toBe('tnt_a');
      expect(await lease.take(NOW + 2, NOW + 62, NOW + 2)).toBeUndefined();
    });

    test('are not honoured when they end so late that the clock of their process was ahead', async () => {
      const lease = driver.open('one');
      const until = NOW + 60;
      await lease.take(NOW, until + MAX_CLOCK_LEAD_MS, LATER);
      await lease.keep('tnt_a', until + MAX_CLOCK_LEAD_MS);
      expect(await lease.take(NOW, until, LATER)).toBeUndefined();
      expect(await lease.take(NOW, until - 1, LATER)).toBe('tnt_a');
      expect(await lease.take(NOW, until, LATER)).toBeUndefined();
    });

    test('leave work that nobody has until it is due, however late that is', async () => {
      const lease = driver.open('one');
      const dueAt = NOW + 10 * MAX_CLOCK_LEAD_MS;
      await lease.take(NOW, NOW + 60, dueAt);
      await lease.giveBack('tnt_a', dueAt);
      expect(await lease.take(NOW, NOW + 60, dueAt)).toBeUndefined();
    });

    test('of other works are others', async () => {
      const [one, two] = [driver.open('one'), driver.open('two')];
      await one.take(NOW, NOW + 60, LATER);
      expect(await two.take(NOW, NOW + 60, LATER)).toBe('');
      await one.keep('tnt_a', NOW + 60);
      await two.giveBack('tnt_z', NOW);
      await one.giveBack('tnt_a', NOW);
      expect([await one.take(NOW, NOW + 60, LATER), await two.take(NOW, NOW + 60, LATER)]).toEqual(['tnt_a', 'tnt_z']);
    });
  });
}
