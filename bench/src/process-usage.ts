import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts process time in hundredths of a second on every platform that Node runs on (USER_HZ). */
const MICROSECONDS_PER_TICK = 10_000;

/** Fields after the name of a process, which may contain spaces (proc(5), stat; the first one is field 3). */
function statOf(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
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
  const [user = 0, system = 0] = statOf(pid).slice(11, 13).map(Number);
  return (user + system) * MICROSECONDS_PER_TICK;
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
