import type { Row } from '../report/row.ts';
import type { Table } from '../report/table.ts';

/** What is aimed at. Rates are those of one processor, so that the machine counts little; costs are ratios. */
const targets: readonly { readonly isOf: (row: Row) => boolean; readonly figure: 'ours' | 'ratio'; readonly target: number }[] = [
  { isOf: ({ name }) => name.startsWith('17TRACK pushes') && name.endsWith('by one processor'), figure: 'ours', target: 1_000 },
  { isOf: ({ name }) => name.startsWith('Polled numbers') && name.endsWith('by one processor'), figure: 'ours', target: 5_000 },
  { isOf: ({ name }) => name.startsWith('Lease of') || name.startsWith('Shipment by'), figure: 'ratio', target: 1.5 },
];

const COLUMNS = ['Measured', 'Figure', 'Target', 'Value', 'Met'];

/** The rows that have a target, next to it. */
export function targetsOf(rows: readonly Row[]): Table {
  const lines = rows.flatMap((row) => {
    const found = targets.find(({ isOf }) => isOf(row));
    if (found === undefined) return [];
    const value = row[found.figure];
    const isMet = row.better === 'higher' ? value >= found.target : value <= found.target;
    return [[row.name, found.figure === 'ours' ? row.unit : 'ratio', found.target, value, isMet ? 'yes' : 'no']];
  });
  return {
    title: 'Targets of tracking',
    columns: COLUMNS.map((name, index) => ({ name, numeric: index === 2 || index === 3 })),
    lines,
  };
}
