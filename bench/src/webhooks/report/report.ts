import { formatNumber } from '../../report/table.ts';
import type { LoadResult } from './summary.ts';

type Column = readonly [head: string, cell: (run: LoadResult) => string];

const integer = (value: number): string => Math.round(value).toLocaleString('en-US');

const columns: readonly Column[] = [
  ['Load', (run) => run.load],
  ['Side', (run) => run.side],
  ['Accepted/s', (run) => integer(run.acceptedPerSecond)],
  ['Delivered/s', (run) => integer(run.deliveredPerSecond)],
  ['p50 ms', (run) => (run.latencyMs ? formatNumber(run.latencyMs.p50) : '–')],
  ['p95 ms', (run) => (run.latencyMs ? formatNumber(run.latencyMs.p95) : '–')],
  ['p99 ms', (run) => (run.latencyMs ? formatNumber(run.latencyMs.p99) : '–')],
  ['Drain s', (run) => run.drainSeconds.toFixed(1)],
  ['Lost', (run) => integer(run.lost)],
  ['Twice', (run) => integer(run.duplicates)],
  ['Connections', (run) => integer(run.connections)],
  ['CPU s/1000', (run) => formatNumber(run.cpuSecondsPer1000['all'] ?? 0)],
  ['Per CPU s', (run) => integer(run.deliveriesPerCpuSecond)],
];
/** Load and side align left, numbers right. */
const LEFT_COLUMNS = 2;

function cellsOf(runs: readonly LoadResult[]): { readonly lines: string[][]; readonly widths: number[] } {
  const lines = [columns.map(([head]) => head), ...runs.map((run) => columns.map(([, cell]) => cell(run)))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => (line[index] as string).length)));
  const padded = lines.map((line) =>
    line.map((cell, index) => (index < LEFT_COLUMNS ? cell.padEnd(widths[index] as number) : cell.padStart(widths[index] as number))),
  );
  return { lines: padded, widths };
}

/** The figures as an aligned table for a terminal. */
export function plainLoads(runs: readonly LoadResult[]): string {
  const { lines, widths } = cellsOf(runs);
  const [head, ...body] = lines as [string[], ...string[][]];
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map((line) => line.join('  ').trimEnd()).join('\n');
}

/** The figures as a table in Markdown. */
export function markdownLoads(runs: readonly LoadResult[]): string {
  const { lines, widths } = cellsOf(runs);
  const [head, ...body] = lines as [string[], ...string[][]];
  const rule = widths.map((width, index) => (index < LEFT_COLUMNS ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`));
  return [head, rule, ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** Where the CPU time went, one line a load. */
export function describeCosts(runs: readonly LoadResult[]): string {
  const list = (values: Readonly<Record<string, number>>): string =>
    Object.entries(values)
      .map(([name, value]) => `${name} ${formatNumber(value)}`)
      .join(', ');
  return runs
    .map(({ load, side, cpuSecondsPer1000 }) => {
      return `- ${load}, ${side}: CPU seconds of 1,000 deliveries: ${list(cpuSecondsPer1000)}`;
    })
    .join('\n');
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
