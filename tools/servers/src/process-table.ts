import { readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { codeOf } from './caught-error.ts';

/** What the kernel says about a process. */
export interface ProcessFacts {
  readonly pid: number;
  readonly command: string;
  /** When it started, in clock ticks since boot; with the pid it names one process for good. */
  readonly startTicks: string;
  readonly paused: boolean;
  readonly rssMb: number;
}

/**
 * Looks a process up.
 * @returns undefined when it does not run, or has ended and only waits to be reaped
 */
export function lookUp(pid: number): ProcessFacts | undefined {
  const stat = readProc(`/proc/${pid}/stat`);
  const command = readProc(`/proc/${pid}/cmdline`)?.replaceAll('\0', ' ').trim();
  const status = readProc(`/proc/${pid}/status`);
  if (stat === undefined || command === undefined || status === undefined) return undefined;
  // The second field is the name in parentheses and may hold anything; state is the 3rd field, the start the 22nd.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state] = fields;
  if (state === 'Z' || state === 'X') return undefined;
  const rssKb = Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  return { pid, command, startTicks: fields[19] ?? '', paused: state === 'T', rssMb: Math.round(rssKb / 1024) };
}

/**
 * The process that listens on a TCP port of 127.0.0.1 or of all addresses.
 * @returns undefined when nobody listens, or the process is another user's
 */
export function listenerOn(port: number): ProcessFacts | undefined {
  const inodes = new Set(['/proc/net/tcp', '/proc/net/tcp6'].flatMap((table) => listeningInodes(table, port)));
  if (inodes.size === 0) return undefined;
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const pid = pids.find((candidate) => openSockets(candidate).some((inode) => inodes.has(inode)));
  return pid === undefined ? undefined : lookUp(Number(pid));
}

/** Rows: `sl local:port remote:port state … inode`, with the port in hex and state 0A for listening. */
function listeningInodes(table: string, port: number): string[] {
  const suffix = `:${port.toString(16).toUpperCase().padStart(4, '0')}`;
  const rows = (readProc(table) ?? '').split('\n').map((row) => row.trim().split(/\s+/));
  return rows.filter(([, local, , state]) => state === '0A' && local?.endsWith(suffix)).flatMap((row) => row[9] ?? []);
}

function openSockets(pid: string): string[] {
  return namesIn(`/proc/${pid}/fd`).flatMap((fd) => /^socket:\[(\d+)\]$/.exec(linkOf(`/proc/${pid}/fd/${fd}`))?.[1] ?? []);
}

/** Processes end while we read, and some are not ours to read: both are no response, not errors. */
const UNREADABLE = new Set<unknown>(['ENOENT', 'ESRCH', 'EACCES', 'EPERM']);

function unlessUnreadable<T>(read: () => T, otherwise: T): T {
  try {
    return read();
  } catch (error) {
    if (UNREADABLE.has(codeOf(error))) return otherwise;
    throw error;
  }
}

const readProc = (file: string) => unlessUnreadable<string | undefined>(() => readFileSync(file, 'utf8'), undefined);
const namesIn = (folder: string) => unlessUnreadable<string[]>(() => readdirSync(folder), []);
const linkOf = (file: string) => unlessUnreadable(() => readlinkSync(file), '');
