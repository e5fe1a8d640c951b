import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { portBaseOf } from './ports.mjs';

/**
 * Where things are kept, from the environment. Data is apart for each port base, so that the base alone makes another set.
 * @param {Record<string, string | undefined>} env
 * @returns {{ cache: string, run: string, base: number }} folders as absolute paths
 */
export function placesOf(env) {
  const base = portBaseOf(env.PARCELWAY_SERVERS_PORT_BASE);
  const cache = resolve(env.PARCELWAY_SERVERS_CACHE || join(homedir(), '.cache', 'parcelway', 'servers'));
  const run = resolve(env.PARCELWAY_SERVERS_DIR || join(cache, 'run', String(base)));
  return { cache, run, base };
}

/**
 * What a set consists of.
 * @typedef {{ base: number, cluster: boolean, s3: 'versitygw' | 'minio' }} SetConfig
 */

const fileOf = (run) => join(run, 'set.json');

/**
 * The set that a folder holds.
 * @param {string} run
 * @returns {SetConfig | undefined} undefined when there is none
 */
export function readSet(run) {
  if (!existsSync(fileOf(run))) return undefined;
  return JSON.parse(readFileSync(fileOf(run), 'utf8'));
}

/**
 * Makes a folder the home of a set.
 * @param {string} run
 * @param {SetConfig} config
 * @throws {Error} when the folder holds something else: `down` deletes in it
 */
export function writeSet(run, config) {
  mkdirSync(run, { recursive: true });
  if (readSet(run) === undefined && readdirSync(run).length > 0) {
    throw new Error(`${run} is not empty and holds no set of servers; name another folder in PARCELWAY_SERVERS_DIR`);
  }
  writeWhole(fileOf(run), JSON.stringify(config));
}

/**
 * Writes a file so that a reader sees it whole or not at all.
 * @param {string} file
 * @param {string} text
 */
export function writeWhole(file, text) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/**
 * A short name for a path, for names of limited length.
 * @param {string} path
 */
export function digestOf(path) {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
