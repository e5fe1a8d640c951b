import { mkdtempSync, rmSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, jest } from '@jest/globals';

/** Watches and disturbs the flushes of log files in a test; see {@link watchFlushes}. */
export interface WatchedFlushes {
  /** Throw-away directory of the test. */
  directory: string;
  /** A database file in it that does not exist yet. */
  path: string;
  /** Flushes that the system was asked for. */
  count: number;
  /** Where it is set, each flush waits until it is released. */
  held: (() => void)[] | undefined;
  /** Where it is set, flushes fail with it. */
  failure: Error | undefined;
}

/** Lets the flushes go on that wait. */
export function release(flushes: WatchedFlushes): void {
  for (const go of flushes.held?.splice(0) ?? []) go();
}

/** Sets up a directory and a watch on flushes for every test of the file. */
export function watchFlushes(): WatchedFlushes {
  const flushes: WatchedFlushes = { directory: '', path: '', count: 0, held: undefined, failure: undefined };
  beforeEach(async () => {
    const directory = mkdtempSync(join(tmpdir(), 'late-flush-'));
    Object.assign(flushes, { directory, path: join(directory, 'a.db'), count: 0, held: undefined, failure: undefined });
    const probe = await open(join(directory, 'probe'), 'w');
    const prototype = Object.getPrototypeOf(probe) as { datasync(): Promise<void> };
    await probe.close();
    const { datasync } = prototype;
    jest.spyOn(prototype, 'datasync').mockImplementation(async function (this: unknown) {
      flushes.count += 1;
      const waiting = flushes.held;
      if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
      if (flushes.failure !== undefined) throw flushes.failure;
      await datasync.call(this);
    });
  });
  afterEach(() => {
    jest.restoreAllMocks();
    rmSync(flushes.directory, { recursive: true, force: true });
  });
  return flushes;
}
