import type { Row } from './row.ts';

/** A table of a suite's own, for what is no figure beside a reference in one line. */
export interface Table {
  readonly title: string;
  /** A column of numbers aligns right. */
  readonly columns: readonly { readonly name: string; readonly numeric: boolean }[];
  /** Null where there is nothing to say. */
  readonly lines: readonly (readonly (string | number | null)[])[];
}

const columns = ['Measured', 'Unit', 'Parcelway', 'Reference', 'Its value', 'Ratio', 'Better'].map((name, index) => ({
  name,
  numeric: [2, 4, 5].includes(index),
}));

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
  return { title: '', columns, lines: rows.map(cellsOf) };
}

const textOf = (cell: string | number | null): string => (cell === null ? '' : typeof cell === 'string' ? cell : formatNumber(cell));

function aligned({ columns, lines }: Table): { readonly lines: string[][]; readonly widths: number[] } {
  const all = [columns.map(({ name }) => name), ...lines.map((line) => line.map(textOf))];
  const widths = columns.map((_, column) => Math.max(...all.map((line) => (line[column] as string).length)));
  return {
    lines: all.map((line) =>
      line.map((cell, column) =>
        columns[column]?.numeric ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number),
      ),
    ),
    widths,
  };
}

function plain(table: Table): string {
  const { lines, widths } = aligned(table);
  const rule = widths.map((width) => '-'.repeat(width));
  const [head, ...body] = lines as [string[], ...string[][]];
  return [head, rule, ...body].map((line) => line.join('  ').trimEnd()).join('\n');
}

function markdown(table: Table): string {
  const { lines, widths } = aligned(table);
  const rule = widths.map((width, column) => (table.columns[column]?.numeric ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  const [head, ...body] = lines as [string[], ...string[][]];
  return [head, rule, ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}

/** The rows as an aligned table for a terminal. */
export function plainTable(rows: readonly Row[]): string {
  return plain(tableOf(rows));
}

/** The rows as a table in Markdown. */
export function markdownTable(rows: readonly Row[]): string {
  return markdown(tableOf(rows));
}

/** All that a run gave, for a terminal: the rows if there are any, and each further table below its title. */
export function plainReport(rows: readonly Row[], tables: readonly Table[]): string {
  return [...(rows.length > 0 ? [plainTable(rows)] : []), ...tables.map((table) => `${table.title}\n\n${plain(table)}`)].join('\n\n');
}

/** The same in Markdown. */
export function markdownReport(rows: readonly Row[], tables: readonly Table[]): string {
  const further = tables.map((table) => `### ${table.title}\n\n${markdown(table)}`);
  return [...(rows.length > 0 ? [markdownTable(rows)] : []), ...further].join('\n\n');
}
