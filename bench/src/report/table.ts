import type { Row } from './row.ts';

const HEAD = ['Measured', 'Unit', 'Parcelway', 'Reference', 'Its value', 'Ratio', 'Better'];
/** Columns of numbers, which align right. */
const RIGHT: ReadonlySet<number> = new Set([2, 4, 5]);

/** Three digits that count: 12,345 and 123 and 12.3 and 0.123. */
export function formatNumber(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString('en-US');
  if (value >= 10) return value.toFixed(1);
  return value.toFixed(value >= 1 ? 2 : 3);
}

function cellsOf(row: Row): string[] {
  return [row.name, row.unit, formatNumber(row.ours), row.reference, formatNumber(row.referenceValue), row.ratio.toFixed(2), row.better];
}

function aligned(rows: readonly Row[]): { readonly lines: string[][]; readonly widths: number[] } {
  const lines = [HEAD, ...rows.map(cellsOf)];
  const widths = HEAD.map((_, column) => Math.max(...lines.map((line) => (line[column] as string).length)));
  return {
    lines: lines.map((line) =>
      line.map((cell, column) => (RIGHT.has(column) ? cell.padStart(widths[column] as number) : cell.padEnd(widths[column] as number))),
    ),
    widths,
  };
}

/** The rows as an aligned table for a terminal. */
export function plainTable(rows: readonly Row[]): string {
  const { lines, widths } = aligned(rows);
  const rule = widths.map((width) => '-'.repeat(width));
  const [head, ...body] = lines as [string[], ...string[][]];
  return [head, rule, ...body].map((line) => line.join('  ').trimEnd()).join('\n');
}

/** The rows as a table in Markdown. */
export function markdownTable(rows: readonly Row[]): string {
  const { lines, widths } = aligned(rows);
  const rule = widths.map((width, column) => (RIGHT.has(column) ? `${'-'.repeat(width - 1)}:` : '-'.repeat(width)));
  const [head, ...body] = lines as [string[], ...string[][]];
  return [head, rule, ...body].map((line) => `| ${line.join(' | ')} |`).join('\n');
}
