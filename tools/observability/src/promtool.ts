import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';
import type { Artifact } from '@parcelway/tools-servers/artifact';
import { ensureArtifact } from '@parcelway/tools-servers/artifact';
import { messageOf } from '@parcelway/tools-servers/caught-error';
import { runCommand } from '@parcelway/tools-servers/run-command';

const FETCH_DEADLINE_MS = 120_000;
const VERSION_DEADLINE_MS = 20_000;

/**
 * Debian's Prometheus (2.42 in Debian 12), unpacked instead of installed: that needs no root and starts no server of its own. apt
 * checks the package by the archive's signature. Where there is no apt, a promtool on the path serves.
 */
const artifact: Artifact = {
  name: 'prometheus-debian',
  make: async (folder: string) => {
    try {
      await unpackPackage(folder);
    } catch (error) {
      linkInstalled(folder, error);
    }
    await runCommand([programIn(folder), '--version'], { deadlineMs: VERSION_DEADLINE_MS });
  },
};

const programIn = (folder: string) => join(folder, 'usr', 'bin', 'promtool');

async function unpackPackage(folder: string) {
  // Package lists of our own: the machine's may be missing, or name packages that the mirror no longer has.
  const state = join(folder, 'apt');
  for (const name of ['lists', 'archives']) mkdirSync(join(state, name, 'partial'), { recursive: true });
  const own = ['-q', '-o', `Dir::State::lists=${state}/lists`, '-o', `Dir::Cache=${state}`, '-o', 'APT::Sandbox::User='];
  const limits = { deadlineMs: FETCH_DEADLINE_MS, cwd: state };
  await runCommand(['apt-get', 'update', ...own], limits);
  await runCommand(['apt-get', 'download', ...own, 'prometheus'], limits);
  await runCommand(['sh', '-c', 'for package in *.deb; do dpkg-deb -x "$package" .. || exit 1; done'], limits);
  rmSync(state, { recursive: true });
}

function linkInstalled(folder: string, reason: unknown) {
  const entry = (process.env.PATH ?? '').split(delimiter).find((each) => existsSync(join(each, 'promtool')));
  if (entry === undefined) {
    throw new Error(
      `${messageOf(reason)}\nDebian's promtool could not be installed. Put a promtool (2.42 or newer) on the path, then run this again.`,
    );
  }
  mkdirSync(dirname(programIn(folder)), { recursive: true });
  symlinkSync(join(entry, 'promtool'), programIn(folder));
}

/**
 * Gets Prometheus' checker, once for this user: `PARCELWAY_TOOLS_CACHE`, else `~/.cache/parcelway/tools`, keeps it.
 * @returns absolute path of the program
 * @throws Error that says what to install when it cannot be had
 */
export async function ensurePromtool(env: Record<string, string | undefined>): Promise<string> {
  const cache = resolve(env.PARCELWAY_TOOLS_CACHE || join(homedir(), '.cache', 'parcelway', 'tools'));
  return programIn(await ensureArtifact(cache, artifact));
}
