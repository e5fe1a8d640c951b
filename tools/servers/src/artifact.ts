import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { messageOf } from './caught-error.ts';
import { withLock } from './lock.ts';
import { say, step } from './progress.ts';
import { FinalError } from './run-command.ts';

/** The longest build (MinIO on a slow machine) ends before this; another run waits no longer for it. */
const LOCK_DEADLINE_MS = 45 * 60_000;

/** Something fetched or built once and kept: its name carries the version, so a new version is a new folder. */
export interface Artifact {
  readonly name: string;
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<void>;
}

/** Where the tools of checks are kept for this user: `PARCELWAY_TOOLS_CACHE`, else `~/.cache/parcelway/tools`. */
export const toolsCache = (): string => resolve(process.env.PARCELWAY_TOOLS_CACHE || join(homedir(), '.cache', 'parcelway', 'tools'));

/** The folder of an artifact, made first when the cache does not have it. It appears whole or not at all. */
export async function ensureArtifact(cache: string, { name, make }: Artifact): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  mkdirSync(cache, { recursive: true });
  await withLock(folder, LOCK_DEADLINE_MS, async () => {
    if (existsSync(folder)) return;
    const unfinished = join(cache, `.making-${name}`);
    await step(`get ${name}`, () => makeTwiceAtMost(name, make, unfinished));
    renameSync(unfinished, folder);
  });
  return folder;
}

/** A registry may fail for a moment; what fails twice stays failed. */
async function makeTwiceAtMost(name: string, make: Artifact['make'], unfinished: string) {
  const attempt = async () => {
    // What an interrupted run left must not pass for ours.
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    await make(unfinished);
  };
  try {
    await attempt();
  } catch (error) {
    if (error instanceof FinalError) throw error;
    say(`get ${name}: failed, trying once more (${messageOf(error).split('\n', 1)[0]})`);
    await attempt();
  }
}
