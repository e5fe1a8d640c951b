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

/** The figures of all loads. */
export function loadTable(runs: readonly LoadResult[]): Table {
  return {
    title: 'Webhook delivery',
    // Load and side align left, numbers right.
    columns: Object.keys(columns).map((name, index) => ({ name, numeric: index >= 2 })),
    lines: runs.map((run) => Object.values(columns).map((cell) => cell(run))),
  };
}

/** Where the CPU time went, one line a load. */
export function describeCosts(runs: readonly LoadResult[]): string {
  const list = (values: Readonly<Record<string, number>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${formatNumber(value)}`)
      .join(', ');
  const lines = runs.map(
    ({ load, side, cpuSecondsPer1000: costs }) => `- ${load}, ${side}: CPU seconds of 1,000 deliveries: ${list(costs)}`,
  );
  return lines.join('\n');
}

/** How long each load lasted, and what is in the table when it was measured more than once. */
export function describeCycles(seconds: number, cycles: number): string {
  if (cycles === 1) return `Each load lasted ${seconds} s.`;
  return `Each load lasted ${seconds} s, ${cycles} times, in turn with the peer where there is one: medians, and sums of what was lost or came twice.`;
}

/** Share of the processors that others may take, other programs and the host of a virtual machine together. Beyond it latency is theirs. */
const QUIET = 0.05;

/** A warning when others were busy; nothing otherwise. @param others their share of the processors, the host's included, 0 to 1 */
export function describeNoise(others: number): string {
  if (others <= QUIET) return '';
  return ` Others took more than ${QUIET * 100} % of the machine: this shows that it works, not how fast it is; measure again when it is quiet.`;
}
