import type { Row } from './report/row.ts';
import type { Table } from './report/table.ts';
import type { BenchServers } from './servers.ts';

/** How long a run may take. */
export interface Scale {
  /** Cycles of each measure; ours and the reference take turns in each. */
  readonly cycles: number;
  /** Length of one measure of one cycle, milliseconds. */
  readonly measureMs: number;
  /** True for a run that only shows that everything works. */
  readonly quick: boolean;
}

/** What a suite is given. */
export interface SuiteOptions {
  readonly scale: Scale;
  /** The servers of distributed mode. */
  readonly servers?: BenchServers;
  /** Says what happens now. */
  progress(text: string): void;
  /** Adds a table of the suite's own, below the figures of all suites. */
  table(table: Table): void;
  /** Says why a measure is left out; the run goes on. */
  skip(reason: string): void;
  /** True when the suite has had its share of the time: no further cycle is begun. */
  timeIsUp(): boolean;
}

/** Measures one thing. */
export type Suite = (options: SuiteOptions) => Promise<readonly Row[]>;

/** Runs `cycle` as often as the scale says, at least once and otherwise only while there is time, and collects what it gives. */
export async function inCycles<T>(options: SuiteOptions, what: string, cycle: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 0; index < options.scale.cycles; index += 1) {
    if (index > 0 && options.timeIsUp()) {
      options.progress(`${what}: no time for another cycle`);
      break;
    }
    options.progress(`${what}, cycle ${index + 1} of ${options.scale.cycles}`);
    results.push(await cycle(index));
  }
  return results;
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
