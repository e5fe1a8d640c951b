import { existsSync, mkdirSync, readdirSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { messageOf } from './caught-error.ts';
import { step } from './progress.ts';
import { runCommand } from './run-command.ts';

const FETCH_DEADLINE_MS = 180_000;
const CHECK_DEADLINE_MS = 20_000;

/** Something fetched or built once and kept: its name carries the version, so a new version is a new folder. */
export interface Artifact {
  readonly name: string;
  /** Fills an empty folder. */
  readonly make: (folder: string) => Promise<void>;
}

/** Where the tools of checks are kept for this user: `PARCELWAY_TOOLS_CACHE`, else `~/.cache/parcelway/tools`. */
export const toolsCache = (): string => resolve(process.env.PARCELWAY_TOOLS_CACHE || join(homedir(), '.cache', 'parcelway', 'tools'));

/** The folder of an artifact, made first when the cache does not have it. It appears whole or not at all, also when two runs make it. */
export async function ensureArtifact(cache: string, { name, make }: Artifact): Promise<string> {
  const folder = join(cache, name);
  if (existsSync(folder)) return folder;
  const unfinished = join(cache, `.making-${name}-${process.pid}`);
  mkdirSync(unfinished, { recursive: true });
  try {
    await step(`get ${name}`, () => make(unfinished));
    if (!existsSync(folder)) renameSync(unfinished, folder);
  } finally {
    rmSync(unfinished, { recursive: true, force: true });
  }
  return folder;
}

/** A Go program, built from its module, whose sum Go checks against its checksum database. Its folder has it as `name`. */
export function goProgram({
  name,
  version,
  from,
  deadlineMs,
}: {
  name: string;
  version: string;
  from: string;
  deadlineMs: number;
}): Artifact {
  return {
    name: `${name}-${version}`,
    make: async (folder) => {
      const command = ['go', 'install', '-trimpath', '-ldflags=-s -w', `${from}@${version}`];
      await runCommand(command, { deadlineMs, env: { GOBIN: folder, CGO_ENABLED: '0' } });
      // Go names a program after the last part of its package's path.
      const [built = ''] = readdirSync(folder);
      renameSync(join(folder, built), join(folder, name));
    },
  };
}

/** Path of a program in the folder that its Debian package was unpacked into. */
export const debianProgram = (folder: string, name: string) => join(folder, 'usr', 'bin', name);

/**
 * Unpacks Debian packages without installing them, so that no root is needed and no service starts. apt checks their signatures.
 * Without apt, links the program that is on the path.
 * @param least oldest version that works
 * @throws Error that says what to install
 */
export async function unpackDebian(folder: string, packages: readonly string[], program: string, least: string) {
  try {
    // Package lists of our own: the machine's may be missing, or name packages that the mirror no longer has.
    const state = join(folder, 'apt');
    for (const name of ['lists', 'archives']) mkdirSync(join(state, name, 'partial'), { recursive: true });
    const own = ['-q', '-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', 'APT::Sandbox::User='];
    const limits = { deadlineMs: FETCH_DEADLINE_MS, cwd: state };
    await runCommand(['apt-get', 'update', ...own], limits);
    await runCommand(['apt-get', 'download', ...own, ...packages], limits);
    await runCommand(['sh', '-c', 'for package in *.deb; do dpkg-deb -x "$package" .. || exit 1; done'], limits);
    rmSync(state, { recursive: true });
  } catch (error) {
    const installed = (process.env.PATH ?? '').split(delimiter).find((entry) => existsSync(join(entry, program)));
    if (installed === undefined)
      throw new Error(`${messageOf(error)}\nCannot download Debian's ${program}. Put ${program} (${least} or newer) on the path.`);
    mkdirSync(join(folder, 'usr', 'bin'), { recursive: true });
    symlinkSync(join(installed, program), debianProgram(folder, program));
  }
}

/**
 * Asks a program for its version, and installs Debian packages when that fails for want of a shared library.
 * @param command one that prints the version and ends
 * @throws Error which says what to install when we may not
 */
export async function ensureLibraries(command: readonly string[], packages: readonly string[], env: Readonly<Record<string, string>> = {}) {
  const ask = () => runCommand(command, { deadlineMs: CHECK_DEADLINE_MS, env });
  try {
    await ask();
  } catch (failure) {
    if (!messageOf(failure).includes('shared librar')) throw failure;
    const install = ['apt-get', 'install', '-y', '--no-install-recommends', ...packages];
    if (process.getuid?.() !== 0) throw new Error(`${messageOf(failure)}\nA library is missing. Run as root: ${install.join(' ')}`);
    await runCommand(['apt-get', 'update', '-q'], { deadlineMs: FETCH_DEADLINE_MS });
    await runCommand(install, { deadlineMs: FETCH_DEADLINE_MS, env: { DEBIAN_FRONTEND: 'noninteractive' } });
    await ask();
  }
}
