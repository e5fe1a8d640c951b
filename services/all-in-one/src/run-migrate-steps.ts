import { AppError } from '@parcelway/kernel/app-error';
import type { Logger } from '@parcelway/kernel/logger';
import type { LongWork, MigrateStep } from '@parcelway/platform/migrate';
import { StepTime } from './step-time.ts';

/** Servers that are out are waited for this long by all steps together. The time of long work is left out. */
const WAIT_MS = 120_000;
/** Pause before a step that failed is tried again: in a new installation the servers come up at the same time as this. */
const RETRY_MS = 1000;

/** What the steps are run with. */
export interface RunMigrateStepsOptions {
  readonly logger: Logger;
  /** Hears of each step that is done. */
  readonly report: (line: string) => void;
}

/** Runs a step until it succeeds, for as long as servers are waited for. @throws the last failure */
async function insist({ run, what, isFinal: fails }: MigrateStep, time: StepTime, logger: Logger): Promise<void> {
  for (;;) {
    let isAtWork = false;
    const longWork: LongWork = async (ms, work) => {
      isAtWork = true;
      const result = await time.whileWorking(ms, work);
      isAtWork = false;
      return result;
    };
    try {
      await run(longWork);
      return;
    } catch (error) {
      // Long work that fails, and not because a server is out, fails again after as long a time.
      const isFinal = (isAtWork && !(error instanceof AppError)) || fails?.(error);
      if (isFinal || performance.now() + RETRY_MS >= time.waitsUntil) throw error;
      logger.warn({ what, err: error }, 'The migrate step failed; trying again');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * Runs the steps of the migration one after the other. A step without a deadline of its own is tried again until it succeeds: all of them together wait two
 * minutes for servers that are out, before long work and after it.
 * @throws Error with the step that did not succeed in its time
 */
export async function runMigrateSteps(steps: readonly MigrateStep[], { logger, report }: RunMigrateStepsOptions): Promise<void> {
  let waitsUntil = performance.now() + WAIT_MS;
  for (const step of steps) {
    const { what, deadlineMs } = step;
    const startedAt = performance.now();
    const time = new StepTime(deadlineMs === undefined ? waitsUntil : startedAt + deadlineMs);
    const work = deadlineMs === undefined ? insist(step, time, logger) : step.run();
    try {
      await Promise.race([work, time.over]);
    } catch (error) {
      throw new Error(`Migrating failed at ${what}: ${(error as Error).message}`, { cause: error });
    } finally {
      time.stop();
    }
    if (deadlineMs === undefined) waitsUntil = time.waitsUntil;
    report(`${what}: in place (${((performance.now() - startedAt) / 1000).toFixed(1)} s)`);
  }
}
