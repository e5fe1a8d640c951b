import { readFileSync } from 'node:fs';
import { ConfigError, type Environ } from './config.ts';

/** Variables that may hold a secret; each may be given as `<NAME>_FILE` instead. */
export const secretVariables = [
  'INTERNAL_SECRET',
  'INTERNAL_SECRET_PREVIOUS',
  'FILE_SECRET',
  'FILE_SECRET_PREVIOUS',
  'NUMBER_SECRET',
  'CREDENTIALS_SECRET',
  'CREDENTIALS_SECRET_PREVIOUS',
  'TRACKING_SOURCES',
  'ADMIN_TOKEN',
  'MONGODB_URL',
  'REDIS_URL',
  'KAFKA_USERNAME',
  'KAFKA_PASSWORD',
  'S3_ACCESS_KEY',
  'S3_SECRET_KEY',
  'OTEL_EXPORTER_OTLP_HEADERS',
] as const;

/**
 * The environment with secrets read from files: `<NAME>_FILE` names a file whose content, without white space around
 * it, becomes `<NAME>`. So secrets can be mounted as files (Docker and Kubernetes secrets) and stay out of the
 * environment of the process.
 * @throws ConfigError naming variables that are given both ways, or whose file cannot be read
 */
export function withSecretFiles(env: Environ): Environ {
  const resolved: Record<string, string | undefined> = { ...env };
  const problems: string[] = [];
  for (const name of secretVariables) {
    const file = env[`${name}_FILE`];
    if (file === undefined || file === '') continue;
    if (env[name]) {
      problems.push(`${name} and ${name}_FILE are both set; one of them is enough`);
      continue;
    }
    try {
      resolved[name] = readFileSync(file, 'utf8').trim();
      // Resolved once: the environment must not look as if both ways were used.
      delete resolved[`${name}_FILE`];
    } catch (error) {
      problems.push(`${name}_FILE cannot be read (${(error as NodeJS.ErrnoException).code})`);
    }
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return resolved;
}
