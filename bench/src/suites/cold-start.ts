import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlatformProcess } from '@parcelway/harness/platform-process';
import { rowOf } from '../report.ts';
import { inCycles, type Suite } from '../suite.ts';

async function timed(work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** Milliseconds from the start of the process to the banner, and those of a second start on the same data. */
async function startTwice(): Promise<{ readonly fresh: number; readonly existing: number }> {
  const dataDirectory = mkdtempSync(join(tmpdir(), 'parcelway-bench-'));
  try {
    let platform: PlatformProcess | undefined;
    const fresh = await timed(async () => {
      platform = await PlatformProcess.start({ dataDirectory });
    });
    const running = platform as PlatformProcess;
    await running.stop();
    const existing = await timed(() => running.start());
    await running.dispose();
    return { fresh, existing };
  } finally {
    rmSync(dataDirectory, { recursive: true, force: true });
  }
}

async function startNothing(): Promise<void> {
  const child = spawn(process.execPath, ['-e', '0'], { stdio: 'ignore' });
  await once(child, 'exit');
}

/** From the start of the process to the first request it can respond, next to a Node process that does nothing. */
export const coldStart: Suite = async (options) => {
  const cycles = await inCycles(options, 'cold start', async () => ({ ...(await startTwice()), nothing: await timed(startNothing) }));
  const about = { suite: 'start', unit: 'ms', reference: 'node -e 0', better: 'lower' as const };
  return [
    rowOf(
      { ...about, name: 'Start to ready, no data yet' },
      cycles.map(({ fresh, nothing }) => ({ ours: fresh, reference: nothing })),
    ),
    rowOf(
      { ...about, name: 'Start to ready, existing data' },
      cycles.map(({ existing, nothing }) => ({ ours: existing, reference: nothing })),
    ),
  ];
};
