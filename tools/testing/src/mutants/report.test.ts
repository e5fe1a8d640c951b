import { describe, expect, test } from '@jest/globals';
import { type Kept, merge, rowOf, survivorLines, table, total } from './report.ts';

const source = 'const a = b > 1;\nif (a) {\n  run();\n}\n';
const at = (line: number, from: number, to: number, endLine = line) => ({
  start: { line, column: from },
  end: { line: endLine, column: to },
});
const mutant = (status: string, location = at(1, 11, 16), replacement = 'b >= 1') => ({
  status,
  location,
  mutatorName: 'EqualityOperator',
  replacement,
});
const fileOf = (...statuses: string[]) => ({ source, mutants: statuses.map((status) => mutant(status)) });
const keptOf = (files: Kept['files'], failing: string[] = []): Kept => ({ files, failing });

describe('what is kept', () => {
  const run = { commit: 'new', failing: [], sources: ['a.ts', 'b.ts'] };

  test('of a run of some files replaces theirs, and leaves the others as they were measured', () => {
    const kept = keptOf({ 'a.ts': { ...fileOf('Killed'), commit: 'old' }, 'b.ts': { ...fileOf('Killed'), commit: 'old' } });
    expect(merge(kept, { files: { 'b.ts': fileOf('Survived') } }, { ...run, mutated: ['b.ts'] })).toEqual({
      failing: [],
      files: { 'a.ts': { ...fileOf('Killed'), commit: 'old' }, 'b.ts': { ...fileOf('Survived'), commit: 'new' } },
    });
  });

  test('is nothing of files that are gone, and begins with the first run', () => {
    const kept = keptOf({ 'gone.ts': { ...fileOf('Killed'), commit: 'old' } });
    expect(Object.keys(merge(kept, { files: {} }, { ...run, mutated: [] }).files)).toEqual([]);
    expect(Object.keys(merge(undefined, { files: { 'a.ts': fileOf('Killed') } }, { ...run, mutated: ['a.ts'] }).files)).toEqual(['a.ts']);
  });
});

test('a file without a mutant, such as one of types, has been measured as well', () => {
  const kept = merge(undefined, { files: {} }, { commit: 'new', failing: [], mutated: ['types.ts'], sources: ['types.ts'] });
  expect(rowOf('file', kept, ['types.ts'])).toMatchObject({ missing: [], mutants: 0, score: 100 });
});

describe('the row of a service', () => {
  test('counts timeouts as killed, what no test reaches as survived, and leaves out what is no valid change', () => {
    const file = { ...fileOf('Killed', 'Timeout', 'Survived', 'NoCoverage', 'CompileError', 'Ignored'), commit: 'c1' };
    expect(rowOf('file', keptOf({ 'a.ts': file }), ['a.ts'])).toMatchObject({
      service: 'file',
      mutants: 4,
      killed: 2,
      timeouts: 1,
      survived: 2,
      unreached: 1,
      invalid: 2,
      score: 50,
      files: [{ file: 'a.ts', score: 50, commit: 'c1' }],
    });
  });

  test('rounds its score down', () => {
    const file = fileOf('Killed', 'Killed', 'Survived');
    expect(rowOf('file', keptOf({ 'a.ts': { ...file, commit: 'c1' } }), []).score).toBe(66.6);
  });

  test('names each commit once, and the files that have no result', () => {
    const files = { 'a.ts': { ...fileOf(), commit: 'c2' }, 'b.ts': { ...fileOf(), commit: 'c1' }, 'c.ts': { ...fileOf(), commit: 'c2' } };
    const row = rowOf('file', keptOf(files, ['flaky']), ['a.ts', 'b.ts', 'c.ts', 'd.ts']);
    expect(row).toMatchObject({ commits: ['c1', 'c2'], missing: ['d.ts'], failing: ['flaky'], score: 100 });
  });
});

test('survivors say where they are, what was there and what it became', () => {
  const mutants = [mutant('Survived'), mutant('NoCoverage', at(2, 8, 2, 4), '{}'), mutant('Killed')];
  expect(survivorLines([rowOf('file', keptOf({ 'a.ts': { source, mutants, commit: 'c1' } }), [])])).toEqual([
    'a.ts:1:11 EqualityOperator: b > 1 → b >= 1',
    'a.ts:2:8 EqualityOperator (unreached): { … → {}',
  ]);
});

describe('the table', () => {
  const rows = [
    rowOf('one', keptOf({ 'a.ts': { ...fileOf('Killed', 'Survived'), commit: 'c1' } }), []),
    rowOf('two', keptOf({ 'b.ts': { ...fileOf('Timeout', 'Killed'), commit: 'c2' } }), ['b.ts', 'c.ts']),
  ];
  const lines = [
    '| Service | Files | Mutants | Killed | Timeouts among them | Survived | Unreached among them | Score | Measured at |',
    '| --- | ---: | ---: | ---: | ---: | ---: | ---: | ---: | --- |',
    '| `one` | 1 | 2 | 1 | 0 | 1 | 0 | 50.0 % | `c1` |',
    '| `two` | 1 of 2 | 2 | 2 | 1 | 0 | 0 | 100.0 % | `c2` |',
    '| **All** |  | 4 | 3 | 1 | 1 | 0 | 75.0 % |  |',
  ].join('\n');

  test('has services and their sum', () => {
    expect(table(rows)).toBe(lines);
    expect(total(rows)).toMatchObject({ service: 'all', mutants: 4, killed: 3, score: 75 });
  });
});
