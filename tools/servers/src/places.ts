import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { portBaseOf } from './ports.ts';

/**
 * Where things are kept, from the environment. Data is apart for each port base, so that the base alone makes another set.
 * @returns folders as absolute paths
 */
export function placesOf(env: Record<string, string | undefined>): Places {
  const base = portBaseOf(env.PARCELWAY_SERVERS_PORT_BASE);
  const cache = resolve(env.PARCELWAY_SERVERS_CACHE || join(homedir(), '.cache', 'parcelway', 'servers'));
  const run = resolve(env.PARCELWAY_SERVERS_DIR || join(cache, 'run', String(base)));
  return { cache, run, base };
}

/** What a set consists of. */
export interface SetConfig {
  /** First of its ports. */
  readonly base: number;
  /** Three MongoDB and three Kafka nodes instead of one. */
  readonly cluster: boolean;
  /** Cache of a MongoDB member, GiB; default the least that it takes. */
  readonly mongoCache?: number;
}

/** Where things are kept: folders as absolute paths, and the first port of the set. */
export interface Places {
  readonly cache: string;
  readonly run: string;
  readonly base: number;
}

const fileOf = (run: string) => join(run, 'set.json');

/**
 * The set that a folder holds.
 * @returns undefined when there is none
 */
export function readSet(run: string): SetConfig | undefined {
  if (!existsSync(fileOf(run))) return undefined;
  return JSON.parse(readFileSync(fileOf(run), 'utf8')) as SetConfig;
}

/**
 * Makes a folder the home of a set.
 * @throws Error when the folder holds something else: `down` deletes in it
 */
export function writeSet(run: string, config: SetConfig) {
  mkdirSync(run, { recursive: true });
  if (readSet(run) === undefined && readdirSync(run).length > 0) {
    throw new Error(`${run} is not empty and holds no set of servers; name another folder in PARCELWAY_SERVERS_DIR`);
  }
  writeWhole(fileOf(run), JSON.stringify(config));
}

/** Writes a file so that a reader sees it whole or not at all. */
export function writeWhole(file: string, text: string) {
  writeFileSync(`${file}.new`, text);
  renameSync(`${file}.new`, file);
}

/** A short name for a path, for names of limited length. */
export function digestOf(path: string) {
  return createHash('sha256').update(path).digest('hex').slice(0, 16);
}
