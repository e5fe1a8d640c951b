import type { Row, Table } from './report.ts';
import type { BenchServers } from './servers.ts';
import type { ShapeName } from './webhooks/shapes.ts';

/** How long a run may take. */
export interface Scale {
  /** Cycles of each measure; ours and the reference take turns in each. */
  readonly cycles: number;
  /** Length of one measure of one cycle, milliseconds. */
  readonly measureMs: number;
  /** True for a run that only shows that everything works. */
  readonly quick: boolean;
}

/** What is measured of deliveries. */
export interface DeliveryOptions {
  readonly shapes: readonly ShapeName[];
  /** Length of each load, each time. */
  readonly seconds: number;
  /** How often each load is measured; the medians count. */
  readonly cycles: number;
  /** True when Outpost is measured as well. */
  readonly peer: boolean;
}

/** What a suite is given. */
export interface SuiteOptions {
  readonly scale: Scale;
  readonly deliveries: DeliveryOptions;
  /** The servers of distributed mode. */
  readonly servers?: BenchServers;
  /** Says what happens now. */
  progress(text: string): void;
  /** Adds a table of the suite's own, below the figures of all suites. */
  table(table: Table): void;
  /** Reports why a measure is skipped; the run continues. */
  skip(reason: string): void;
}

/** Measures one thing. */
export type Suite = (options: SuiteOptions) => Promise<readonly Row[]>;

/** Runs `cycle` for each cycle of the scale. @returns the results */
export async function inCycles<T>({ scale, progress }: SuiteOptions, what: string, cycle: () => Promise<T>): Promise<T[]> {
  const results: T[] = [];
  for (let index = 1; index <= scale.cycles; index += 1) {
    progress(`${what}, cycle ${index} of ${scale.cycles}`);
    results.push(await cycle());
  }
  return results;
}

/** Waits. */
export function pause(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds));
}
