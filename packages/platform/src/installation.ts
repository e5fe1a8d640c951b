import { randomBytes, randomUUID } from 'node:crypto';
import { closeSync, existsSync, fsyncSync, mkdirSync, openSync, readdirSync, readFileSync, renameSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Environment } from '@parcelway/contracts/environment';
import type { Environ } from './config.ts';

/** What makes an installation this installation: its environment and its secrets. Kept in the data directory. */
export interface Installation {
  /** Identifies its stores. */
  readonly id: string;
  readonly environment: Environment;
  /** Signs principals between the services. */
  readonly internalSecret: string;
  /** Signs file URLs and photo ids. */
  readonly fileSecret: string;
  /** Accepted beside it while one takes the place of the other: issued URLs stop being accepted in submissions without it. */
  readonly previousFileSecret?: string | undefined;
  /** The first file secret, once there is another: public numbers and SSCCs are computed from it. */
  readonly numberSecret?: string | undefined;
  /** Files and folders of the data directory that must be there; see kept-stores. None in distributed mode. */
  readonly stores: readonly string[];
}

/** The file secrets of an installation by their uses. */
export interface FileSecrets {
  /** Signs and seals. */
  readonly fileSecret: string;
  /** Those by which receipts and cursors are accepted, the one that signs first. */
  readonly fileSecrets: readonly string[];
  /** Those by which the store may have been sealed, the one that seals first. */
  readonly sealSecrets: readonly string[];
  /** What public numbers are computed from; it never changes. */
  readonly numberSecret: string;
}

/** The uses of the file secrets of an installation. */
export function fileSecretsOf({
  fileSecret,
  previousFileSecret: previous = fileSecret,
  numberSecret = fileSecret,
}: Pick<Installation, 'fileSecret' | 'previousFileSecret' | 'numberSecret'>): FileSecrets {
  const fileSecrets = [...new Set([fileSecret, previous])];
  return { fileSecret, fileSecrets, sealSecrets: [...new Set([...fileSecrets, numberSecret])], numberSecret };
}

/** Lies in a data directory while a backup is restored into it: what has it holds a part of an installation. */
export const UNFINISHED_RESTORE = 'restore-unfinished';

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

/** Secrets that the operator gives instead of having them made. */
export interface GivenSecrets {
  readonly internalSecret?: string | undefined;
  readonly fileSecret?: string | undefined;
}

/** Where a data directory keeps its installation. */
export const installationFile = (dataDirectory: string): string => join(dataDirectory, 'installation.json');

/** Refuses a data directory that has lost a part: an empty one in its place would hide the loss from everybody. */
export function incomplete(dataDirectory: string, problems: readonly string[]): Error {
  return new Error(
    `The data directory ${dataDirectory} is incomplete: ${problems.join('; ')}. Put back what it has lost, or restore a backup into a new directory: DATA_DIR=<new directory> parcelctl restore --from <backup>`,
  );
}

/** Keeps an installation in its data directory. */
export function writeInstallation(dataDirectory: string, installation: Installation): void {
  writeFileAtomically(installationFile(dataDirectory), `${JSON.stringify(installation, null, 2)}\n`, 0o600);
}

/** What lies in a data directory of embedded mode besides what can be made again. */
function storesIn(dataDirectory: string): readonly string[] {
  if (!existsSync(dataDirectory)) return [];
  return readdirSync(dataDirectory).filter((name) => (name.endsWith('.db') && name !== 'lock.db') || ['blobs', 'archive'].includes(name));
}

function readKept(path: string): Installation {
  const content = readFileSync(path, 'utf8');
  try {
    return Object(JSON.parse(content)) as Installation;
  } catch {
    // The parser quotes what it has read.
    throw incomplete(dirname(path), [`${path} is not JSON`]);
  }
}

/**
 * The installation that a data directory keeps; undefined when it keeps none.
 * @param given wins over what is kept, but for the secret of file URLs
 * @throws Error when the directory belongs to the other environment, has another secret of file URLs than is given, or holds a part of a restore
 */
export function keptInstallation(dataDirectory: string, environment: Environment, given: GivenSecrets = {}): Installation | undefined {
  if (existsSync(join(dataDirectory, UNFINISHED_RESTORE))) {
    throw new Error(
      `A restore into the data directory ${dataDirectory} was not completed. Empty the directory, and restore the backup again.`,
    );
  }
  const path = installationFile(dataDirectory);
  if (!existsSync(path)) return undefined;
  const found = readKept(path);
  if (found.environment !== environment) {
    throw new Error(
      `The data directory ${dataDirectory} belongs to the ${found.environment} environment; ENVIRONMENT is ${environment}. Set DATA_DIR to another directory.`,
    );
  }
  if (given.fileSecret !== undefined && given.fileSecret !== found.fileSecret) {
    throw new Error(`FILE_SECRET differs from the one in ${path}: change it as docs/operate.md says, or issued file URLs stop working.`);
  }
  if (found.previousFileSecret !== undefined && found.numberSecret === undefined) {
    throw new Error(`${path} has a previousFileSecret and no numberSecret: add the first fileSecret of the installation as numberSecret.`);
  }
  return { ...found, internalSecret: given.internalSecret ?? found.internalSecret };
}

/**
 * The installation in a data directory; made on first use.
 * @param given wins over what is made and, but for the secret of file URLs, over what was made before
 * @throws Error as {@link keptInstallation}, and when it is missing beside stores
 */
export function openInstallation(dataDirectory: string, environment: Environment, given: GivenSecrets = {}): Installation {
  const kept = keptInstallation(dataDirectory, environment, given);
  if (kept !== undefined) return kept;
  const left = storesIn(dataDirectory);
  if (left.length > 0) throw incomplete(dataDirectory, [`${installationFile(dataDirectory)} is missing beside ${left.join(', ')}`]);
  const made: Installation = {
    id: randomUUID(),
    environment,
    internalSecret: given.internalSecret ?? randomBytes(32).toString('base64url'),
    fileSecret: given.fileSecret ?? randomBytes(32).toString('base64url'),
    stores: [],
  };
  writeInstallation(dataDirectory, made);
  return made;
}

/** The secrets of a data directory as variables. @param env whose internal secret wins */
export function keptVariables(kept: Installation, env: Environ): Environ {
  const { internalSecret, fileSecret, previousFileSecret, numberSecret } = kept;
  return {
    INTERNAL_SECRET: env['INTERNAL_SECRET'] || internalSecret,
    FILE_SECRET: fileSecret,
    ...(previousFileSecret !== undefined && { FILE_SECRET_PREVIOUS: previousFileSecret }),
    ...(numberSecret !== undefined && { NUMBER_SECRET: numberSecret }),
  };
}
