import { expect, test } from '@jest/globals';
import { usePlatforms } from './use-platforms.ts';

const platforms = usePlatforms();

/** Holds up the platform's process before its own code, for longer than any test waits. */
const HELD_UP = `--import data:text/javascript,${encodeURIComponent('await new Promise((resolve) => setTimeout(resolve, 3_600_000));')}`;

test('a platform that is not ready in time is ended, and the start says what was waited for', async () => {
  const platform = platforms.prepare({ env: { NODE_OPTIONS: HELD_UP }, readyWithinMs: 200 });
  await expect(platform.start()).rejects.toThrow('Waited in vain for the platform to be ready (200 ms)');
  const { pid } = platform;
  expect(pid).toBeGreaterThan(0);
  expect(platform.running).toBe(false);
  expect(() => process.kill(pid, 0)).toThrow('ESRCH');
}, 60_000);
