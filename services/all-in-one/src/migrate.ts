import type { Environ } from '@parcelway/platform/config';
import { createLogger } from '@parcelway/platform/logging';
import { type MigrateOptions, migrateSteps } from '@parcelway/platform/migrate';
import { withSecretFiles } from '@parcelway/platform/secret-files';
import { runMigrateSteps } from './run-migrate-steps.ts';
import { backServices, gateway } from './services.ts';

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
  await runMigrateSteps(steps, { logger, report: (line) => process.stdout.write(`  ${line}\n`) });
}
