import { CliError, exitCodes } from './cli-error.ts';
import type { Io } from './command-context.ts';
import type { Environ } from './find-installation.ts';

/**
 * Does something on the stores of an installation, not through its API.
 * @param hint what to do when a server is out
 * @param work gets the environment with secrets from files, and what shows a line of progress
 * @throws CliError for every known failure
 */
export async function onServers<T>(io: Io, hint: string, work: (env: Environ, say: (line: string) => void) => Promise<T>): Promise<T> {
  const [{ withSecretFiles }, { ConfigError }, { BackupError }, { AppError }, { createRedaction }] = await Promise.all([
    import('@parcelway/platform/secret-files'),
    import('@parcelway/platform/config'),
    import('@parcelway/platform/backup/manifest'),
    import('@parcelway/kernel/app-error'),
    import('@parcelway/platform/doctor/redact'),
  ]);
  const { reasonOf } = await import('@parcelway/platform/doctor/check');
  let env = io.env;
  try {
    env = withSecretFiles(io.env);
    return await work(env, (line) => io.err(`  ${line}\n`));
  } catch (error) {
    if (error instanceof CliError) throw error;
    const redact = createRedaction(env);
    if (error instanceof ConfigError || error instanceof BackupError) throw new CliError(exitCodes.refused, redact(error.message));
    const said = error instanceof AppError ? `${error.message}: ${reasonOf(error)}` : reasonOf(error);
    throw new CliError(exitCodes.unreachable, redact(said), hint, error);
  }
}
