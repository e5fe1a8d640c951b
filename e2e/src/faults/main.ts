import { parseArgs } from 'node:util';
import type { FaultReport, Row } from './fault.ts';
import { killPointsNamed, runKillRow } from './kill-points.ts';
import { logFaults } from './log-faults.ts';
import { processFaults } from './process-faults.ts';
import { runFaults } from './run-faults.ts';
import { serverFaults } from './server-faults.ts';
import { sourceFaults } from './source-faults.ts';
import { webhookFaults } from './webhook-faults.ts';

/* npm run test:faults -- [options]: what breaks, and what must hold. The ledger check judges every row. */

const USAGE = `npm run test:faults -- [options]

Breaks real servers and processes under load and checks the ledger. Without options it runs every row, in about an hour.

  --only a,b       only rows whose group or name contains one of the texts
  --soak SECONDS   how long to kill services at random, default 60
  --kills N        kills at each kill point of embedded mode, default 2

Exit codes: 0 no violations, 1 violations, 2 wrong usage.
`;

/** Reports a wrong command line and exits. */
function wrongUsage(message: string): never {
  process.stderr.write(`${message}\n\n${USAGE}`);
  process.exit(2);
}

function parsed() {
  const options = {
    help: { type: 'boolean', short: 'h', default: false },
    only: { type: 'string' },
    soak: { type: 'string', default: '60' },
    kills: { type: 'string', default: '2' },
  } as const;
  try {
    return parseArgs({ options }).values;
  } catch (error) {
    return wrongUsage((error as Error).message);
  }
}

function wholeNumber(option: string, value: string, most: number): number {
  const number = Number(value);
  const isRight = Number.isInteger(number) && number >= 1 && number <= most;
  return isRight ? number : wrongUsage(`--${option} must be a whole number from 1 to ${most}, not "${value}"`);
}

const { help, only, soak, kills } = parsed();
if (help) {
  process.stdout.write(USAGE);
  process.exit(0);
}
const killsEach = wholeNumber('kills', kills, 1000);
const faults = [...serverFaults, ...logFaults, ...sourceFaults, ...webhookFaults, ...processFaults(wholeNumber('soak', soak, 7 * 86_400))];

const keyOf = ({ group, name }: Row): string => `${group}: ${name}`;
const texts = only?.split(',').map((text) => text.trim().toLowerCase());
// An empty text is in every name.
if (texts?.includes('')) wrongUsage('--only has an empty text');
const isNamed = (key: string): boolean => texts?.some((text) => key.toLowerCase().includes(text)) ?? true;
const [chosenFaults, killPoints] = [faults.filter((fault) => isNamed(keyOf(fault))), killPointsNamed(isNamed)];
if (chosenFaults.length + killPoints.length === 0) wrongUsage(`No row has "${only}" in its group or name`);

const say = (text: string): void => void process.stdout.write(`${text}\n`);
const startedAt = performance.now();
const reports: FaultReport[] = [];

/** Records and prints the result of a row. */
function onReport(report: FaultReport): void {
  reports.push(report);
  say(`${report.violations.length === 0 ? 'ok  ' : 'FAIL'}  ${keyOf(report)} (${report.observed})`);
  for (const violation of report.violations.slice(0, 10)) say(`        ${violation}`);
}

if (killPoints.length > 0) onReport(await runKillRow(killPoints, killsEach));
await runFaults(chosenFaults, { say, onReport });
const minutes = (performance.now() - startedAt) / 60_000;
const sum = (of: (report: FaultReport) => number): number => reports.reduce((total, report) => total + of(report), 0);
const failed = reports.filter(({ violations }) => violations.length > 0).length;
say(
  `\n${reports.length} rows; ${sum(({ ledger }) => ledger.forecasts)} forecasts and ${sum(({ ledger }) => ledger.weighings)} weighings acknowledged; ` +
    `${sum(({ ledger }) => ledger.webhooks)} webhooks received, ${sum(({ ledger }) => ledger.repeatedWebhooks)} of them repeats; ` +
    `${failed === 0 ? 'no row has violations' : `${failed} rows have violations`}. ${minutes.toFixed(1)} min.`,
);
process.exitCode = failed === 0 ? 0 : 1;
