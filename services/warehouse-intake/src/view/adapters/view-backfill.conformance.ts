import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { ManualClock } from '@parcelway/kernel/clock';
import { NOW } from '../../testing/samples.ts';
import type { BackfillProgress } from '../ports.ts';

/** Opens the progress as one process sees it; each call is another process. Done after two passes. */
export type OpenProgress = (clock: ManualClock) => BackfillProgress;

/** What every driver must remember of how far the view is filled. */
export function describeBackfillProgress(name: string, openStore: () => Promise<{ open: OpenProgress; close(): Promise<void> }>): void {
  describe(`progress of filling the view: ${name}`, () => {
    let clock: ManualClock;
    let open: OpenProgress;
    let close: () => Promise<void>;
    beforeEach(async () => {
      clock = new ManualClock(NOW);
      ({ open, close } = await openStore());
    });
    afterEach(() => close());
    const begin = { pass: 1, after: null, copied: 0 };
    const further = { pass: 1, after: 'tnt FC1', copied: 100 };

    test('begins at the beginning and goes on where a process left it', async () => {
      const progress = open(clock);
      expect(await progress.claim()).toEqual(begin);
      expect(await progress.claim()).toEqual(begin);
      expect(await progress.record(begin, further, 0)).toBe(true);
      expect(await progress.claim()).toEqual(further);
      clock.advance(60_000);
      expect(await open(clock).claim()).toEqual(further);
    });

    test('takes a step once', async () => {
      const progress = open(clock);
      await progress.claim();
      expect(await progress.record(begin, further, 0)).toBe(true);
      expect(await progress.record(begin, further, 0)).toBe(false);
      expect(await progress.claim()).toEqual(further);
    });

    test('waits until the next pass is due, and is done behind the last', async () => {
      const progress = open(clock);
      await progress.claim();
      const second = { pass: 2, after: null, copied: 0 };
      await progress.record(begin, second, NOW + 1000);
      expect(await progress.claim()).toBe('later');
      clock.advance(1000);
      expect(await progress.claim()).toEqual(second);
      await progress.record(second, { pass: 3, after: null, copied: 0 }, NOW + 9000);
      expect(await progress.claim()).toBe('done');
      expect(await open(clock).claim()).toBe('done');
    });
  });
}
