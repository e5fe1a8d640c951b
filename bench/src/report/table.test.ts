import { describe, expect, test } from '@jest/globals';
import { rowOf } from './row.ts';
import { formatNumber, markdownReport, markdownTable, plainReport, plainTable } from './table.ts';

const about = { suite: 's', name: 'Submissions', unit: '/s', reference: 'bare loop', better: 'higher' as const };

const row = rowOf(about, [
  { ours: 100, reference: 200 },
  { ours: 300, reference: 400 },
  { ours: 2000, reference: 1000 },
]);

describe('tables', () => {
  test('align every line', () => {
    const lines = markdownTable([row, { ...row, name: 'A longer name of a measure' }]).split('\n');
    expect(lines).toHaveLength(4);
    expect(new Set(lines.map((line) => line.length)).size).toBe(1);
    expect(plainTable([row])).toContain('Submissions  /s          300  bare loop        400   0.75  higher');
  });

  test('tables of suites follow the rows below their titles, and stand alone without rows', () => {
    const table = {
      title: 'What it holds',
      columns: [
        { name: 'Service', numeric: false },
        { name: 'Holds', numeric: true },
      ],
      lines: [
        ['file', 1234],
        ['gateway', null],
      ],
    };
    expect(markdownReport([], [table])).toBe(
      '### What it holds\n\n| Service | Holds |\n| ------- | ----: |\n| file    | 1,234 |\n| gateway |       |',
    );
    expect(plainReport([row], [table])).toBe(
      `${plainTable([row])}\n\nWhat it holds\n\nService  Holds\n-------  -----\nfile     1,234\ngateway`,
    );
  });

  test('numbers keep three digits that count', () => {
    expect([0.1234, 1.234, 12.34, 123.4, 12345].map(formatNumber)).toEqual(['0.123', '1.23', '12.3', '123', '12,345']);
  });
});
