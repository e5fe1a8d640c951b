import { readFileSync, writeFileSync } from 'node:fs';
import { allFaults } from './all-faults.ts';
import { type FaultArguments, readArguments, USAGE } from './arguments.ts';
import type { FaultReport } from './fault.ts';
import { mergeRows, rowsIn, withRows } from './fault-page.ts';
import { type FaultRow, keyOf, NOTHING_WRONG, type PlannedRow, rowOfFault, summaryOf } from './fault-row.ts';
import { killRows, runKillRow } from './kill-rows.ts';
import { runFaults, writeLog } from './run-faults.ts';
import { runMark } from './run-mark.ts';

/* npm run test:faults -- [options]: breaks real servers and processes under load, and lets the ledger judge. Options: ./arguments.ts, or --help. */

/** Ends the process with what is wrong in the command line. */
function wrongUsage(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

/** Ends the process when the command line is wrong, or asks for help. */
function argumentsOrEnd(): FaultArguments {
  try {
    const given = readArguments(process.argv.slice(2));
    if (!given.help) return given;
  } catch (error) {
    return wrongUsage((error as Error).message);
  }
  process.stdout.write(USAGE);
  process.exit(0);
}

const { publish, texts, missing, before, soakSeconds, kills, page, json, keep } = argumentsOrEnd();

const say = (text: string): void => {
  if (!json) process.stdout.write(`${text}\n`);
};

const faults = allFaults(soakSeconds);
const planned: readonly PlannedRow[] = [...faults, ...killRows];
const onlyOutdated = missing || before !== '';
const kept = publish || onlyOutdated ? rowsIn(readFileSync(page, 'utf8')) : [];
const good = new Set(kept.filter(({ result }) => result?.verdict === NOTHING_WRONG && result.run.date >= before).map(keyOf));
const isNamed = (row: PlannedRow): boolean => texts === undefined || texts.some((text) => keyOf(row).toLowerCase().includes(text));
const isChosen = (row: PlannedRow): boolean => isNamed(row) && !(onlyOutdated && good.has(keyOf(row)));
const chosenFaults = faults.filter(isChosen);
const chosenKills = publish ? killRows.filter(isChosen) : [];
if (!planned.some(isNamed)) wrongUsage(`No row has "${texts?.join(',')}" in its group or name`);
if (chosenFaults.length + chosenKills.length === 0) {
  say(killRows.some(isChosen) ? 'The kill points of embedded mode run with --publish only.' : 'Every row has a good result.');
  process.exit(0);
}

const startedAt = performance.now();
const mark = runMark();
const rows: FaultRow[] = [];
const reports: FaultReport[] = [];

/**
 * Notes the result of a row, and writes it into the page at once, so that a run that is interrupted keeps what it has. Rows that another run
 * has written meanwhile stay.
 */
function note(row: FaultRow): void {
  rows.push(row);
  const { observed = '', verdict } = row.result ?? {};
  say(verdict === NOTHING_WRONG ? `ok    ${keyOf(row)} (${observed})` : `FAIL  ${keyOf(row)} (${observed}): ${verdict}`);
  if (!publish) return;
  const text = readFileSync(page, 'utf8');
  writeFileSync(page, withRows(text, mergeRows(planned, rowsIn(text), [row])));
}

for (const row of chosenKills) note(await runKillRow(row, kills, mark));
await runFaults(chosenFaults, {
  keep,
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
if (json) process.stdout.write(`${JSON.stringify({ run: mark, rows, reports })}\n`);
say(`\n${summaryOf(rows)} ${minutes.toFixed(1)} min.`);
process.exitCode = rows.every(({ result }) => result?.verdict === NOTHING_WRONG) ? 0 : 1;
