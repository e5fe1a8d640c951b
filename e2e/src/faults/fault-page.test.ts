import { readFileSync } from 'node:fs';
import { describe, expect, test } from '@jest/globals';
import { allFaults } from './all-faults.ts';
import { mergeRows, rowsIn, withRows } from './fault-page.ts';
import { type FaultRow, keyOf, NOTHING_WRONG, summaryOf } from './fault-row.ts';
import { killRows } from './kill-rows.ts';

const EMPTY = '# Page\n\nBy hand.\n\n<!-- faults:begin -->\n<!-- faults:end -->\n\nBy hand, too.\n';
const run = { date: '2026-11-26', version: '0.1.0 (abcdef012)', machine: 'Node 20.0.0, linux x64, 2 processors' };
const result = {
  observed: '12 refused | all sent again',
  submitted: 40,
  seen: 40,
  lost: 0,
  doubled: 0,
  webhooks: 20,
  repeats: 1,
  sentAgain: 3,
  quietAfterS: 4,
  verdict: NOTHING_WRONG,
  run,
};
const ofKafka: FaultRow = { group: 'Kafka', name: 'stopped', expected: 'p99 | unchanged', result };
const ofKills: FaultRow = {
  group: 'Kill points',
  name: 'SIGKILL',
  expected: NOTHING_WRONG,
  result: { ...result, sentAgain: null, quietAfterS: null, lost: 2, seen: 38, verdict: '**1 violations**: forecast PO-1 is 40401' },
};
const neverRun: FaultRow = { group: 'Kafka', name: 'killed', expected: 'nothing' };

describe('a page of faults', () => {
  test('has its rows read back as they were written, and the text around them left alone', () => {
    const rows = [ofKafka, neverRun, ofKills];
    const page = withRows(EMPTY, rows);
    expect(rowsIn(page)).toEqual(rows);
    expect(withRows(page, rows)).toBe(page);
    expect(page.startsWith('# Page\n\nBy hand.\n\n<!-- faults:begin -->\n')).toBe(true);
    expect(page.endsWith('<!-- faults:end -->\n\nBy hand, too.\n')).toBe(true);
  });

  test('keeps the last result of a row that was not run, with its date, and takes the new one of a row that was', () => {
    const page = withRows(EMPTY, [ofKafka, neverRun, ofKills]);
    const fresh: FaultRow = { ...ofKills, result: { ...result, run: { ...run, date: '2026-12-01' } } };
    const merged = rowsIn(withRows(page, mergeRows([ofKafka, neverRun, ofKills], rowsIn(page), [fresh])));
    expect(merged.map((row) => row.result?.run.date)).toEqual(['2026-11-26', undefined, '2026-12-01']);
    expect(merged[2]).toEqual(fresh);
  });

  test('takes expectations and order from the plan, and drops a row that is no longer planned', () => {
    const merged = mergeRows([ofKills, { ...ofKafka, expected: 'another' }], [neverRun, ofKafka, ofKills], []);
    expect(merged).toEqual([ofKills, { ...ofKafka, expected: 'another' }]);
  });

  test('adds up the ledgers, and says what failed and what was not run', () => {
    expect(summaryOf([ofKafka, neverRun, ofKills])).toBe(
      '2 rows; ledger: 80 submitted, 78 seen, 2 lost, 0 doubled; 40 webhooks received, 2 of them repeats; 1 rows have violations; 1 rows were not run yet.',
    );
  });

  test('is refused without a place for rows, and with a row that is not its own', () => {
    expect(() => rowsIn('# Page')).toThrow('no place for rows');
    const page = withRows(EMPTY, [ofKafka]);
    expect(() => rowsIn(page.replace('| 40 |', '| many |'))).toThrow('"many" where a number belongs, in the row stopped');
    expect(() => rowsIn(page.replace('| 40 |', '|'))).toThrow('13 cells in place of 14');
  });
});

test('docs/faults.md has a place for every fault and kill point, each under a name of its own', () => {
  const page = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8');
  const planned = [...allFaults(300), ...killRows].map(keyOf);
  expect(new Set(planned).size).toBe(planned.length);
  expect(rowsIn(page).map(keyOf)).toEqual(planned);
  expect(withRows(page, rowsIn(page))).toBe(page);
});
