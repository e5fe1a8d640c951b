import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { killPrograms } from '@parcelway/harness/program';
import { describeMachine, type Mode, machine, type Row, reportOf, type Table } from './report.ts';
import { BenchServers } from './servers.ts';
import type { DeliveryOptions, Scale, Suite, SuiteOptions } from './suite.ts';
import { coldStart } from './suites/cold-start.ts';
import { costs } from './suites/costs.ts';
import { deliveries } from './suites/deliveries.ts';
import { gateway } from './suites/gateway.ts';
import { growth } from './suites/growth.ts';
import { importSuite } from './suites/import.ts';
import { memory } from './suites/memory.ts';
import { webhooks } from './suites/webhooks.ts';
import { shapeNames } from './webhooks/shapes.ts';

/** Everything that is measured, by the name that `--only` takes, in the order of the report. */
const suites: Readonly<Record<Mode, Readonly<Record<string, Suite>>>> = {
  embedded: { start: coldStart, memory, costs, webhooks, gateway, import: importSuite, growth, deliveries },
  distributed: { start: coldStart, memory, costs, webhooks, deliveries },
};

/** Suites that run only when named, because they take minutes. */
const namedOnly: readonly string[] = ['costs', 'growth', 'import', 'deliveries'];

/** Distributed mode has fewer and shorter cycles: it measures more, and each start takes seconds. */
const scales: Readonly<Record<Mode, { readonly full: Scale; readonly quick: Scale }>> = {
  embedded: { full: { cycles: 5, measureMs: 2500, quick: false }, quick: { cycles: 1, measureMs: 1000, quick: true } },
  distributed: { full: { cycles: 3, measureMs: 2000, quick: false }, quick: { cycles: 1, measureMs: 500, quick: true } },
};

const listed = (mode: Mode): string =>
  Object.keys(suites[mode])
    .map((name) => (namedOnly.includes(name) ? `(${name})` : name))
    .join(', ');

const USAGE = `npm run bench -- [options]

  --mode MODE    embedded (default) or distributed (one process per service, on real servers)
  --only a,b     measure only these (those in brackets: only when named)
                   embedded:    ${listed('embedded')}
                   distributed: ${listed('distributed')}
  --quick        one short cycle of each, to see that it works
  --json         print one JSON object instead of Markdown
  --write FILE   write the results as Markdown into a file

Of deliveries, the webhook service alone under loads (npm run bench:webhooks):

  --shape A,B,…  of ${shapeNames.join(', ')}; default all
                   A  50/s, then 200/s, to one endpoint
                   B  1000/s, 1000 tenants with one endpoint each
                   C  10 publishers of 100/s each, 100 endpoints
                   D  B, with 1 % of the endpoints hanging to the timeout and 5 % responding with 500
                   E  B, with the process that has the queue killed and started again half way
  --seconds N    length of each load (default 20)
  --cycles N     how often each load is measured, in turn with the peer (default 3); the medians count
  --peer outpost measure Outpost as well, on the same machine and receiver

Distributed mode uses the servers that the environment names (MONGODB_URL and so on, see tools/servers/README.md). Without them it
starts its own and stops them at the end.
`;

/** What is measured. */
interface Plan {
  readonly mode: Mode;
  /** Names of suites. */
  readonly only: readonly string[];
  readonly scale: Scale;
  readonly deliveries: DeliveryOptions;
}

/** Results of a run. */
interface Results {
  readonly rows: readonly Row[];
  /** Tables of single suites. */
  readonly tables: readonly Table[];
  /** What was left out, and why. */
  readonly skipped: readonly string[];
  /** True when a suite failed. */
  readonly failed: boolean;
}

const progress = (text: string): void => void process.stderr.write(`  ${text}\n`);
const textOf = (error: unknown): string => (error instanceof Error ? (error.stack ?? error.message) : String(error));

