import { setTimeout as sleep } from 'node:timers/promises';
import { messageOf } from './caught-error.ts';

/** Between two attempts. */
const PAUSE_MS = 100;

/**
 * Tries until a check passes.
 * @param check throws while it is not so yet; has a deadline of its own
 * @param limits `stop` ends the wait early with its error
 * @returns rejects with the last reason after the deadline
 */
export async function waitUntil(
  check: () => Promise<void> | void,
  { deadlineMs, stop = () => undefined }: { deadlineMs: number; stop?: () => Error | undefined },
): Promise<void> {
  const end = performance.now() + deadlineMs;
  for (;;) {
    const stopped = stop();
    if (stopped !== undefined) throw stopped;
    try {
      await check();
      return;
    } catch (error) {
      if (performance.now() > end) throw new Error(`condition not met after ${deadlineMs / 1000} s: ${messageOf(error)}`, { cause: error });
    }
    await sleep(PAUSE_MS);
  }
}

const CHECK_DEADLINE_MS = 2000;

/** Passes when a URL responds 2xx. */
export async function httpCheck(url: string) {
  const response = await fetch(url, { signal: AbortSignal.timeout(CHECK_DEADLINE_MS) });
  await response.arrayBuffer();
  if (!response.ok) throw new Error(`${url} responds with ${response.status}`);
}
