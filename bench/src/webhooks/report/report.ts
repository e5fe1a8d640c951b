import { formatNumber, type Table } from '../../report.ts';
import type { Latency, LoadResult } from './summary.ts';

const integer = (value: number): string => Math.round(value).toLocaleString('en-US');
const latency =
  (at: keyof Latency) =>
  ({ latencyMs }: LoadResult): string =>
    latencyMs ? formatNumber(latencyMs[at]) : '–';

const columns: Readonly<Record<string, (run: LoadResult) => string>> = {
  Load: (run) => run.load,
  Side: (run) => run.side,
  'Accepted/s': (run) => integer(run.acceptedPerSecond),
  'Delivered/s': (run) => integer(run.deliveredPerSecond),
  'p50 ms': latency('p50'),
  'p95 ms': latency('p95'),
  'p99 ms': latency('p99'),
  'Drain s': (run) => run.drainSeconds.toFixed(1),
  Lost: (run) => integer(run.lost),
  Twice: (run) => integer(run.duplicates),
  Connections: (run) => integer(run.connections),
  'CPU s/1000': (run) => formatNumber(run.cpuSecondsPer1000['all'] ?? 0),
  'Per CPU s': ({ cpuSecondsPer1000: { all = 0 } }) => integer(all === 0 ? 0 : 1000 / all),
};

/** The figures of all loads: medians, and sums of what was lost or came twice. @param seconds of each load @param cycles how often each was measured */
export function loadTable(runs: readonly LoadResult[], seconds: number, cycles: number): Table {
  return {
    title: `Webhook delivery: ${cycles} × ${seconds} s each, medians, and sums of what was lost or came twice`,
    // Load and side align left, numbers right.
    columns: Object.keys(columns).map((name, index) => ({ name, numeric: index >= 2 })),
    lines: runs.map((run) => Object.values(columns).map((cell) => cell(run))),
  };
}

/** Where the CPU time went. */
export function costTable(runs: readonly LoadResult[]): Table {
  const parts = [...new Set(runs.flatMap(({ cpuSecondsPer1000 }) => Object.keys(cpuSecondsPer1000)))];
  return {
    title: 'CPU seconds of 1,000 deliveries',
    columns: ['Load', 'Side', ...parts].map((name, index) => ({ name, numeric: index >= 2 })),
    lines: runs.map(({ load, side, cpuSecondsPer1000: costs }) => [load, side, ...parts.map((part) => costs[part] ?? '–')]),
  };
}
