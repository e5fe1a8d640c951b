import { type FaultArguments, readArguments, USAGE } from './arguments.ts';
import { type FaultReport, keyOf, type PlannedRow } from './fault.ts';
import { runFaults, writeLog } from './run-faults.ts';
import { faultsOf, killRows, runKillRow } from './table.ts';

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

const isNamed = (row: PlannedRow): boolean => texts === undefined || texts.some((text) => keyOf(row).toLowerCase().includes(text));
const chosenFaults = faultsOf(soakSeconds).filter(isNamed);
const chosenKills = killRows.filter(isNamed);
if (chosenFaults.length + chosenKills.length === 0) wrongUsage(`No row has "${texts?.join(',')}" in its group or name`);

const startedAt = performance.now();
const reports: FaultReport[] = [];

/** Notes the result of a row, and says it. */
function note(report: FaultReport): void {
  reports.push(report);
  say(`${report.violations.length === 0 ? 'ok  ' : 'FAIL'}  ${keyOf(report.fault)} (${report.observed})`);
  for (const violation of report.violations.slice(0, 10)) say(`        ${violation}`);
}

for (const row of chosenKills) note(await runKillRow(row, kills));
await runFaults(chosenFaults, {
  keep,
  say,
  onReport(report, log) {
    note(report);
    if (report.violations.length > 0) say(`        log: ${writeLog(log(), reports.length)}`);
  },
});
const minutes = (performance.now() - startedAt) / 60_000;
if (json) process.stdout.write(`${JSON.stringify({ reports })}\n`);
const sum = (of: (report: FaultReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
const failed = reports.filter(({ violations }) => violations.length > 0).length;
say(
  `\n${reports.length} rows; ${sum(({ ledger }) => ledger.forecasts)} forecasts and ${sum(({ ledger }) => ledger.weighings)} weighings acknowledged; ` +
    `${sum(({ ledger }) => ledger.webhooks)} webhooks received, ${sum(({ ledger }) => ledger.repeatedWebhooks)} of them repeats; ` +
    `${failed === 0 ? 'no row has violations' : `${failed} rows have violations`}. ${minutes.toFixed(1)} min.`,
);
process.exitCode = failed === 0 ? 0 : 1;
