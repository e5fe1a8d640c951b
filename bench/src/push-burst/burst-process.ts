import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { BurstResult, PushBurst } from '@parcelway/harness/sources/push-burst';
import { endChild, endWithRun } from '../child-server.ts';

const PROGRAM = fileURLToPath(new URL('../processes/push-burst.js', import.meta.url));

/**
 * Sends a burst from a process of its own, so that it takes no time of the one that measures.
 * @throws Error when the process ends without a result, as it does after `withinMs`
 */
export async function burstInProcess(burst: PushBurst, withinMs: number): Promise<BurstResult> {
  const child = fork(PROGRAM, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  endWithRun(child);
  const timer = setTimeout(() => child.kill('SIGKILL'), withinMs);
  try {
    return await new Promise<BurstResult>((resolve, reject) => {
      child.once('message', (result) => resolve(result as BurstResult));
      child.once('error', reject);
      child.once('exit', (code, signal) => reject(new Error(`The burst ended with ${code ?? signal} and no result`)));
      child.send(burst);
    });
  } finally {
    clearTimeout(timer);
    await endChild(child);
  }
}
