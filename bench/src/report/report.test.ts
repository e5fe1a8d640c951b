import { describe, expect, test } from '@jest/globals';
import { describeConditions } from './conditions.ts';
import { withResults } from './document.ts';
import { rowOf } from './row.ts';
import { formatNumber, markdownReport, markdownTable, plainReport, plainTable } from './table.ts';

const about = { suite: 's', name: 'Submissions', unit: '/s', reference: 'bare loop', better: 'higher' as const };
const row = rowOf(about, [
  { ours: 100, reference: 200 },
  { ours: 300, reference: 400 },
  { ours: 2000, reference: 1000 },
]);

describe('rowOf', () => {
  test('takes the median of the ratios of each cycle, not the ratio of the medians', () => {
    const skewed = rowOf(about, [
      { ours: 1, reference: 10 },
      { ours: 2, reference: 4 },
      { ours: 9, reference: 3 },
    ]);
    expect(skewed).toMatchObject({ ours: 2, referenceValue: 4, ratio: 0.5, cycles: 3 });
    const shifted = rowOf(about, [
      { ours: 10, reference: 10 },
      { ours: 2, reference: 1 },
      { ours: 3, reference: 1 },
    ]);
    expect(shifted.ratio).toBe(2);
  });
});

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

describe('describeConditions', () => {
  test('distinguishes the servers of distributed mode from other programs, when they are known', () => {
    expect(describeConditions({ mode: 'embedded', others: 0.031, stolen: 0, servers: undefined })).toMatch(
      /, 3 % of them used by other programs meanwhile\.$/,
    );
    expect(describeConditions({ mode: 'distributed', others: 0.031, stolen: 0, servers: 0.4 })).toContain(
      '40 % of them used by the servers, 3 % by other programs',
    );
    expect(describeConditions({ mode: 'distributed', others: 0.5, stolen: 0, servers: undefined })).toContain(
      '50 % of them used by servers and other programs',
    );
  });

  test('shows what the host of a virtual machine took', () => {
    expect(describeConditions({ mode: 'embedded', others: 0, stolen: 0.44, servers: undefined })).toMatch(
      /, 0 % of them used by other programs, 44 % taken by the host of this virtual machine meanwhile\.$/,
    );
  });

  test('says of distributed mode that everything shares the machine', () => {
    expect(describeConditions({ mode: 'distributed', others: 0, stolen: 0, servers: 0.4 })).toContain(
      'replicas compete for the same cores',
    );
  });
});

describe('withResults', () => {
  test('replaces what is between the marks, again and again', () => {
    const document = 'before\n<!-- bench:begin -->\nold\n<!-- bench:end -->\nafter\n';
    const once = withResults(document, 'new', 'embedded');
    expect(once).toBe('before\n<!-- bench:begin -->\nnew\n<!-- bench:end -->\nafter\n');
    expect(withResults(once, 'new', 'embedded')).toBe(once);
  });

  test('leaves the results of the other mode as they are', () => {
    const embedded = '<!-- bench:begin -->\none\n<!-- bench:end -->\n';
    const document = `${embedded}<!-- bench-distributed:begin -->\ntwo\n<!-- bench-distributed:end -->\n`;
    expect(withResults(document, 'new', 'distributed')).toBe(document.replace('two', 'new'));
    expect(withResults(document, 'new', 'embedded')).toBe(document.replace('one', 'new'));
  });

  test('refuses a document without marks', () => {
    expect(() => withResults('nothing', 'new', 'embedded')).toThrow('no place for results');
  });
});
