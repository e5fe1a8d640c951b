import { cpuMicrosecondsOf } from '../../process-usage.ts';

/** What a side has used, counted from its start. */
export interface Usage {
  /** CPU time by part, such as `service` and `servers`, microseconds. */
  readonly cpuMicroseconds: Readonly<Record<string, number>>;
}

/** What was used between two readings. */
export function usageBetween(before: Usage, after: Usage): Usage {
  const parts = Object.entries(after.cpuMicroseconds);
  return { cpuMicroseconds: Object.fromEntries(parts.map(([name, value]) => [name, value - (before.cpuMicroseconds[name] ?? 0)])) };
}

/** CPU time of processes that come and go: what one has used stays counted when it has ended. */
export class CpuMeter {
  readonly #last = new Map<number, number>();
  #total = 0;

  /** Reads the CPU time of these processes now. @returns microseconds of all that were ever read */
  read(pids: readonly number[]): number {
    for (const pid of pids) {
      const now = this.#cpuOf(pid);
      if (now === undefined) continue;
      this.#total += now - (this.#last.get(pid) ?? 0);
      this.#last.set(pid, now);
    }
    return this.#total;
  }

  #cpuOf(pid: number): number | undefined {
    try {
      return cpuMicrosecondsOf(pid);
    } catch {
      // It has ended; what it had used at the last reading is counted.
      return undefined;
    }
  }
}
