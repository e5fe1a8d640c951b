import { availableParallelism } from 'node:os';
import { median } from './statistics.ts';

/** How the measured platform runs. */
export type Mode = 'embedded' | 'distributed';

/** One figure next to its reference, both measured in the same cycles. */
export interface Row {
  readonly suite: string;
  /** What is measured. */
  readonly name: string;
  readonly unit: string;
  /** Median over the cycles. */
  readonly ours: number;
  /** What it is held against. */
  readonly reference: string;
  /** Median over the cycles. */
  readonly referenceValue: number;
  /** Median of ours divided by the reference's, cycle by cycle: what differs between cycles cancels out. */
  readonly ratio: number;
  readonly better: 'higher' | 'lower';
  readonly cycles: number;
}

/** What one cycle gave. */
export interface Sample {
  readonly ours: number;
  readonly reference: number;
}

/** A table of a suite's own, for what is no figure beside a reference in one line. */
export interface Table {
  readonly title: string;
  /** A column of numbers aligns right. */
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  readonly lines: readonly (readonly (string | number)[])[];
}

/** Makes a row of the samples of all cycles. @throws RangeError without samples */
export function rowOf(about: Pick<Row, 'suite' | 'name' | 'unit' | 'reference' | 'better'>, samples: readonly Sample[]): Row {
  return {
    ...about,
    ours: median(samples.map((sample) => sample.ours)),
    referenceValue: median(samples.map((sample) => sample.reference)),
    ratio: median(samples.map((sample) => sample.ours / sample.reference)),
    cycles: samples.length,
  };
}

/** The machine of a run. */
export function machine(): { readonly node: string; readonly platform: string; readonly arch: string; readonly processors: number } {
  return { node: process.versions.node, platform: process.platform, arch: process.arch, processors: availableParallelism() };
}

/** Says on what machine the figures were taken. */
export function describeMachine(mode: Mode): string {
  const { node, platform, arch, processors } = machine();
  const shared = ' Servers, load and all services share these processors: more replicas can only be faster where cores are left.';
  return `Node ${node}, ${platform} ${arch}, ${processors} processors.${mode === 'distributed' ? shared : ''}`;
}

/** Three digits that count: 12,345 and 123 and 12.3 and 0.123. */
export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(value >= 1 ? 2 : 3);
}

function cellsOf(row: Row): string[] {
  return [row.name, row.unit, formatNumber(row.ours), row.reference, formatNumber(row.referenceValue), row.ratio.toFixed(2), row.better];
}

/** The rows as a table. */
function tableOf(rows: readonly Row[]): Table {
  const names = ['Measured', 'Unit', 'Parcelway', 'Reference', 'Its value', 'Ratio', 'Better'];
  return { title: '', columns: names.map((name, index) => ({ name, numeric: [2, 4, 5].includes(index) })), lines: rows.map(cellsOf) };
}

/** A table in Markdown, aligned for a terminal too. */
function markdown({ columns, lines }: Table): string {
  const texts = lines.map((line) => line.map((cell) => (typeof cell === 'string' ? cell : formatNumber(cell))));
  const head = columns.map(({ name }) => name);
  const widths = columns.map((_, column) => Math.max(...[head, ...texts].map((line) => (line[column] as string).length)));
  const padded = (line: readonly string[]): string[] =>
    line.map((cell, column) =>
      columns[column]?.numeric ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number),
    );
  const rule = widths.map((width, column) => (columns[column]?.numeric ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  return [padded(head), rule, ...texts.map(padded)].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** The results of a run in Markdown: the rows, then each table below its title. */
export function reportOf(rows: readonly Row[], tables: readonly Table[]): string {
  const further = tables.map((table) => `### ${table.title}\n\n${markdown(table)}`);
  return [...(rows.length > 0 ? [markdown(tableOf(rows))] : []), ...further].join('\n\n');
}
