import { readdirSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';

/** Linux counts process time in hundredths of a second on every platform that Node runs on (USER_HZ). */
const MICROSECONDS_PER_TICK = 10_000;

/** Fields after the name of a process, which may contain spaces (proc(5), stat; the first one is field 3). */
function statOf(pid: number | 'self'): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Times of a process, microseconds in steps of 10,000, user and system: its own, and that of its children that have ended and been waited for. */
function timesOf(pid: number | 'self'): { readonly own: number; readonly ofEndedChildren: number } {
  const ticks = statOf(pid).slice(11, 15).map(Number);
  const [user = 0, system = 0, childrenUser = 0, childrenSystem = 0] = ticks.map((one) => one * MICROSECONDS_PER_TICK);
  return { own: user + system, ofEndedChildren: childrenUser + childrenSystem };
}

/** Result of `look`, or `otherwise` when the process or thread has ended. */
function unlessEnded<T>(look: () => T, otherwise: T): T {
  try {
    return look();
  } catch (error) {
    if (!['ENOENT', 'ESRCH'].includes(String((error as NodeJS.ErrnoException).code))) throw error;
    return otherwise;
  }
}

/** CPU time that a process has used so far, of all its threads, user and system; microseconds in steps of 10,000. */
export function cpuMicrosecondsOf(pid: number): number {
  return timesOf(pid).own;
}

/** CPU time of one thread; exact (proc(5), schedstat: nanoseconds on a processor). */
function threadMicrosecondsOf(pid: number, thread: number | string): number {
  return Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, 'utf8').split(' ', 1)[0]) / 1000;
}

/** {@link cpuMicrosecondsOf} the live threads, exact instead of in steps. In steps when the kernel has no schedstat. */
export function exactCpuMicrosecondsOf(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`).map((thread) => unlessEnded(() => threadMicrosecondsOf(pid, thread), 0));
  return threads.reduce((sum, one) => sum + one, 0) || cpuMicrosecondsOf(pid);
}

/** CPU time of processes that come and go: what one has used stays counted when it has ended. */
export class CpuMeter {
  readonly #last = new Map<number, number>();
  #total = 0;

  /** Reads the CPU time of these processes now. @returns microseconds of all that were ever read */
  read(pids: readonly number[]): number {
    for (const pid of pids) {
      const before = this.#last.get(pid) ?? 0;
      const now = unlessEnded(() => cpuMicrosecondsOf(pid), before);
      this.#total += now - before;
      this.#last.set(pid, now);
    }
    return this.#total;
  }
}

/** A process and all that descend from it. */
export function processTree(root: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const parents = new Map(all.map((name) => [Number(name), unlessEnded(() => Number(statOf(Number(name))[1]), 0)]));
  const belongs = (pid: number): boolean => {
    for (let at: number | undefined = pid; at !== undefined && at > 1; at = parents.get(at)) if (at === root) return true;
    return false;
  };
  return [...parents.keys()].filter(belongs);
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
  /** Time that the host gave to other virtual machines. */
  readonly stolen: number;
  /** Servers of the platform; undefined without servers, or when they are unknown and part of `others`. */
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

/** Resident memory of a process in MiB. */
export function residentMegabytesOf(pid: number): number {
  const line = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'));
  if (line === null) throw new Error(`Process ${pid} has no resident memory`);
  return Number(line[1]) / 1024;
}

/** {@link residentMegabytesOf} a process and those that it has started. Pages that they share count for each. */
export function residentMegabytesOfTree(root: number): number {
  return processTree(root).reduce((sum, pid) => sum + unlessEnded(() => residentMegabytesOf(pid), 0), 0);
}
