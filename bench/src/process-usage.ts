import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Linux counts process time in hundredths of a second on every platform that Node runs on (USER_HZ). */
const MICROSECONDS_PER_TICK = 10_000;

/** Times of a process, microseconds in steps of 10,000, user and system: its own, and that of its children that have ended and been waited for. */
function timesOf(pid: number | 'self'): { readonly own: number; readonly ofEndedChildren: number } {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The name of the process, in brackets, may hold spaces: count the fields behind it (proc(5): 14 utime, 15 stime, 16 cutime, 17 cstime).
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(11, 15)
    .map((ticks) => Number(ticks) * MICROSECONDS_PER_TICK);
  return { own: user + system, ofEndedChildren: childrenUser + childrenSystem };
}

/** CPU time that a process has used so far, of all its threads, user and system; microseconds in steps of 10,000. */
export function cpuMicrosecondsOf(pid: number): number {
  return timesOf(pid).own;
}

/**
 * The same, exact instead of in steps, of the threads that live: for what costs less than a step. Falls back on the steps
 * where the kernel keeps no such account (proc(5), schedstat: nanoseconds on a processor).
 */
export function exactCpuMicrosecondsOf(pid: number): number {
  let nanoseconds = 0;
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    try {
      nanoseconds += Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]);
    } catch (error) {
      // It ended after it was listed.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' && (error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    }
  }
  return nanoseconds > 0 ? nanoseconds / 1000 : cpuMicrosecondsOf(pid);
}

/** A process and all that descend from it. */
export function processTree(root: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), parentOf(Number(name))]));
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(belongs);
}

function parentOf(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1]);
  } catch {
    // It has ended between the listing and this look.
    return undefined;
  }
}

/** What `look` finds for each process that this one has started, and these in turn. */
function ofDescendants(root: number, look: (pid: number) => number): number {
  return processTree(root)
    .filter((pid) => pid !== root)
    .map((pid) => {
      try {
        return look(pid);
      } catch (error) {
        // It ended after it was listed.
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return 0;
        throw error;
      }
    })
    .reduce((sum, one) => sum + one, 0);
}

/** CPU time of this process and of all its children that have ended; microseconds. */
function ownMicroseconds(): number {
  const { own, ofEndedChildren } = timesOf('self');
  return own + ofEndedChildren;
}

/** CPU time of the whole machine, over all processors, microseconds: busy, and wanted but taken by the host of a virtual machine (proc(5), stat). */
function machineMicroseconds(): { readonly busy: number; readonly stolen: number } {
  const [line = ''] = readFileSync('/proc/stat', 'utf8').split('\n', 1);
  const [user = 0, nice = 0, system = 0, , , irq = 0, softirq = 0, stolen = 0] = line.split(/\s+/).slice(1).map(Number);
  return { busy: (user + nice + system + irq + softirq) * MICROSECONDS_PER_TICK, stolen: stolen * MICROSECONDS_PER_TICK };
}

/** Shares of all processors, 0 to 1. */
export interface Shares {
  readonly others: number;
  /** What the host of a virtual machine gave to others of its guests. */
  readonly stolen: number;
  /** Undefined when it is not known; then it is part of the others. */
  readonly servers: number | undefined;
}

/**
 * Watches how much of the machine others use. Call the result when all children of this process have ended.
 * @returns gives the shares since then; `serverMicroseconds`: CPU time of servers in that time, which are no children
 */
export function watchOthers(): (serverMicroseconds?: number) => Shares {
  const before = { at: performance.now(), ...machineMicroseconds(), own: ownMicroseconds() };
  return (serverMicroseconds) => {
    const { busy, stolen } = machineMicroseconds();
    const others = busy - before.busy - (ownMicroseconds() - before.own) - (serverMicroseconds ?? 0);
    const all = (performance.now() - before.at) * 1000 * availableParallelism();
    const share = (microseconds: number): number => Math.min(1, Math.max(0, microseconds / all));
    return {
      others: share(others),
      stolen: share(stolen - before.stolen),
      servers: serverMicroseconds === undefined ? undefined : share(serverMicroseconds),
    };
  };
}

function megabytesOf(pid: number, field: 'VmRSS' | 'VmHWM'): number {
  const line = new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line === null) throw new Error(`Process ${pid} has no resident memory`);
  return Number(line[1]) / 1024;
}

/** Resident memory of a process in MiB. */
export function residentMegabytesOf(pid: number): number {
  return megabytesOf(pid, 'VmRSS');
}

/** {@link residentMegabytesOf} a process and those that it has started. Pages that they share count for each. */
export function residentMegabytesOfTree(root: number): number {
  return residentMegabytesOf(root) + ofDescendants(root, residentMegabytesOf);
}
