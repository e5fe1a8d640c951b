import { execFileSync } from 'node:child_process';

/** A command of the system (util-linux), of no package. */
const PRLIMIT = 'prlimit';

/**
 * Lets a running process write no byte to any file, as on a full disk: its limit on file sizes goes to zero, and Node
 * ignores the signal that comes with it, so that writes fail with an error. Linux only (prlimit of util-linux).
 * @returns a function that gives the disk back
 */
export function fillDisk(pid: number): () => void {
  execFileSync(PRLIMIT, ['--pid', String(pid), '--fsize=0:unlimited']);
  return () => {
    execFileSync(PRLIMIT, ['--pid', String(pid), '--fsize=unlimited:unlimited']);
  };
}