/** Runs the suites in sequence. A failed suite is reported and does not stop the others. */
async function runSuites({ mode, only, scale, deliveries }: Plan, servers?: BenchServers): Promise<Results> {
  const rows: Row[] = [];
  const tables: Table[] = [];
  const skipped: string[] = [];
  let failed = false;
  const skip = (reason: string): void => {
    skipped.push(reason);
    progress(`skipped: ${reason}`);
  };
  const options: SuiteOptions = { scale, deliveries, ...(servers && { servers }), progress, table: (one) => void tables.push(one), skip };
  for (const name of only) {
    try {
      rows.push(...((await suites[mode][name]?.(options)) ?? []));
    } catch (error) {
      failed = true;
      skip(`${name} failed: ${textOf(error)}`);
    }
  }
  return { rows, tables, skipped, failed };
}

async function runDistributed(plan: Plan): Promise<Results> {
  process.env['PARCELWAY_MODE'] = 'distributed';
  progress('servers');
  const servers = await BenchServers.open();
  // A run that is interrupted takes them down too.
  process.once('exit', () => servers.close());
  return runSuites(plan, servers).finally(() => servers.close());
}

/** Names of the requested suites, in the order of the report. @throws Error for an unknown name */
function namesOf(mode: Mode, only: string | undefined): readonly string[] {
  const all = Object.keys(suites[mode]);
  const asked = only === undefined ? all.filter((name) => !namedOnly.includes(name)) : only.split(',').map((name) => name.trim());
  const unknown = asked.filter((name) => !all.includes(name));
  if (unknown.length > 0) throw new Error(`There is no ${unknown.join(', ')}; there are ${all.join(', ')}`);
  return all.filter((name) => asked.includes(name));
}

/** The value of an option that takes a number. */
function integerOf(name: string, text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new Error(`--${name} takes an integer from 1 to 999, not ${text}`);
  return Number(text);
}

/** What is measured of deliveries. @throws Error with the option that is wrong and what it takes */
function deliveriesOf(given: Readonly<Record<'shape' | 'seconds' | 'cycles' | 'peer', string>>): DeliveryOptions {
  const names = given.shape === 'all' ? shapeNames : given.shape.split(',').map((name) => name.trim().toUpperCase());
  const shapes = shapeNames.filter((name) => names.includes(name));
  if (shapes.length < names.length) throw new Error(`--shape must be of ${shapeNames.join(', ')}, not ${given.shape}`);
  if (!['outpost', 'none'].includes(given.peer)) throw new Error(`--peer must be outpost or none, not ${given.peer}`);
  const [seconds, cycles] = [integerOf('seconds', given.seconds), integerOf('cycles', given.cycles)];
  return { shapes, seconds, cycles, peer: given.peer === 'outpost' };
}

/** Measures and reports. */
async function run(args: readonly string[]): Promise<void> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      mode: { type: 'string', default: 'embedded' },
      only: { type: 'string' },
      json: { type: 'boolean', default: false },
      quick: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
      write: { type: 'string' },
      shape: { type: 'string', default: 'all' },
      seconds: { type: 'string', default: '20' },
      cycles: { type: 'string', default: '3' },
      peer: { type: 'string', default: 'none' },
    },
  });
  const { mode, json, write } = values;
  if (values.help) return void process.stdout.write(USAGE);
  if (mode !== 'embedded' && mode !== 'distributed') throw new Error(`Unknown mode ${mode}. Use embedded or distributed.`);
  const plan: Plan = {
    mode,
    only: namesOf(mode, values.only),
    scale: scales[mode][values.quick ? 'quick' : 'full'],
    deliveries: deliveriesOf(values),
  };
  const { rows, tables, skipped, failed } = await (mode === 'embedded' ? runSuites(plan) : runDistributed(plan));
  const report = `${describeMachine(mode)}\n\n${reportOf(rows, tables)}\n`;
  if (json) process.stdout.write(`${JSON.stringify({ ...machine(), mode, rows, tables, skipped })}\n`);
  else process.stdout.write(`\n${report}${skipped.map((reason) => `\nSkipped ${reason}`).join('')}\n`);
  if (failed) process.exitCode = 1;
  else if (write !== undefined) writeFileSync(write, report);
}

// Whatever was started ends with this process.
process.once('exit', killPrograms);
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
run(process.argv.slice(2)).catch((error: unknown) => {
  process.stderr.write(`bench: ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
