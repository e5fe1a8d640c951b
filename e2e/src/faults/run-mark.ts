import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';

/** Where and when a row was run. */
export interface RunMark {
  /** Day in UTC, such as `2026-11-26`. */
  readonly date: string;
  /** Version, and the commit where there is one. */
  readonly version: string;
  readonly machine: string;
}

const GIT_WITHIN_MS = 10_000;
const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Output of a git command; undefined where the sources are not in a repository. */
function git(...args: readonly string[]): string | undefined {
  try {
    return execFileSync('git', args, { cwd: root, encoding: 'utf8', timeout: GIT_WITHIN_MS, stdio: ['ignore', 'pipe', 'ignore'] }).trim();
  } catch {
    // Sources without a repository have a version and no commit.
    return undefined;
  }
}

/** The version of the sources, with their commit; changes outside of docs/ make it `-dirty`. */
function versionOf(): string {
  const { version } = JSON.parse(readFileSync(`${root}package.json`, 'utf8')) as { version: string };
  const commit = git('rev-parse', '--short=9', 'HEAD');
  if (commit === undefined) return version;
  const changed = git('status', '--porcelain', '--', '.', ':!docs') !== '';
  return `${version} (${commit}${changed ? '-dirty' : ''})`;
}

/** The mark of a run that begins now. */
export function runMark(now: Date = new Date()): RunMark {
  const { versions, platform, arch } = process;
  return {
    date: now.toISOString().slice(0, 10),
    version: versionOf(),
    machine: `Node ${versions.node}, ${platform} ${arch}, ${availableParallelism()} processors`,
  };
}
