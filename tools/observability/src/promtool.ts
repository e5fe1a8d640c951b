import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Artifact } from '@parcelway/tools-servers/artifact';
import { ensureArtifact } from '@parcelway/tools-servers/artifact';
import { debianProgram, unpackDebian } from '@parcelway/tools-servers/debian-package';
import { runCommand } from '@parcelway/tools-servers/run-command';

const VERSION_DEADLINE_MS = 20_000;

const programIn = (folder: string) => debianProgram(folder, 'promtool');

/** Debian's Prometheus: 2.42 in Debian 12. */
const artifact: Artifact = {
  name: 'prometheus-debian',
  make: async (folder: string) => {
    await unpackDebian(folder, ['prometheus'], 'promtool', '2.42');
    await runCommand([programIn(folder), '--version'], { deadlineMs: VERSION_DEADLINE_MS });
  },
};

/**
 * Gets Prometheus' checker, once for this user: `PARCELWAY_TOOLS_CACHE`, else `~/.cache/parcelway/tools`, keeps it.
 * @returns absolute path of the program
 * @throws Error that says what to install when it cannot be had
 */
export async function ensurePromtool(env: Record<string, string | undefined>): Promise<string> {
  const cache = resolve(env.PARCELWAY_TOOLS_CACHE || join(homedir(), '.cache', 'parcelway', 'tools'));
  return programIn(await ensureArtifact(cache, artifact));
}
