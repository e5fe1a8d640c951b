import { setTimeout as sleep } from 'node:timers/promises';

/** Between two attempts. */
const PAUSE_MS = 100;

/**
 * Tries until a check passes.
 * @param {() => Promise<void> | void} check throws while it is not so yet; has a deadline of its own
 * @param {{ deadlineMs: number, stop?: () => Error | undefined }} limits `stop` ends the wait early with its error
 * @returns {Promise<void>} rejects with the last reason after the deadline
 */
export async function waitUntil(check, { deadlineMs, stop = () => undefined }) {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const stopped = stop();
    if (stopped !== undefined) throw stopped;
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw new Error(`not so after ${deadlineMs / 1000} s: ${error.message}`, { cause: error });
    }
    await sleep(PAUSE_MS);
  }
}
