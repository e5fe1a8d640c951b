import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import { within } from '@parcelway/kernel/within';
import type { LongWork, MigrateStep } from '@parcelway/platform/migrate';

/** Servers that are out are waited for this long by all steps together. The time of long work is left out. */
const WAIT_MS = 120_000;
/** Pause before a step that failed is tried again: in a new installation the servers come up at the same time as this. */
const RETRY_MS = 1000;
const TICK_MS = 1000;

export interface RunMigrateStepsOptions {
  readonly logger: Logger;
  readonly report: (line: string) => void;
}

/**
 * Runs a step until it succeeds or the time to wait for servers is spent.
 * @param spent waiting time of all steps together
 * @throws the last failure, or that the step took too long
 */
async function insist({ run, what, isFinal }: MigrateStep, spent: { waitingMs: number }, logger: Logger): Promise<void> {
  const startedAt = performance.now();
  /** Long work of the step, all tries together. */
  const work = { isRunning: false, leftMs: Number.NaN };
  const longWork: LongWork = async (ms, job) => {
    if (Number.isNaN(work.leftMs)) work.leftMs = ms;
    work.isRunning = true;
    const result = await job();
    work.isRunning = false;
    return result;
  };
  const isOver = (): boolean => (work.isRunning ? work.leftMs <= 0 : spent.waitingMs >= WAIT_MS);
  const tryAgain = async (): Promise<void> => {
    for (;;) {
      try {
        await run(longWork);
        return;
      } catch (error) {
        // Long work that fails, and not because a server is out, fails again after as long a time.
        if ((work.isRunning && !(error instanceof AppError)) || isFinal?.(error)) throw error;
        work.isRunning = false;
        if (spent.waitingMs + RETRY_MS >= WAIT_MS) throw error;
        logger.warn({ what, err: error }, 'The migrate step failed; trying again');
        await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
      }
    }
  };
  let watch: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    watch = setInterval(() => {
      if (work.isRunning) work.leftMs -= TICK_MS;
      else spent.waitingMs += TICK_MS;
      if (isOver()) reject(new Error(`not done within ${Math.round((performance.now() - startedAt) / 1000)} s`));
    }, TICK_MS);
  });
  await Promise.race([tryAgain(), late]).finally(() => clearInterval(watch));
}

/**
 * Runs the steps of the migration one after the other. A step without a deadline of its own is tried again until it succeeds: all of them together wait two
 * minutes for servers that are out, before long work and after it.
 * @throws Error with the step that did not succeed in its time
 */
export async function runMigrateSteps(steps: readonly MigrateStep[], { logger, report }: RunMigrateStepsOptions): Promise<void> {
  const spent = { waitingMs: 0 };
  for (const step of steps) {
    const { what, deadlineMs } = step;
    const startedAt = performance.now();
    try {
      if (deadlineMs === undefined) await insist(step, spent, logger);
      else await within(deadlineMs, step.run(), () => new Error(`not done within ${Math.round(deadlineMs / 1000)} s`));
    } catch (error) {
      throw new Error(`Migrating failed at ${what}: ${(error as Error).message}`, { cause: error });
    }
    report(`${what}: in place (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  }
}
