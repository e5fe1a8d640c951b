import type { Child } from '../../child.ts';
import { CpuMeter } from '../../process-usage.ts';

/** The process of a side that has the queue. */
export interface QueueProcess<P extends Child> {
  /** The one that runs now. */
  current(): P;
  /** CPU time of all that have run so far, microseconds. */
  usedMicroseconds(): number;
  /** Kills it (SIGKILL) and starts it again; resolves when it is ready. */
  killAndRestart(): Promise<void>;
}

/** Starts the process with the queue. @param pidsOf processes whose CPU time counts; default the process alone */
export async function startQueueProcess<P extends Child>(
  start: () => Promise<P>,
  pidsOf: (process: P) => readonly number[] = ({ pid }) => [pid],
): Promise<QueueProcess<P>> {
  const meter = new CpuMeter();
  let running = await start();
  const usedMicroseconds = (): number => meter.read(pidsOf(running));
  return {
    current: () => running,
    usedMicroseconds,
    async killAndRestart() {
      usedMicroseconds();
      await running.end('SIGKILL');
      running = await start();
    },
  };
}
