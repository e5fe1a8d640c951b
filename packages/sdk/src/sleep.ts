import { setTimeout as wait } from 'node:timers/promises';

/** Waits. @throws the reason of the signal when it ends the wait */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  try {
    await wait(ms, undefined, signal ? { signal } : {});
  } catch (error) {
    throw signal?.aborted ? signal.reason : error;
  }
}
