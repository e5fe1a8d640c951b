import { readFileSync } from 'node:fs';
import { codeOf } from './caught-error.ts';

/** What the kernel says about a process. */
export interface ProcessFacts {
  readonly pid: number;
  /** When it started, in clock ticks since boot; with the pid it names one process for good. */
  readonly startTicks: string;
  readonly paused: boolean;
}

/**
 * Looks a process up.
 * @returns undefined when it does not run, or has ended and only waits to be reaped
 */
export function lookUp(pid: number): ProcessFacts | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  if (stat === undefined) return undefined;
  // The second field is the name in parentheses and may hold anything; state is the 3rd field, the start the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  return { pid, startTicks: fields[19] ?? '', paused: state === 'T' };
}

/** Processes end while we read, and some are not ours to read: both are no response, not errors. */
const UNREADABLE = new Set<unknown>(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (UNREADABLE.has(codeOf(error))) return undefined;
    throw error;
  }
}
