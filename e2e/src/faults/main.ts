import { allFaults } from './all-faults.ts';
import { type FaultArguments, readArguments, USAGE } from './arguments.ts';
import type { FaultReport } from './fault.ts';
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

const { texts, soakSeconds, kills, json, keep } = argumentsOrEnd();

const say = (text: string): void => {
  if (!json) process.stdout.write(`${text}\n`);
};

const faults = allFaults(soakSeconds);
const isNamed = (row: PlannedRow): boolean => texts === undefined || texts.some((text) => keyOf(row).toLowerCase().includes(text));
const chosenFaults = faults.filter(isNamed);
const chosenKills = killRows.filter(isNamed);
if (chosenFaults.length + chosenKills.length === 0) wrongUsage(`No row has "${texts?.join(',')}" in its group or name`);

const startedAt = performance.now();
const mark = runMark();
const rows: FaultRow[] = [];
const reports: FaultReport[] = [];

/** Notes the result of a row, and says it. */
function note(row: FaultRow): void {
  rows.push(row);
  const { observed, verdict } = row.result;
  say(verdict === NOTHING_WRONG ? `ok    ${keyOf(row)} (${observed})` : `FAIL  ${keyOf(row)} (${observed}): ${verdict}`);
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
process.exitCode = rows.every(({ result }) => result.verdict === NOTHING_WRONG) ? 0 : 1;
