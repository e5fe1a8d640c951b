import type { Table } from '../../report/table.ts';
import { median } from '../../statistics.ts';

/** Microseconds of CPU by process. */
type ByProcess = Readonly<Record<string, number>>;

/** Costs of one operation. */
export interface FlowCosts {
  readonly submission: ByProcess;
  readonly weighingInBatches: ByProcess;
  readonly weighingOnKafka: ByProcess;
}

const MEASURES = [
  ['idle', 'idle, ms/s'],
  ['submission', 'submission, ms'],
  ['weighingInBatches', 'weighing in batches to webhook, ms'],
  ['weighingOnKafka', 'weighing on Kafka to webhook, ms'],
] as const;

const sumOf = (cost: ByProcess): number => Object.values(cost).reduce((sum, used) => sum + used, 0);

/**
 * What was measured by process, and the sum over all of them.
 * @param idle cost of a second in which nothing happens
 * @param flows of each cycle, whose medians are shown; at least one
 */
export function costTable(idle: ByProcess, flows: readonly FlowCosts[]): Table {
  const cycles = flows.map((flow) => ({ idle, ...flow }));
  const medians = (of: (cost: ByProcess) => number): number[] =>
    MEASURES.map(([measure]) => median(cycles.map((cycle) => of(cycle[measure]) / 1000)));
  return {
    title: 'CPU time by process',
    columns: [{ name: 'Process', numeric: false }, ...MEASURES.map(([, name]) => ({ name, numeric: true }))],
    lines: [...Object.keys(idle).map((name) => [name, ...medians((cost) => cost[name] ?? 0)]), ['all together', ...medians(sumOf)]],
  };
}
