import { readFileSync } from 'node:fs';

/** Linux counts process time in hundredths of a second on every platform that Node runs on (USER_HZ). */
const MICROSECONDS_PER_TICK = 10_000;

/** CPU time that a process has used so far, of all its threads, user and system; microseconds in steps of 10,000. */
export function cpuMicrosecondsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in brackets, may hold spaces: count the fields behind it (proc(5): 14 utime, 15 stime).
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * MICROSECONDS_PER_TICK;
}

/** Resident memory of a process in MiB. */
export function residentMegabytesOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line === null) throw new Error(`Process ${pid} has no resident memory`);
  return Number(line[1]) / 1024;
}
