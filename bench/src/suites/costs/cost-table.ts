import type { Table } from '../../report/table.ts';
import { median } from '../../statistics.ts';

/** Costs by process, microseconds of CPU: of a second of idling, and of one operation. */
export interface Costs {
  readonly idle: Readonly<Record<string, number>>;
  readonly submission: Readonly<Record<string, number>>;
  /** A submission with its product label and its packing slip. */
  readonly withDocuments: Readonly<Record<string, number>>;
  readonly weighingInBatches: Readonly<Record<string, number>>;
  readonly weighingOnKafka: Readonly<Record<string, number>>;
}

const MEASURES = [
  ['idle', 'idle, ms/s'],
  ['submission', 'submission, ms'],
  ['withDocuments', 'the same with its documents, ms'],
  ['weighingInBatches', 'weighing in batches to webhook, ms'],
  ['weighingOnKafka', 'weighing on Kafka to webhook, ms'],
] as const;

const sumOf = (cost: Readonly<Record<string, number>>): number => Object.values(cost).reduce((sum, used) => sum + used, 0);

/** The medians of the cycles by process, and the sum over all of them. @param cycles at least one */
export function costTable(cycles: readonly Costs[]): Table {
  const names = Object.keys((cycles[0] as Costs).idle);
  const medians = (of: (costs: Readonly<Record<string, number>>) => number): number[] =>
    MEASURES.map(([measure]) => median(cycles.map((cycle) => of(cycle[measure]) / 1000)));
  return {
    title: 'CPU time by process',
    columns: [{ name: 'Process', numeric: false }, ...MEASURES.map(([, name]) => ({ name, numeric: true }))],
    lines: [...names.map((name) => [name, ...medians((cost) => cost[name] ?? 0)]), ['all together', ...medians(sumOf)]],
  };
}
