import { existsSync, mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { withLock } from './lock.mjs';
import { say, step } from './progress.mjs';

/** The longest build (MinIO on a slow machine) ends before this; another run waits no longer for it. */
const LOCK_DEADLINE_MS = 45 * 60_000;

/**
 * Something fetched or built once and kept: its name carries the version, so a new version is a new folder.
 * @typedef {{ name: string, make: (folder: string) => Promise<void> }} Artifact
 */

/**
 * The folder of an artifact, made first when the cache does not have it. It appears whole or not at all.
 * @param {string} cache
 * @param {Artifact} artifact
 * @returns {Promise<string>}
 */
export async function ensureArtifact(cache, { name, make }) {
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
async function makeTwiceAtMost(name, make, unfinished) {
  const attempt = async () => {
    // What an interrupted run left must not pass for ours.
    rmSync(unfinished, { recursive: true, force: true });
    mkdirSync(unfinished);
    await make(unfinished);
  };
  try {
    await attempt();
  } catch (error) {
    if (error.final) throw error;
    say(`get ${name}: failed, trying once more (${error.message.split('\n', 1)[0]})`);
    await attempt();
  }
}
