import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { runProgram } from './child-server.ts';

/** Where a program is; undefined when it is not installed. */
export function findProgram(name: string): string | undefined {
  const directories = [...(process.env['PATH'] ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return directories.map((directory) => join(directory, name)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    // Not there or not for us: the same to who looks for a program.
    return false;
  }
}

/** Installs what the gateway is compared with, from Debian's archive; needs root. */
export async function installPrograms(): Promise<void> {
  await runProgram('apt-get', ['update']);
  await runProgram('apt-get', ['install', '-y', '--no-install-recommends', 'nginx-light', 'wrk']);
}
