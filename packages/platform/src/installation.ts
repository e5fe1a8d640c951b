import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '@parcelway/contracts/environment';

/** What makes an installation this installation: its environment and its secrets. Kept in the data directory. */
export interface Installation {
  readonly environment: Environment;
  /** Signs principals between the services. */
  readonly internalSecret: string;
  /** Signs file URLs and photo ids; must never change, or issued URLs stop being accepted in submissions. */
  readonly fileSecret: string;
}

/**
 * Writes a file whole or not at all: a temporary file, flushed, then renamed.
 * @param mode permission bits; 0o600 for anything that holds a key
 */
export function writeFileAtomically(path: string, content: string, mode: number): void {
  mkdirSync(dirname(path), { recursive: true });
  const temporary = `${path}.${process.pid}.tmp`;
  const file = openSync(temporary, 'w', mode);
  try {
    writeSync(file, content);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  renameSync(temporary, path);
}

/**
 * The installation in a data directory; made on first use.
 * @throws Error when the directory belongs to the other environment
 */
export function openInstallation(dataDirectory: string, environment: Environment): Installation {
  const path = join(dataDirectory, 'installation.json');
  if (!existsSync(path)) {
    const made: Installation = {
      environment,
      internalSecret: randomBytes(32).toString('base64url'),
      fileSecret: randomBytes(32).toString('base64url'),
    };
    writeFileAtomically(path, `${JSON.stringify(made, null, 2)}\n`, 0o600);
    return made;
  }
  const found = JSON.parse(readFileSync(path, 'utf8')) as Installation;
  if (found.environment !== environment) {
    throw new Error(
      `The data directory ${dataDirectory} belongs to the ${found.environment} environment; ENVIRONMENT is ${environment}. Set DATA_DIR to another directory.`,
    );
  }
  return found;
}
