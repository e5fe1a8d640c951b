import { writeFileSync } from 'node:fs';
import { type BenchArguments, readArguments, usage } from './arguments.ts';
import { killChildren } from './child-server.ts';
import { watchOthers } from './process-usage.ts';
import { installPrograms } from './programs.ts';
import { type Conditions, describeConditions, machine } from './report/conditions.ts';
import type { Row } from './report/row.ts';
import { markdownReport, plainReport, type Table } from './report/table.ts';
import { BenchServers } from './servers.ts';
import { killPlatforms } from './stage.ts';
import type { SuiteOptions } from './suite.ts';
import { namedOnly, suites } from './suites.ts';

const names = { embedded: Object.keys(suites.embedded), distributed: Object.keys(suites.distributed), namedOnly };

/** What a run gave. */
interface Results {
  readonly rows: readonly Row[];
  /** Tables of suites' own. */
  readonly tables: readonly Table[];
  readonly conditions: Conditions;
  /** What was left out, and why. */
  readonly skipped: readonly string[];
  /** True when a suite failed. */
  readonly failed: boolean;
}

const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);

/** Runs the suites one after the other; one that fails is noted, and the others go on. */
async function runSuites(
  { mode, only, scale }: BenchArguments,
  servers: BenchServers | undefined,
): Promise<Pick<Results, 'rows' | 'tables' | 'skipped' | 'failed'>> {
  const rows: Row[] = [];
  const tables: Table[] = [];
  const skipped: string[] = [];
  let failed = false;
  const skip = (reason: string): void => {
    skipped.push(reason);
    progress(`skipped: ${reason}`);
  };
  const options: SuiteOptions = {
    scale,
    ...(servers && { servers }),
    progress,
    table: (one) => void tables.push(one),
    skip,
    timeIsUp: () => false,
  };
  for (const name of only) {
    try {
      rows.push(...((await suites[mode][name]?.(options)) ?? []));
    } catch (error) {
      failed = true;
      skip(`${name}: it failed: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    }
  }
  return { rows, tables, skipped, failed };
}

async function runEmbedded(options: BenchArguments): Promise<Results> {
  const sharesSince = watchOthers();
  const results = await runSuites(options, undefined);
  return { ...results, conditions: { mode: 'embedded', ...sharesSince() } };
}

/** Ends everything that was started when the run is interrupted. */
function endOnSignal(servers: BenchServers): void {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      killPlatforms();
      killChildren();
      servers.close();
      process.exit(130);
    });
  }
}

async function runDistributed(options: BenchArguments): Promise<Results> {
  process.env['PARCELWAY_MODE'] = 'distributed';
  progress('servers');
  const servers = await BenchServers.open();
  try {
    endOnSignal(servers);
    await servers.usedMicroseconds();
    const sharesSince = watchOthers();
    const results = await runSuites(options, servers);
    return { ...results, conditions: { mode: 'distributed', ...sharesSince(await servers.usedMicroseconds()) } };
  } finally {
    servers.close();
  }
}

/** Measures and reports. */
async function run(args: readonly string[]): Promise<void> {
  const options = readArguments(args, names);
  if (options.help) {
    process.stdout.write(usage(names));
    return;
  }
  if (options.install) await installPrograms();
  const { rows, tables, conditions, skipped, failed } = await (options.mode === 'embedded'
    ? runEmbedded(options)
    : runDistributed(options));
  if (options.json) process.stdout.write(`${JSON.stringify({ ...machine(), ...conditions, rows, tables, skipped })}\n`);
  else {
    const left = skipped.map((reason) => `\nSkipped ${reason}`).join('');
    process.stdout.write(`\n${describeConditions(conditions)}\n\n${plainReport(rows, tables)}\n${left}\n`);
  }
  if (failed) {
    process.exitCode = 1;
    return;
  }
  if (options.write !== undefined) {
    writeFileSync(options.write, `${describeConditions(conditions)}\n\n${markdownReport(rows, tables)}\n`);
  }
}

run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exitCode = 1;
});
