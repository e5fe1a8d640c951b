import type { Logger } from '@parcelway/kernel/logger';
import type { Environ } from '@parcelway/platform/config';
import { createLogger } from '@parcelway/platform/logging';
import { type MigrateOptions, migrateSteps } from '@parcelway/platform/migrate';
import { withSecretFiles } from '@parcelway/platform/secret-files';
import { backServices, gateway } from './services.ts';

/** Servers that are still starting are waited for this long. */
const DEADLINE_MS = 120_000;
/** Pause before a step that failed is tried again: in a new installation the servers come up at the same time as this. */
const RETRY_MS = 1000;

/** Runs a step until it succeeds. @throws the last failure, once the deadline is over */
async function insist(run: () => Promise<unknown>, what: string, deadline: number, logger: Logger): Promise<unknown> {
  for (;;) {
    try {
      return await run();
    } catch (error) {
      if (performance.now() + RETRY_MS > deadline) throw error;
      logger.warn({ what, err: error }, 'The migrate step failed; trying again');
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
}

/**
 * Makes topics, bucket, collections and indexes of an installation where they are missing, and reports each on standard
 * output. Idempotent; services may be running.
 * @throws ConfigError naming every variable that is wrong, or Error with the step that did not succeed in its time
 */
export async function migrate(given: Environ, options: MigrateOptions = {}): Promise<void> {
  const env = withSecretFiles(given);
  const logger = createLogger('warn');
  const progress = (line: string): unknown => process.stdout.write(`    ${line}\n`);
  const steps = migrateSteps(env, [gateway, ...backServices], logger, { progress, ...options });
  const common = performance.now() + DEADLINE_MS;
  for (const { what, deadlineMs, run } of steps) {
    const startedAt = performance.now();
    const deadline = deadlineMs === undefined ? common : startedAt + deadlineMs;
    const work = deadlineMs === undefined ? () => insist(run, what, deadline, logger) : run;
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no response within ${Math.round((deadline - startedAt) / 60_000)} minutes`)),
        Math.max(0, deadline - startedAt),
      );
    });
    try {
      await Promise.race([work(), late]);
    } catch (error) {
      throw new Error(`Migrating failed at ${what}: ${(error as Error).message}`, { cause: error });
    } finally {
      clearTimeout(timer);
    }
    process.stdout.write(`  ${what}: in place (${((performance.now() - startedAt) / 1000).toFixed(1)} s)\n`);
  }
}
