import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { allFaults } from './all-faults.ts';
import type { FaultReport } from './fault.ts';
import { mergeRows, rowsIn, withRows } from './fault-page.ts';
import { type FaultRow, keyOf, NOTHING_WRONG, type PlannedRow, rowOfFault, summaryOf } from './fault-row.ts';
import { killRows, runKillRow } from './kill-rows.ts';
import { runFaults, writeLog } from './run-faults.ts';
import { runMark } from './run-mark.ts';

/*
 * npm run test:faults -- [--publish] [--only TEXT,…] [--missing] [--before DATE] [--soak SECONDS] [--kills N] [--page FILE] [--json] [--keep]: breaks real
 * servers and processes under load, and lets the ledger judge. --publish kills at the kill points of embedded mode as well, and writes each
 * result into docs/faults.md, or into the page that --page names. --only takes rows whose group or name has one of the texts; --missing those
 * that the page has no result of, or violations; --before these, and those whose result is from before that day; --keep leaves the servers up. A row that is not run keeps its last result.
 */

const { values } = parseArgs({
  options: {
    publish: { type: 'boolean', default: false },
    only: { type: 'string', default: '' },
    missing: { type: 'boolean', default: false },
    before: { type: 'string', default: '' },
    soak: { type: 'string', default: '300' },
    kills: { type: 'string', default: '3' },
    page: { type: 'string', default: fileURLToPath(new URL('../../../docs/faults.md', import.meta.url)) },
    json: { type: 'boolean', default: false },
    keep: { type: 'boolean', default: false },
  },
});

/** @throws Error naming the option */
function wholeNumber(option: 'soak' | 'kills', most: number): number {
  const number = Number(values[option]);
  if (!Number.isInteger(number) || number < 1 || number > most)
    throw new Error(`--${option} must be a whole number from 1 to ${most}, not "${values[option]}"`);
  return number;
}

const say = (text: string): void => {
  if (!values.json) process.stdout.write(`${text}\n`);
};

const faults = allFaults(wholeNumber('soak', 7 * 86_400));
const kills = wholeNumber('kills', 1000);
const planned: readonly PlannedRow[] = [...faults, ...killRows];
const { before } = values;
if (before !== '' && !/^\d{4}-\d{2}-\d{2}$/.test(before)) throw new Error(`--before must be a day such as 2026-11-27, not "${before}"`);
const onlyOutdated = values.missing || before !== '';
const kept = values.publish || onlyOutdated ? rowsIn(readFileSync(values.page, 'utf8')) : [];
const good = new Set(kept.filter(({ result }) => result?.verdict === NOTHING_WRONG && result.run.date >= before).map(keyOf));
const texts = values.only.toLowerCase().split(',');
const isChosen = (row: PlannedRow): boolean =>
  texts.some((text) => keyOf(row).toLowerCase().includes(text)) && !(onlyOutdated && good.has(keyOf(row)));
const chosenFaults = faults.filter(isChosen);
const chosenKills = values.publish ? killRows.filter(isChosen) : [];
if (chosenFaults.length + chosenKills.length === 0) {
  throw new Error(`No row has "${values.only}" in its name${onlyOutdated ? ' and lacks a good result' : ''}`);
}

const startedAt = performance.now();
const mark = runMark();
const rows: FaultRow[] = [];
const reports: FaultReport[] = [];

/** Notes the result of a row, and writes it into the page at once, so that a run that is interrupted keeps what it has. */
function note(row: FaultRow): void {
  rows.push(row);
  const { observed = '', verdict } = row.result ?? {};
  say(verdict === NOTHING_WRONG ? `ok    ${keyOf(row)} (${observed})` : `FAIL  ${keyOf(row)} (${observed}): ${verdict}`);
  if (values.publish) writeFileSync(values.page, withRows(readFileSync(values.page, 'utf8'), mergeRows(planned, kept, rows)));
}

for (const row of chosenKills) note(await runKillRow(row, kills, mark));
await runFaults(chosenFaults, {
  keep: values.keep,
  say,
  onReport(report, log) {
    reports.push(report);
    note(rowOfFault(report, mark));
    if (report.violations.length === 0) return;
    for (const violation of report.violations.slice(0, 10)) say(`        ${violation}`);
    say(`        log: ${writeLog(log(), reports.length)}`);
  },
});
const minutes = (performance.now() - startedAt) / 60_000;
if (values.json) process.stdout.write(`${JSON.stringify({ run: mark, rows, reports })}\n`);
say(`\n${summaryOf(rows)} ${minutes.toFixed(1)} min.`);
process.exitCode = rows.every(({ result }) => result?.verdict === NOTHING_WRONG) ? 0 : 1;
