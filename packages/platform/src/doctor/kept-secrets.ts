import { resolve } from 'node:path';
import { ConfigError, type Environ } from '../config.ts';
import { readInstallation } from '../distributed-config.ts';
import { installationFile, keptInstallation, keptVariables } from '../installation.ts';
import type { Finding } from './check.ts';

const CHECK = 'installation';
const SECRETS = ['INTERNAL_SECRET', 'FILE_SECRET'] as const;

/**
 * Completes the environment of a distributed installation as `npm run start:distributed` does: it keeps the internal secret and the file secret in the
 * data directory when they are not set. Writes nothing.
 * @returns the environment with the secrets of the data directory, and what was found there
 */
export function withKeptSecrets(env: Environ): { readonly env: Environ; readonly findings: readonly Finding[] } {
  const missing = SECRETS.filter((name) => !env[name]);
  if (missing.length === 0) return { env, findings: [] };
  try {
    const { environment, dataDirectory: given } = readInstallation(env);
    const dataDirectory = resolve(given);
    const kept = keptInstallation(dataDirectory, environment, { fileSecret: env['FILE_SECRET'] || undefined });
    if (kept === undefined) return { env, findings: [] };
    const secrets = keptVariables(kept, env);
    const message = `${missing.join(' and ')} ${missing.length > 1 ? 'are' : 'is'} kept in ${installationFile(dataDirectory)}`;
    return { env: { ...env, ...secrets }, findings: [{ check: CHECK, status: 'ok', message }] };
  } catch (error) {
    // Another check reports a variable that is wrong.
    if (error instanceof ConfigError) return { env, findings: [] };
    const next = `Set DATA_DIR to the data directory of this installation, or ${missing.join(' and ')} to the value that its services have.`;
    return { env, findings: [{ check: CHECK, status: 'wrong', message: (error as Error).message.replace(/\.$/, ''), next }] };
  }
}
